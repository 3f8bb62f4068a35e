/**
 * What the board shows on each site, and how many pieces lie beside it: as it is, as the hand has just changed it, or
 * as it was after an earlier turn.
 */

import { clock, given, on, state } from "./state.js";

/** Seconds for which a change made here is shown before the table has confirmed it. */
const TRUSTED = 1.5;

/**
 * What lies on a site, as it is shown: `level` null where the sensors cannot tell; `known` false where something lies
 * there, and not even the game so far tells what; `mark` of a kind of pieces, empty where there is none.
 * @typedef {{ level: number | null, known: boolean, mark: string }} Lying
 */

/**
 * Sites with the levels that they come to hold.
 * @typedef {[site: string, level: number][]} Changes
 */

/**
 * The same with the marks of the pieces that come there, where they have one.
 * @typedef {[site: string, level: number, mark?: string][]} Arrivals
 */

/** @type {Map<string, { level: number, mark: string, until: number }>} */
const own = new Map();

/**
 * Show these changes at once; the table is about to confirm them.
 * @param {Arrivals} changes
 */
export function expect(changes) {
  for (const [site, level, mark = ""] of changes) own.set(site, { level, mark, until: clock() + TRUSTED });
}

/** Forget what the hand was taken to have changed. */
export function forget() {
  own.clear();
}

/** The names of the sites, in the order in which boards are told. */
export function sites() {
  return Object.keys(state.table?.board?.at ?? {});
}

/**
 * The level of a site under the hands now; 0 where nothing or nothing known lies.
 * @param {string} site
 */
export function levelOf(site) {
  const changed = own.get(site);
  if (changed && changed.until > clock()) return changed.level;
  return state.now?.levels[sites().indexOf(site)] ?? 0;
}

/**
 * The mark of what lies on a site under the hands now; empty where that is nothing or plain.
 * @param {string} site
 */
export function markOf(site) {
  const changed = own.get(site);
  return (changed && changed.until > clock() ? changed.mark : state.now?.marks[site]) ?? "";
}

/** Whether hands that are nobody's take back what was no turn of the lesson. */
export function righted() {
  const told = state.said.findLast(({ name }) => ["lesson-other", "ready"].includes(name));
  const wrong = ["setting", "astray"].includes(state.now?.state ?? "");
  return Boolean(state.table?.hands && state.table.lesson && wrong && told?.name === "lesson-other");
}

/** What lies on the sites when the last turn told is whole and nothing of the next one is done. */
export function resting() {
  return boardAfter(given.story.turns.length);
}

/**
 * The levels after `turn` turns of the story.
 * @param {number} turn
 */
export function boardAfter(turn) {
  return turn ? given.story.turns[turn - 1].board : given.story.start;
}

/**
 * The marks after `turn` turns of the story.
 * @param {number} turn
 * @returns {Record<string, string>}
 */
function marksAfter(turn) {
  return Object.assign({}, given.story.marks, ...given.story.turns.slice(0, turn).map((each) => each.marks));
}

/**
 * Whether a site holds something else after the turn that is looked back at than before it.
 * @param {number} place
 */
export function changedThen(place) {
  const { viewing } = state;
  return viewing ? boardAfter(viewing)[place] !== boardAfter(viewing - 1)[place] : false;
}

/**
 * Whether the last turn has changed a site, for as long as no hand has begun the next one.
 * @param {number} place
 */
export function changedLast(place) {
  const { now, story, viewing } = state;
  if (viewing !== null || !story?.turns.length || !now || !["rest", "over"].includes(now.state)) return false;
  const made = story.turns.length;
  return boardAfter(made)[place] !== boardAfter(made - 1)[place];
}

/**
 * Whether the last turn told has taken a piece of that level off a site.
 * @param {string} site
 * @param {number} level
 */
export function takenOff(site, level) {
  const place = sites().indexOf(site);
  const made = given.story.turns.length;
  return made > 0 && boardAfter(made - 1)[place] === level && !boardAfter(made)[place];
}

/**
 * What to draw for each site.
 * @returns {Lying[]}
 */
export function shownBoard() {
  if (state.viewing !== null) {
    const marks = marksAfter(state.viewing);
    return boardAfter(state.viewing).map((level, place) => ({ level, known: true, mark: marks[sites()[place]] ?? "" }));
  }
  return sites().map((site, place) => {
    const level = state.now?.levels[place] === null ? null : levelOf(site);
    const lying = level && faint() ? believed(level, place) : { level, known: true };
    return { ...lying, mark: lying.known ? markOf(site) : "" };
  });
}

/** Whether the sensors of a real table tell only that something lies there. */
function faint() {
  return !given.table.hands && given.table.sense === "presence";
}

/**
 * What lies on a real table where something lies: what the game so far says lies there.
 * @param {number} level
 * @param {number} place
 */
function believed(level, place) {
  const turns = state.story?.turns.length ?? 0;
  const told = state.story ? boardAfter(turns)[place] : 0;
  const sure = told > 0 && (given.table.pieces === "stones" || ["rest", "over"].includes(given.now.state));
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
    if (until < clock() || given.now.levels[place] === level) own.delete(site);
  }
});

// Beside the board --------------------------------------------------------------------------------

/**
 * How many of them `side` gains by a turn: what leaves the board of seeds, less what it adds of its own stones.
 * @param {number[]} before
 * @param {number[]} after
 * @param {number} side
 */
function gained(before, after, side) {
  /** @param {number[]} board */
  const lying = (board) => {
    if (given.table.pieces === "seeds") return board.reduce((sum, level) => sum + level, 0);
    return board.filter((level) => level === side + 1).length;
  };
  return lying(before) - lying(after);
}

/** For each turn of the story what both players had beside the board then, the start first. */
function counted() {
  const { start, turns, beside: last } = given.story;
  /** @type {number[][]} */
  const counts = [last ?? []];
  for (let made = turns.length; made > 0; made -= 1) {
    const { side, board } = turns[made - 1];
    const before = made > 1 ? turns[made - 2].board : start;
    const had = [...counts[0]];
    had[side] -= gained(before, board, side);
    counts.unshift(had);
  }
  return counts;
}

/** @type {number[][] | null} */
let known = null;

/**
 * How many pieces `side` has beside the board that is shown, in the hand left out; null in games that have none.
 * @param {number} side
 */
export function beside(side) {
  if (!state.story?.beside || !state.table) return null;
  if (state.viewing !== null) {
    known ??= counted();
    return known[state.viewing]?.[side] ?? null;
  }
  const out = state.table.hands && state.table.pieces === "stones" ? taken(side) : carriedOff(side);
  return Math.max(0, state.story.beside[side] - out);
}

/**
 * The seeds that `side` has captured by a turn that counts, and still holds.
 * @param {number} side
 */
function carriedOff(side) {
  const counts = ["rest", "over"].includes(state.now?.state ?? "") && side === state.story?.turns.at(-1)?.side;
  return counts && state.hand?.captured ? state.hand.level : 0;
}

/**
 * How many stones of `side` the hand has taken from there in this turn: in the hand still, or laid.
 * @param {number} side
 */
function taken(side) {
  const held = state.hand?.from === null && state.hand.level === side + 1 ? 1 : 0;
  return held + Math.max(0, gained(sites().map(levelOf), resting(), side));
}

/**
 * How many stones of the other player `side` has captured by the turn that is shown: what is gone, less what has become
 * one of the own.
 * @param {number} side
 */
export function prisoners(side) {
  if (!state.story || given.table.pieces !== "stones") return 0;
  const { start, turns } = state.story;
  let [count, before] = [0, start];
  for (const turn of turns.slice(0, state.viewing ?? turns.length)) {
    if (turn.side === side) count += captures(before, turn.board, side);
    before = turn.board;
  }
  return count;
}

/**
 * The stones of the other player that a turn takes.
 * @param {number[]} before
 * @param {number[]} after
 * @param {number} side
 */
function captures(before, after, side) {
  const [mine, other] = [side + 1, 2 - side];
  /**
   * @param {number[]} board
   * @param {number} level
   */
  const lying = (board, level) => board.filter((each) => each === level).length;
  const turned = before.filter((level, place) => level === other && after[place] === mine).length;
  const became = Math.max(0, Math.min(turned, lying(after, mine) - lying(before, mine)));
  return Math.max(0, lying(before, other) - lying(after, other) - became);
}

on("story table", () => (known = null));
