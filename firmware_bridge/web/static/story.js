/** The list of turns; each leads to the board as it was after it. */

import { all, element, made, refill } from "./elements.js";
import { look } from "./scrub.js";
import { afterwards, state } from "./state.js";
import { called, ownName, text } from "./words.js";

/** @import { TurnForm } from "../types.d.ts" */

/** What the list shows. */
let listed = "";

function drawTurns() {
  if (!state.story || !state.table) return;
  const { turns, before } = state.story;
  const list = element("turns");
  list.classList.toggle("named", [0, 1].some(ownName));
  const key = JSON.stringify([state.page?.language, called(0), called(1), before, turns.map((turn) => turn.text)]);
  if (key === listed) return;
  listed = key;
  const active = document.activeElement;
  const stays = active instanceof HTMLElement && list.contains(active) ? active.dataset.turn : null;
  refill(list, ...turns.map((turn, place) => turnItem(turn, place + 1, before)));
  if (stays) all(`[data-turn="${stays}"]`, HTMLElement, list).at(0)?.focus();
  mark();
}

/**
 * @param {TurnForm} turn
 * @param {number} count
 * @param {number} before
 */
function turnItem(turn, count, before) {
  const words = text("turn-line", { number: before + count, player: called(turn.side), turn: "\n" }).split("\n");
  const whole = made("span", { class: "whole" }, turn.text); // or a line would break behind its hyphen
  const button = made("button", { type: "button", "data-turn": count }, words[0], whole, words[1] ?? "");
  button.addEventListener("click", () => look(count));
  return made("li", {}, button);
}

/** Mark the turn looked at. What was done in it is said by head.js. */
function mark() {
  const { viewing, story } = state;
  const at = viewing ?? story?.turns.length ?? 0;
  for (const each of all("#turns button", HTMLElement)) {
    const here = Number(each.dataset.turn) === at;
    each.toggleAttribute("data-here", here);
    if (here) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
    if (here) reveal(each);
  }
}

/**
 * Scroll the list, and nothing else, to where `button` is: whole lines, that before it the first.
 * @param {HTMLElement} button
 */
function reveal(button) {
  const list = element("turns");
  const top = button.offsetTop - list.offsetTop;
  if (top >= list.scrollTop && top + button.offsetHeight <= list.scrollTop + list.clientHeight) return;
  const before = [...list.querySelectorAll("button")].findLast((each) => each.offsetTop < button.offsetTop);
  list.scrollTop = (before ?? button).offsetTop - list.offsetTop;
}

afterwards("story table page seats", drawTurns);
afterwards("viewing", mark);
