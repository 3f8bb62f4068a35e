/**
 * How far the seeds on the board have come along a turn, which pit is next, and what the hand has done since the last
 * whole turn, `state.trail`, so that all of it can be put back, and no seed is lost. Nothing here moves one.
 */

import { levelOf, resting, sites } from "./shown.js";
import { change, on, state } from "./state.js";
import { stepsOf, ways } from "./ways.js";

/** @import { Changes } from "./shown.js" */
/** @import { Done } from "./state.js" */
/** @import { Step } from "./ways.js" */

/** The turns that may be sown now, each with its steps. */
function sowings() {
  return ways().map((way) => ({ text: way.text, steps: stepsOf(way) }));
}

/** The turn on whose way the seeds lie, {text, steps, done}: one step is made at least. Null if there is none. */
export function sown() {
  for (const { text, steps } of sowings()) {
    const done = reached(steps);
    if (done) return { text, steps, done };
  }
  return null;
}

/**
 * After how many steps of `way` the board looks as it does; null if it never does.
 * @param {Step[]} way
 */
function reached(way) {
  const rest = resting();
  const wrong = new Set(sites().filter((site, place) => levelOf(site) !== rest[place]));
  for (let done = 0; wrong.size; done += 1) {
    if (done === way.length) return null;
    const { site, level } = way[done];
    wrong[levelOf(site) === level ? "delete" : "add"](site);
    if (!wrong.size) return done + 1;
  }
  return 0;
}

/** The step that comes next; null if the seeds lie along no turn, or along a whole one. */
export function nextStep() {
  const way = sown();
  return way?.steps[way.done] ?? null;
}

/** The pits in which the seeds in the hand fall, after the one that it was at last; none if none is left in it. */
export function lap() {
  const way = sown();
  if (!way?.steps[way.done]?.level) return [];
  const end = way.steps.findIndex(({ level }, place) => place > way.done && !level);
  return way.steps.slice(way.done - 1, end < 0 ? undefined : end).map(({ site }) => site);
}

/** Whether the last thing done was to lift what the turn captures. */
export function capturing() {
  const way = sown();
  return way !== null && way.steps[way.done - 1].kind === "take";
}

/** The turn that the hand has begun, by the pit that it lifted first: {text, steps}; null if none begins there. */
function meant() {
  return sowings().find((way) => way.steps[0]?.site === state.trail[0].site) ?? null;
}

/**
 * Where the hand has left the way of the turn that it began, {pit, site}: a seed fell into `pit`, and belongs in
 * `site`. Either is null where the hand has gone too far or not far enough; null if no turn begins like this.
 */
export function strayed() {
  const turn = meant();
  if (!turn) return null;
  const place = state.trail.findIndex(({ site }, step) => site !== turn.steps[step]?.site);
  return { pit: state.trail[place]?.site ?? null, site: turn.steps[place]?.site ?? null };
}

/**
 * What the sites that are not as they should be after the turn should hold, or as things stand.
 * @returns {Changes}
 */
export function owing() {
  const due = new Map(sites().map((site, place) => [site, resting()[place]]));
  const turn = state.trail.length ? meant() : null;
  for (const { site, level } of turn?.steps ?? []) due.set(site, level);
  return [...due].filter(([site, level]) => levelOf(site) !== level);
}

// What the hand has done --------------------------------------------------------------------------

/**
 * Remember that a pit comes to hold `level` seeds, just before it does.
 * @param {string} site
 * @param {number} level
 */
export function note(site, level) {
  change({ trail: [...state.trail, { site, level, before: levelOf(site) }] });
}

/**
 * What the pits held before all of it: pairs of a site and a level.
 * @returns {Changes}
 */
export function undone() {
  const before = new Map([...state.trail].reverse().map((step) => [step.site, step.before]));
  /** @type {Changes} */
  const rested = sites().map((site, place) => [site, resting()[place]]);
  const began = rested.every(([site, level]) => (before.get(site) ?? level) === level);
  return began ? rested.filter(([site, level]) => levelOf(site) !== level) : [...before]; // else it mends a board
}

/** Seeds that are in somebody's hand while a turn is under way: what the board lacks. */
export function lifted() {
  /** @param {number[]} levels */
  const sum = (levels) => levels.reduce((total, level) => total + level, 0);
  return sum(resting()) - sum(sites().map(levelOf));
}

/** A turn is whole, or was taken back: of the trail there stays what belongs to the turn after it. */
function turnOver() {
  if (!state.trail.length || !state.story) return;
  const begins = state.trail.findIndex((_, from) => leadsHere(state.trail.slice(from)));
  change({ trail: begins < 0 ? [] : state.trail.slice(begins) });
}

/**
 * Whether these steps lead from the last whole turn to what lies on the board.
 * @param {Done[]} made
 */
function leadsHere(made) {
  const lies = new Map(sites().map((site, place) => [site, resting()[place]]));
  const follows = made.every(({ site, level, before }) => lies.get(site) === before && lies.set(site, level));
  return follows && sites().every((site) => levelOf(site) === lies.get(site));
}

on("story", turnOver);
