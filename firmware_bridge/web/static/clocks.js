/**
 * The clocks of both players, by their names. The table tells when one begins to run or stands; between that this page
 * counts by itself. And how time is chosen for a new game.
 */

import { shown, told } from "./counting.js";
import { all, element, find, made, refill } from "./elements.js";
import { afterwards, clock, given, state } from "./state.js";
import { called, text } from "./words.js";

/** @import { ClocksForm } from "../types.d.ts" */

/** Times that are offered, as players write them; the first is none. */
const OFFERED = ["", "3+2", "5", "10", "10+5", "15+10", "30", "10+3x30", "30+5x60"];
const OWN = "own";
/** As firmware_bridge/clocks/clock.py reads it; what is out of bounds the table refuses in a sentence. */
const FORM = "\\d{1,3}(\\.\\d{1,2})?(\\+(\\d{1,2}x)?\\d{1,3})?";

let ticking = 0;

function draw() {
  clearTimeout(ticking);
  const { now, table } = state;
  const clocks = table?.game && state.page ? now?.clocks : null;
  document.body.classList.toggle("timed", Boolean(clocks));
  for (const each of all("#whose .clock", HTMLElement)) {
    each.hidden = !clocks;
    if (clocks) drawClock(each, clocks);
  }
  if (clocks && clocks.since !== null) ticking = setTimeout(draw, 100);
}

/**
 * @param {HTMLElement} each
 * @param {ClocksForm} clocks
 */
function drawClock(each, clocks) {
  const side = Number(each.parentElement?.dataset.side);
  const at = given.now.clock + clock() - state.received;
  const [seconds, periods] = shown(clocks, side, at);
  const runs = clocks.since !== null && clocks.side === side;
  each.classList.toggle("runs", runs);
  each.classList.toggle("stands", clocks.begun && clocks.since === null && clocks.side === side && !state.story?.outcome);
  each.classList.toggle("low", runs && ["low", "last"].includes(given.now.pace));
  const words = told(seconds);
  const more = periods ? text("clock-periods-left", { count: periods, seconds: clocks.period }) : "";
  const whose = text("clock-of", { player: called(side) });
  const key = `${words} ${more} ${whose}`;
  if (each.dataset.told === key) return;
  each.dataset.told = key;
  each.setAttribute("aria-label", whose);
  refill(each, made("b", {}, words), more ? made("small", {}, more) : null);
}

afterwards("now table page story viewing connected", draw);

// For a new game ------------------------------------------------------------------------------------

/**
 * A time control in words.
 * @param {string} control
 */
function described(control) {
  if (!control) return text("clock-none");
  const [minutes, after = ""] = control.split("+");
  const [count, seconds] = after.split("x");
  if (seconds) return text("clock-periods", { minutes, count, seconds });
  return after ? text("clock-increment", { minutes, seconds: after }) : text("clock-minutes", { minutes });
}

/** Offer times for a new game: the one of the game in hand is chosen. */
export function fillTimes() {
  const now = given.table.clock;
  const offered = OFFERED.includes(now) ? OFFERED : [...OFFERED, now];
  const options = offered.map((each) => made("option", { value: each }, described(each)));
  const list = made("select", { id: "new-clock" }, ...options, made("option", { value: OWN }, text("clock-own")));
  list.value = now;
  const own = made("input", { id: "own-clock", maxlength: 16, autocomplete: "off", spellcheck: "false", "aria-describedby": "own-means", pattern: FORM });
  own.required = true;
  own.title = text("clock-own-means");
  own.value = now || "10+5";
  const means = made("p", { class: "small", id: "own-means" }, text("clock-own-means"));
  const line = made("label", { for: "own-clock" }, made("span", {}, text("clock-own")), own);
  const offer = () => {
    [line, means].forEach((each) => (each.hidden = list.value !== OWN));
    own.disabled = list.value !== OWN;
  };
  list.addEventListener("change", () => {
    offer();
    if (!own.disabled) own.focus();
  });
  refill(element("new-time"), made("label", { for: "new-clock" }, made("span", {}, text("clock")), list), line, means);
  offer();
}

/** The time that is chosen for the new game. */
export function chosenTime() {
  const { value } = find("#new-clock", HTMLSelectElement);
  return value === OWN ? find("#own-clock", HTMLInputElement).value.trim() : value;
}
