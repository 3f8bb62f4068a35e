/** What the board shows on each site: as it is, as the hand has just changed it, or as it was after an earlier turn. */

import { clock, on, state } from "./state.js";

/** Seconds for which a change made here is shown before the table has confirmed it. */
const TRUSTED = 1.5;

const own = new Map();

/** Show these changes, pairs of a site and a level, at once; the table is about to confirm them. */
export function expect(changes) {
  for (const [site, level] of changes) own.set(site, { level, until: clock() + TRUSTED });
}

/** Forget what the hand was taken to have changed. */
export function forget() {
  own.clear();
}

/** The names of the sites, in the order in which boards are told. */
export function sites() {
  return Object.keys(state.table?.board?.at ?? {});
}

/** The level of a site under the hands now; 0 where nothing or nothing known lies. */
export function levelOf(site) {
  const changed = own.get(site);
  if (changed && changed.until > clock()) return changed.level;
  return state.now?.levels[sites().indexOf(site)] ?? 0;
}

/** What lies on the sites when the last turn told is whole and nothing of the next one is done. */
export function resting() {
  return boardAfter(state.story.turns.length);
}

/** The levels after `turn` turns of the story. */
function boardAfter(turn) {
  return turn ? state.story.turns[turn - 1].board : state.story.start;
}

/** Whether a site holds something else after the turn that is looked back at than before it. */
export function changedThen(place) {
  const { viewing } = state;
  return Boolean(viewing) && boardAfter(viewing)[place] !== boardAfter(viewing - 1)[place];
}

/**
 * What to draw: for each site {level, known}. `level` null: the sensors cannot tell. `known` false: something lies
 * there, and not even the game so far tells what.
 */
export function shownBoard() {
  if (state.viewing !== null) return boardAfter(state.viewing).map((level) => ({ level, known: true }));
  return sites().map((site, place) => {
    const level = state.now?.levels[place] === null ? null : levelOf(site);
    return level && faint() ? believed(level, place) : { level, known: true };
  });
}

/** Whether the sensors of a real table tell only that something lies there. */
function faint() {
  return !state.table.hands && state.table.sense === "presence";
}

/** What lies on a real table where something lies: what the game so far says lies there. */
function believed(level, place) {
  const turns = state.story?.turns.length ?? 0;
  const told = state.story ? boardAfter(turns)[place] : 0;
  const sure = told > 0 && (state.table.pieces === "stones" || ["rest", "over"].includes(state.now.state));
  return sure ? { level: told, known: true } : { level, known: false };
}

/**
 * A site of the simulated table on which something else lies than the game so far says, though the sensors are
 * content: they cannot tell one stone from another, or one seed from two. Null if there is none.
 */
export function mistaken() {
  if (!state.table?.hands || state.now?.state !== "rest" || !state.story || state.hand) return null;
  const told = resting();
  return sites().find((site, place) => levelOf(site) && levelOf(site) !== told[place]) ?? null;
}

on("now", () => {
  for (const [site, { level, until }] of own) {
    const place = sites().indexOf(site);
    if (until < clock() || state.now.levels[place] === level) own.delete(site);
  }
});
