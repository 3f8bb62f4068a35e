/**
 * Who is ahead, and why: a bar of two counts with the players' names, and a sentence; never a forecast.
 *
 * It speaks of the board as it is now, and is not to be seen while the board shows another time. The button lights the pieces
 * that count, on the table too.
 */

import { ask } from "./live.js";
import { element, find, made, refill, tell } from "./elements.js";
import { afterwards, engineLevel, given, mayAsk, state } from "./state.js";
import { called, person, player, text } from "./words.js";

/** @import { StandingForm } from "../types.d.ts" */

/**
 * A player's count.
 * @param {0 | 1} side
 * @param {StandingForm} standing
 */
function share(side, { counts, ahead }) {
  const part = made("span", { class: ahead === side ? "share ahead" : "share" });
  part.append(made("span", { class: "who", title: called(side) }, engineLevel(side) ? player(side) : person(side)), made("b", {}, String(counts[side])));
  return part;
}

/**
 * The bar: the first player's part of it is that of all that both have, and the half where nobody has anything.
 * @param {StandingForm} standing
 */
function bar({ counts: [one, two] }) {
  const all = made("span", { class: "bar" }, made("i", {}));
  all.style.setProperty("--part", String(one + two ? one / (one + two) : 0.5));
  return all;
}

function draw() {
  const standing = state.table?.game ? state.story?.standing : null;
  const box = element("standing");
  box.hidden = !standing;
  document.body.classList.toggle("tells", Boolean(standing));
  box.classList.toggle("away", state.viewing !== null); // it keeps its place, so that nothing moves
  if (!standing || !state.page) return;
  refill(find(".counts", HTMLElement, box), share(0, standing), share(1, standing), bar(standing));
  tell(find(".why", HTMLElement, box), standing.text);
  const button = find("button", HTMLButtonElement, box);
  tell(button, standing.who);
  button.title = text("standing-show");
  button.disabled = !mayAsk() || given.story.outcome !== null;
}

find("#standing button", HTMLButtonElement).addEventListener("click", () => ask({ do: "press", button: "standing" }));
afterwards("story table page viewing connected alone seats", draw);
