/** The turns of the game, and the board as it was after any of them. */

import { all, element, made, refill } from "./elements.js";
import { change, given, on, state } from "./state.js";
import { player, text } from "./words.js";

/** @import { TurnForm } from "../types.d.ts" */

/** @type {Record<string, (at: number, last: number) => number | null>} */
const LOOKS = {
  start: () => 0,
  back: (at) => Math.max(0, at - 1),
  on: (at, last) => (at + 1 >= last ? null : at + 1),
  now: () => null,
};

/**
 * Look at the board after `turn` turns; null for the board as it is now.
 * @param {number | null} turn
 */
function look(turn) {
  change({ viewing: turn });
}

/** @param {string} way */
function step(way) {
  if (!state.story || !state.table?.board) return;
  const last = state.story.turns.length;
  look(LOOKS[way](state.viewing ?? last, last));
}

function drawTurns() {
  if (!state.story || !state.table) return;
  const { turns, before } = state.story;
  const list = element("turns");
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
  const words = text("turn-line", { number: before + count, player: player(turn.side), turn: "\n" }).split("\n");
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
  document.body.classList.toggle("past", viewing !== null);
  element("back-to-now").hidden = viewing === null;
  allow(at);
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

/** @param {number} at */
function allow(at) {
  const { viewing, story } = state;
  /** @type {Record<string, boolean>} */
  const can = { start: at > 0, back: at > 0, on: viewing !== null, now: viewing !== null };
  for (const each of all("[data-look]", HTMLButtonElement)) {
    each.disabled = !story?.turns.length || !can[each.dataset.look ?? ""];
  }
}

/** Say why nothing can be moved now. */
function remind() {
  if (state.viewing === null || !given.table.hands) return;
  change({ complaint: { text: text("now-only", { button: text("back-to-now") }), urgent: false } });
}

for (const each of all("[data-look]", HTMLButtonElement)) {
  each.addEventListener("click", () => step(each.dataset.look ?? "now"));
}
element("back-to-now").addEventListener("click", () => look(null));
element("board").addEventListener("pointerdown", remind);
element("board").addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && remind());
on("story table page", drawTurns);
on("viewing", mark);
