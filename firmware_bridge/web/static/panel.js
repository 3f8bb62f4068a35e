/** What is pressed or chosen beside the board, and what is said of the line. */

import { all, element, find, made, refill, tell, unbroken } from "./elements.js";
import { letGo, putBack, readyFor, sowing } from "./hand.js";
import { ask, hello, hurry, remember } from "./live.js";
import { reveal } from "./scrolling.js";
import { mistaken, resting, righted } from "./shown.js";
import { sown } from "./sowing.js";
import { afterwards, engineLevel, given, mayAct, mayAsk, on, state } from "./state.js";
import { fillWords, person, text } from "./words.js";

/** @import { Mishap, Press } from "../types.d.ts" */

const MODES = /** @type {const} */ (["coach", "referee", "quiet"]);
const HINTS = /** @type {const} */ (["off", "button", "always"]);
const CARRIERS = /** @type {const} */ (["hand", "me"]);
const SENSES = /** @type {const} */ (["presence", "colour", "count"]);
const BUTTONS = /** @type {const} */ (["done", "undo", "hint"]);
const MISHAPS = /** @type {const} */ (["bump", "knock-over", "unplug", "plug", "tidy"]);

/**
 * Press a button of the table: "done", "undo" or "hint".
 * @param {Press["button"]} button
 */
export function press(button) {
  if (!mayAsk() || !readyFor(button)) return;
  ask({ do: "press", button });
}

/** @param {Mishap["what"]} what */
function mishap(what) {
  if (what === "tidy") letGo();
  else putBack();
  ask({ do: "mishap", what });
  reveal();
}

/**
 * Fill a list of choices, unless it shows them already.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} values
 * @param {string} chosen
 */
function choices(select, values, chosen) {
  const key = JSON.stringify(values);
  if (select.dataset.values !== key) {
    select.dataset.values = key;
    refill(select, ...values.map(([value, name]) => made("option", { value }, name)));
  }
  if (document.activeElement !== select || select.value !== chosen) select.value = chosen;
}

function drawTable() {
  const { page, table } = state;
  if (!page || !table) return;
  document.body.dataset.game = table.game;
  document.body.classList.toggle("pushes", table.pushes);
  document.body.classList.toggle("sows", table.pieces === "seeds");
  document.body.classList.toggle("stores", Boolean(table.board?.stores));
  const title = table.offered ? "" : table.title; // nobody has chosen it
  element("title").textContent = title;
  document.title = title ? `${title} – Tablelight` : "Tablelight";
  choices(find("#mode", HTMLSelectElement), MODES.map((mode) => [mode, text(`mode-${mode}`)]), table.mode);
  element("mode-means").textContent = text(`mode-${table.mode}-means`);
  choices(find("#hints", HTMLSelectElement), HINTS.map((hints) => [hints, text(`hints-${hints}`)]), table.hints);
  element("workshop").hidden = !table.hands;
  element("carrying").hidden = !table.hands;
  const who = CARRIERS.map((each) => /** @type {[string, string]} */ ([each, text(`carry-${each}`)]));
  choices(find("#carry", HTMLSelectElement), who, table.carried ? "hand" : "me");
  const senses = table.games.find((game) => game.name === table.game)?.senses ?? [table.sense];
  choices(find("#sense", HTMLSelectElement), senses.map((sense) => [sense, text(`sense-${sense}`)]), table.sense);
  element("sense-means").textContent = text(`sense-${table.sense}-means`);
  element("record").hidden = !table.record;
  element("no-record").hidden = table.record || !table.game;
}

const POINTS = ["1 - 0", "0 - 1"];

/** The result as tournaments write it, where players have names. */
function result() {
  const { story, table } = state;
  if (!story?.outcome || !table?.people.some(Boolean)) return "";
  return `${person(0)} ${story.winner === null ? "½ - ½" : POINTS[story.winner]} ${person(1)}`;
}

/** The result, and at once what may be done after it: a button that joins others moves them. */
function drawEnd() {
  const outcome = state.story?.outcome ?? "";
  document.body.classList.toggle("ended", Boolean(outcome));
  const past = state.viewing !== null; // then another turn is spoken of
  element("outcome").hidden = !outcome || past;
  unbroken(element("outcome"), [outcome, result()].filter(Boolean).join(" "));
  element("play-again").hidden = !outcome || past || !state.page?.may || Boolean(state.table?.lesson); // that has its own way on
  element("explain").hidden = !outcome || !state.table?.record || state.review !== null;
}

function drawPage() {
  if (!state.page) return;
  document.documentElement.lang = state.page.language;
  const { language, past, badge } = state.page;
  if (badge) document.cookie = `tablelight-${location.port}=${badge}; path=/; SameSite=Strict`;
  for (const link of all(".to-past", HTMLAnchorElement)) {
    link.href = `/games?language=${language}`;
    link.hidden = !past;
  }
  fillWords();
  choices(find("#language", HTMLSelectElement), Object.entries(state.page.languages), state.page.language);
  element("watching").hidden = state.page.may;
  element("token-form").hidden = !state.page.token;
  drawTable();
}

function drawNow() {
  if (!state.now) return;
  const blind = state.now.state === "blind";
  const helps = Boolean(state.table?.hands && state.page?.may);
  document.body.dataset.state = state.now.state;
  element("cable").dataset.mishap = blind ? "plug" : "unplug";
  tell(element("cable"), text(blind ? "plug" : "unplug"));
  const wrong = ["astray", "setting", "which"].includes(state.now.state) || mistaken();
  const past = state.viewing !== null;
  element("tidy-now").hidden = !(helps && wrong) || past || righted();
  element("plug-now").hidden = !(helps && blind) || past;
  const whole = state.now.state === "complete" || (state.now.state === "which" && !anyAsked());
  const ready = (whole && !state.hand && !state.making && !astraySown()) || state.now.asked;
  find('[data-press="done"]', HTMLButtonElement).classList.toggle("next", ready);
}

/** Whether seeds lie otherwise than any whole turn leaves them, which sensors may not tell. */
function astraySown() {
  if (!sowing() || !given.table.hands || !state.story) return false;
  const way = sown();
  return !way || way.done < way.steps.length;
}

function anyAsked() {
  return Object.values(given.now.cues).some((cue) => cue.kind === "ask");
}

/** What may be pressed now. */
function allow() {
  const may = mayAsk();
  const playing = may && Boolean(state.table?.game);
  const over = state.now?.state === "over";
  find("#open-rules", HTMLButtonElement).disabled = !state.table;
  for (const each of all("#mode, #sense, #hints, #carry", HTMLSelectElement)) each.disabled = !playing;
  for (const each of all("[data-mishap]", HTMLButtonElement)) each.disabled = !playing;
  for (const each of all("[data-press]", HTMLButtonElement)) {
    const others = !mayAct() && each.dataset.press !== "undo"; // the other player's turn; Undo is asked for
    const after = each.dataset.press === "undo" || state.now?.asked; // what may be pressed when the game is over
    each.disabled = !playing || others || state.viewing !== null || (over && !after);
  }
  const still = untouched() && !state.now?.asked;
  find('[data-press="done"]', HTMLButtonElement).disabled ||= still;
  find('[data-press="undo"]', HTMLButtonElement).disabled ||= still && !given.story.turns.length;
  const idle = whyNoHint();
  const hint = find('[data-press="hint"]', HTMLButtonElement);
  hint.disabled ||= Boolean(idle);
  hint.title = idle || text("hint-means");
  find("#open-new", HTMLButtonElement).disabled = !may || !state.table;
  element("choose-new").hidden = !may || state.now?.state !== "choosing";
  find("#open-end", HTMLButtonElement).disabled = !playing || over;
}

/** Whether no hand of the page has done anything to tell of; where one may pass, Done does. */
function untouched() {
  const { hand, now, story, table, trail } = state;
  const passes = story?.ways.some(({ acts }) => !acts.length);
  if (!table?.hands || !story || now?.state !== "rest" || hand || trail.length || passes || table.lesson?.solved) return false;
  return resting().every((level, place) => level === now.levels[place]); // else a hand has, and sensors have not told
}

/** Why the Hint button would do nothing; empty if it would do something. */
function whyNoHint() {
  const { table, now, story } = state;
  if (!table || !now || story?.outcome) return "";
  if (engineLevel(now.side)) return text("hint-engine");
  const alone = (state.seats?.mine ?? null) !== null; // told to this seat only: the lights of the table show nothing else
  if (table.mode !== "coach" && !alone) return "";
  if (table.hints === "off") return text("hint-off");
  return table.hints === "always" ? text("hint-always") : "";
}

function drawLine() {
  document.body.dataset.connected = state.connected ? "yes" : "no";
  const sentence = !state.connected ? text(state.away ? "away" : "lost") : state.alone ? text("alone") : "";
  element("connection").hidden = !sentence;
  element("connection").textContent = sentence;
}

/**
 * Have `what` hear which of `values` is chosen in the list with this id.
 * @template {string} V
 * @param {string} id
 * @param {readonly V[]} values
 * @param {(value: V) => void} what
 */
function choose(id, values, what) {
  const list = find(`#${id}`, HTMLSelectElement);
  list.addEventListener("change", () => {
    const value = values.find((each) => each === list.value);
    if (value) what(value);
  });
}

/**
 * Open or close the menu of a narrow window; it stays in sight in a wide one.
 * @param {boolean} open
 */
function menu(open) {
  element("menu").classList.toggle("open", open);
  element("open-menu").setAttribute("aria-expanded", String(open));
}

/** @param {Event} event */
function sendToken(event) {
  event.preventDefault();
  const token = find("#token", HTMLInputElement);
  remember("token", token.value.trim());
  token.value = "";
  hello();
}

for (const each of all("[data-press]", HTMLElement)) {
  const button = BUTTONS.find((name) => name === each.dataset.press);
  if (button) each.addEventListener("click", () => press(button));
}
for (const each of all("[data-mishap]", HTMLElement)) {
  each.addEventListener("click", () => {
    const what = MISHAPS.find((name) => name === each.dataset.mishap); // the cable's changes
    if (what) mishap(what);
  });
}
choose("mode", MODES, (mode) => ask({ do: "show", mode }));
choose("hints", HINTS, (hints) => ask({ do: "hints", hints }));
choose("carry", CARRIERS, (who) => ask({ do: "carry", alone: who === "hand" }));
choose("sense", SENSES, (sense) => {
  putBack();
  ask({ do: "sense", sense });
});
element("language").addEventListener("change", () => {
  remember("language", find("#language", HTMLSelectElement).value);
  hello();
});
element("open-menu").addEventListener("click", () => menu(!element("menu").classList.contains("open")));
addEventListener("click", ({ target }) => {
  if (target instanceof Element && !target.closest("#menu select, #open-menu")) menu(false);
});
addEventListener("keydown", ({ key }) => key === "Escape" && menu(false));
element("token-form").addEventListener("submit", sendToken);
addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => document.hidden || hurry());
on("page", drawPage);
on("table", drawTable);
afterwards("now said page table story hand making viewing", drawNow);
afterwards("page table now story hand trail viewing connected alone seats", allow);
afterwards("story table page viewing review", drawEnd);
on("connected alone away page", drawLine);
