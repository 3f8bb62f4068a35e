/** How far the seeds on the board have come along a turn, and which pit is next. Nothing here moves one. */

import { levelOf, resting, sites } from "./shown.js";
import { state } from "./state.js";

/** The turns that may be sown now: where the engine has chosen one, that alone. */
function sowings() {
  const all = state.story?.sowings ?? [];
  return state.now?.plan ? all.filter(({ text }) => text === state.now.plan) : all;
}

/** The turn on whose way the seeds lie, {text, steps, done}: one step is made at least. Null if there is none. */
export function sown() {
  for (const { text, steps } of sowings()) {
    const done = reached(steps);
    if (done) return { text, steps, done };
  }
  return null;
}

/** After how many of `steps` the board looks as it does; null if it never does. */
function reached(steps) {
  const rest = resting();
  const wrong = new Set(sites().filter((site, place) => levelOf(site) !== rest[place]));
  for (let done = 0; wrong.size; done += 1) {
    if (done === steps.length) return null;
    const [site, level] = steps[done];
    wrong[levelOf(site) === level ? "delete" : "add"](site);
    if (!wrong.size) return done + 1;
  }
  return 0;
}

/** The step that comes next, [site, level]; null if the seeds lie along no turn, or along a whole one. */
export function nextStep() {
  const way = sown();
  return way?.steps[way.done] ?? null;
}

/** The pits in which the seeds lifted last fall, after the pit that they come from; none if none is lifted. */
export function lap() {
  const way = sown();
  if (!way || way.done === way.steps.length) return [];
  const lifts = way.steps.map(([, level], place) => (level ? -1 : place)).filter((place) => place >= 0);
  const from = lifts.filter((place) => place < way.done).at(-1);
  const to = lifts.find((place) => place > from) ?? way.steps.length;
  return way.steps.slice(from, to).map(([site]) => site);
}

/** Whether the last thing done was to lift what the turn captures. */
export function capturing() {
  const way = sown();
  return Boolean(way) && way.done === way.steps.length && way.steps.at(-1)[1] === 0;
}

/** The turn that the hand has begun, by the pit that it lifted first: {text, steps}; null if none begins there. */
function meant() {
  return sowings().find(({ steps }) => steps[0]?.[0] === state.trail[0].site) ?? null;
}

/**
 * Where the hand has left the way of the turn that it began, {pit, site}: a seed fell into `pit`, and belongs in
 * `site`. Either is null where the hand has gone too far or not far enough; null if no turn begins like this.
 */
export function strayed() {
  const turn = meant();
  if (!turn) return null;
  const place = state.trail.findIndex(({ site }, step) => site !== turn.steps[step]?.[0]);
  return { pit: state.trail[place]?.site ?? null, site: turn.steps[place]?.[0] ?? null };
}

/** What the sites that are not as they should be after the turn should hold, or as things stand: [site, level] each. */
export function owing() {
  const due = new Map(sites().map((site, place) => [site, resting()[place]]));
  const turn = state.trail.length ? meant() : null;
  for (const [site, level] of turn?.steps ?? []) due.set(site, level);
  return [...due].filter(([site, level]) => levelOf(site) !== level);
}
