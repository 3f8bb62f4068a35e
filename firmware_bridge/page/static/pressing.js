/** What becomes of what the hand holds when a button of the table is pressed. */

import { complain, letGo, putBack, sowing } from "./hand.js";
import { change, state } from "./state.js";

/**
 * A button of the table is pressed: what the hand holds is seen to first. Whether there is anything left to ask: what
 * is begun is taken back before what is done, and no turn is done with seeds still in the hand.
 */
export function readyFor(button) {
  if (button === "hint") return true;
  if (state.making) return stops(button);
  const { hand, trail } = state;
  const sows = sowing() && hand && !hand.captured;
  if (button === "done" && sows) complain("seeds-left", { count: hand.level });
  else if (button === "undo" && (trail.length || (hand && hand.from !== null))) putBack();
  else if (!sowing()) return putBack(), true;
  else return change({ hand: null }), true;
  return false;
}

/** The hand that moves by itself is stopped by Undo alone: it puts back what it has done. */
function stops(button) {
  if (button !== "undo") {
    complain("still-making", {}, false);
    return false;
  }
  letGo();
  change({ making: false });
  return true;
}
