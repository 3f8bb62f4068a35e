/**
 * Looking back: the board as it was after any turn, by a slider, buttons and keys. It is a view of this browser alone; the table
 * goes on, and one way leads back to it.
 */

import { all, element, find } from "./elements.js";
import { afterwards, change, given, state } from "./state.js";
import { called, text } from "./words.js";

/**
 * Where each button leads from the turn looked at, of so many.
 * @type {Record<string, (at: number, last: number) => number | null>}
 */
const LOOKS = {
  start: () => 0,
  back: (at) => Math.max(0, at - 1),
  on: (at, last) => ahead(at + 1, last),
  last: (_, last) => ahead(last, last),
  now: () => null,
};
/** Keys that step, wherever no field and no board wants arrows for itself. */
/** @type {Record<string, "back" | "on">} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", ",": "back", ".": "on" };

/**
 * The turn to look at: after the last one of a game in play the board is as it is now.
 * @param {number} turn
 * @param {number} last
 */
function ahead(turn, last) {
  if (turn < last) return turn;
  return state.story?.outcome || state.opened ? last : null;
}

/**
 * Look at the board after `turn` turns; null for the board as it is now.
 * @param {number | null} turn
 */
export function look(turn) {
  if (turn !== state.viewing) change({ viewing: turn });
}

/** @param {string} way */
function step(way) {
  if (!state.story?.turns.length || !state.table?.board) return;
  const last = state.story.turns.length;
  look(LOOKS[way](state.viewing ?? last, last));
}

function slider() {
  return find("#scrub", HTMLInputElement);
}

function draw() {
  const { story, viewing } = state;
  const last = story?.turns.length ?? 0;
  const at = viewing ?? last;
  slider().max = String(last);
  slider().value = String(at);
  slider().setAttribute("aria-valuetext", told(at));
  keepFocus(viewing !== null);
  document.body.classList.toggle("past", viewing !== null);
  /** @type {Record<string, boolean>} */
  const can = { start: at > 0, back: at > 0, on: ahead(at + 1, last) !== viewing, last: ahead(last, last) !== viewing, now: true };
  for (const each of all("[data-look]", HTMLButtonElement)) each.disabled = !last || !can[each.dataset.look ?? ""];
}

/**
 * A turn in words, for those who hear the slider.
 * @param {number} at
 */
function told(at) {
  const { story } = state;
  const turn = story?.turns[at - 1];
  if (!story || !turn) return text("look-start");
  const line = text("turn-line", { number: story.before + at, player: called(turn.side), turn: turn.text });
  return [line, state.review?.moments[story.before + at]?.word].filter(Boolean).join(" ");
}

/**
 * What had the focus is about to vanish: the button that leads back again has it then.
 * @param {boolean} past
 */
function keepFocus(past) {
  const active = document.activeElement;
  if (!past && active?.closest("#scrubber, .back-and-on")) find('[data-look="back"]', HTMLButtonElement).focus({ preventScroll: true });
}

/** Say why nothing can be moved now. */
function remind() {
  if (state.viewing === null || !given.table.hands) return;
  change({ complaint: { text: text("now-only", { button: text("back-to-now") }), urgent: false } });
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !(target instanceof Element)) return;
  if (document.querySelector("dialog[open]") || document.body.matches(".starting")) return;
  if (key === "Escape" && state.viewing !== null) return look(null);
  const taken = `input:not(#scrub), select, textarea${key.length > 1 ? ", #scrub, #board *" : ""}`; // else arrows are theirs
  if (!(key in KEYS) || target.matches(taken)) return;
  step(KEYS[key]);
  event.preventDefault();
}

for (const each of all("[data-look]", HTMLButtonElement)) {
  each.addEventListener("click", () => step(each.dataset.look ?? "now"));
}
slider().addEventListener("input", () => look(Number(slider().value)));
slider().addEventListener("change", () => look(ahead(Number(slider().value), given.story.turns.length)));
addEventListener("keydown", keyed);
element("board").addEventListener("pointerdown", remind);
element("board").addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && remind());
afterwards("viewing story table page review", draw);
