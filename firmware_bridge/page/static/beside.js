/** Pieces beside the board: how many each player has now, in the hand left out, or had after an earlier turn. */

import { levelOf, resting, sites } from "./shown.js";
import { on, state } from "./state.js";

/** How many of them `side` gains by a turn: what leaves the board of seeds, less what it adds of its own stones. */
function gained(before, after, side) {
  const own = (board) => {
    if (state.table.pieces === "seeds") return board.reduce((sum, level) => sum + level, 0);
    return board.filter((level) => level === side + 1).length;
  };
  return own(before) - own(after);
}

/** For each turn of the story what both players had beside the board then, the start first. */
function counted() {
  const { start, turns, beside: last } = state.story;
  const counts = [last];
  for (let made = turns.length; made > 0; made -= 1) {
    const { side, board } = turns[made - 1];
    const before = made > 1 ? turns[made - 2].board : start;
    const had = [...counts[0]];
    had[side] -= gained(before, board, side);
    counts.unshift(had);
  }
  return counts;
}

let known = null;

/** How many pieces `side` has beside the board that is shown; null in games that have none. */
export function beside(side) {
  if (!state.story?.beside || !state.table) return null;
  if (state.viewing !== null) {
    known ??= counted();
    return known[state.viewing]?.[side] ?? null;
  }
  const out = state.table.hands && state.table.pieces === "stones" ? taken(side) : 0;
  return Math.max(0, state.story.beside[side] - out);
}

/** How many stones of `side` the hand has taken from there in this turn: in the hand still, or laid. */
function taken(side) {
  const held = state.hand?.from === null && state.hand.level === side + 1 ? 1 : 0;
  return held + Math.max(0, gained(sites().map(levelOf), resting(), side));
}

on("story table", () => (known = null));
