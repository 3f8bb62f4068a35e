/** From where the board is seen: from any side of the table, by quarters. This browser keeps it. */

import { element } from "./elements.js";
import { turnedBoard } from "./geometry.js";
import { change, state } from "./state.js";

function recall() {
  try {
    return Number(localStorage.getItem("quarters")) & 3;
  } catch {
    return 0; // a browser that keeps nothing
  }
}

/**
 * See the board from the side that is so many quarters on from the first player's, against the clock.
 * @param {number} quarters
 */
export function seeFrom(quarters) {
  const { table } = state;
  const board = table?.board && turnedBoard(table.board, (quarters - state.quarters) & 3);
  try {
    localStorage.setItem("quarters", String(quarters));
  } catch {
    // for as long as the page is open, then
  }
  change({ quarters, ...(table && board ? { table: { ...table, board } } : {}) });
}

state.quarters = recall();
element("turn-board").addEventListener("click", () => seeFrom((state.quarters + 1) & 3));
