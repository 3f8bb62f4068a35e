/**
 * Who is ahead, and why: a bar of two counts with the players' names, and a sentence; never a forecast.
 *
 * It speaks of the board as it is now, and is not to be seen while the board shows another time. The button lights the pieces
 * that count, on the table too.
 */

import { ask } from "./live.js";
import { element, find, made, refill, tell } from "./elements.js";
import { afterwards, given, mayAsk, state } from "./state.js";
import { called, text } from "./words.js";

/** @import { StandingForm } from "../types.d.ts" */

/**
 * A player's count: its share of the bar's length is that of the count, and never nothing.
 * @param {0 | 1} side
 * @param {StandingForm} standing
 */
function share(side, { counts, ahead }) {
  const part = made("span", { class: ahead === side ? "share ahead" : "share", "data-side": side });
  part.append(made("span", { class: "who", title: called(side) }, called(side)), made("b", {}, String(counts[side])));
  part.style.setProperty("--share", String(counts[side] + 1));
  return part;
}

function draw() {
  const standing = state.table?.game ? state.story?.standing : null;
  const box = element("standing");
  box.hidden = !standing;
  document.body.classList.toggle("tells", Boolean(standing));
  box.classList.toggle("away", state.viewing !== null); // it keeps its place, so that nothing moves
  if (!standing || !state.page) return;
  refill(find(".counts", HTMLElement, box), share(0, standing), share(1, standing));
  tell(find(".why", HTMLElement, box), standing.text);
  const button = find("button", HTMLButtonElement, box);
  tell(button, standing.who);
  button.title = text("standing-show");
  button.disabled = !mayAsk() || given.story.outcome !== null;
}

find("#standing button", HTMLButtonElement).addEventListener("click", () => ask({ do: "press", button: "standing" }));
afterwards("story table page viewing connected alone seats", draw);
