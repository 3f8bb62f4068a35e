/** Everything beside the board that is pressed or chosen, and what is said of the line to the table. */

import { element, made, refill, unbroken } from "./elements.js";
import { letGo, putBack, readyFor, sowing } from "./hand.js";
import { ask, hello, hurry, remember } from "./live.js";
import { reveal } from "./scrolling.js";
import { mistaken } from "./shown.js";
import { sown } from "./sowing.js";
import { engineLevel, mayAsk, on, state } from "./state.js";
import { fillWords, text } from "./words.js";

const MODES = ["coach", "referee", "quiet"];
const HINTS = ["off", "button", "always"];

/** Press a button of the table: "done", "undo" or "hint". */
export function press(button) {
  if (!mayAsk() || !readyFor(button)) return;
  ask({ do: "press", button });
}

function mishap(what) {
  if (what === "tidy") letGo();
  else putBack();
  ask({ do: "mishap", what });
  reveal();
}

function every(selector, act) {
  document.querySelectorAll(selector).forEach(act);
}

/** Fill a list of choices, unless it shows them already. */
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
  element("title").textContent = table.title;
  document.title = table.title ? `${table.title} – Tablelight` : "Tablelight";
  choices(element("mode"), MODES.map((mode) => [mode, text(`mode-${mode}`)]), table.mode);
  element("mode-means").textContent = text(`mode-${table.mode}-means`);
  choices(element("hints"), HINTS.map((hints) => [hints, text(`hints-${hints}`)]), table.hints);
  element("simulated").hidden = !table.hands;
  const senses = table.games.find((game) => game.name === table.game)?.senses ?? [table.sense];
  choices(element("sense"), senses.map((sense) => [sense, text(`sense-${sense}`)]), table.sense);
  element("sense-means").textContent = text(`sense-${table.sense}-means`);
  element("record").hidden = !table.record;
  element("no-record").hidden = table.record || !table.game;
}

/** The result, once, and what may be done after it. */
function drawEnd() {
  const outcome = state.story?.outcome ?? "";
  document.body.classList.toggle("ended", Boolean(outcome));
  const past = state.viewing !== null; // then another turn is spoken of
  element("outcome").hidden = !outcome || past;
  unbroken(element("outcome"), outcome);
  element("play-again").hidden = !outcome || past || !state.page?.may;
  element("report").hidden = !outcome || past || !state.table?.record;
  if (state.page) element("report").href = `/report?language=${state.page.language}`;
}

function drawPage() {
  if (!state.page) return;
  document.documentElement.lang = state.page.language;
  fillWords();
  choices(element("language"), Object.entries(state.page.languages), state.page.language);
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
  element("cable").textContent = text(blind ? "plug" : "unplug");
  const wrong = ["astray", "setting", "which"].includes(state.now.state) || mistaken();
  const past = state.viewing !== null;
  element("tidy-now").hidden = !(helps && wrong) || past;
  element("plug-now").hidden = !(helps && blind) || past;
  const whole = state.now.state === "complete" || (state.now.state === "which" && !anyAsked());
  const ready = whole && !state.hand && !state.making && !astraySown();
  every('[data-press="done"]', (each) => each.classList.toggle("next", ready));
}

/** Whether seeds lie otherwise than any whole turn leaves them, which their sensors may not tell. */
function astraySown() {
  if (!sowing() || !state.table.hands || !state.story) return false;
  const way = sown();
  return !way || way.done < way.steps.length;
}

function anyAsked() {
  return Object.values(state.now.cues).some((cue) => cue.kind === "ask");
}

/** What may be pressed now. */
function allow() {
  const may = mayAsk();
  const playing = may && Boolean(state.table?.game);
  const over = state.now?.state === "over";
  element("open-rules").disabled = !state.table;
  every("[data-press], [data-mishap], #mode, #sense, #hints", (each) => (each.disabled = !playing));
  every("[data-press]", (each) => (each.disabled = !playing || state.viewing !== null));
  if (over) every('[data-press="done"], [data-press="hint"]', (each) => (each.disabled = true));
  const idle = whyNoHint();
  const hint = document.querySelector('[data-press="hint"]');
  hint.disabled ||= Boolean(idle);
  hint.title = idle || text("hint-means");
  element("open-new").disabled = !may || !state.table;
  element("choose-new").hidden = !may || state.now?.state !== "choosing";
  element("open-end").disabled = !playing || over;
}

/** Why the Hint button would do nothing; empty if it would do something. */
function whyNoHint() {
  const { table, now, story } = state;
  if (!table || !now || story?.outcome) return "";
  if (engineLevel(now.side)) return text("hint-engine");
  if (table.mode !== "coach") return "";
  if (table.hints === "off") return text("hint-off");
  return table.hints === "always" ? text("hint-always") : "";
}

function drawLine() {
  document.body.dataset.connected = state.connected ? "yes" : "no";
  const sentence = !state.connected ? text("lost") : state.alone ? text("alone") : "";
  element("connection").hidden = !sentence;
  element("connection").textContent = sentence;
}

function choose(id, what) {
  element(id).addEventListener("change", (event) => what(event.target.value));
}

function sendToken(event) {
  event.preventDefault();
  remember("token", element("token").value.trim());
  element("token").value = "";
  hello();
}

every("[data-press]", (each) => each.addEventListener("click", () => press(each.dataset.press)));
every("[data-mishap]", (each) => each.addEventListener("click", () => mishap(each.dataset.mishap)));
choose("mode", (mode) => ask({ do: "show", mode }));
choose("hints", (hints) => ask({ do: "hints", hints }));
choose("sense", (sense) => {
  putBack();
  ask({ do: "sense", sense });
});
choose("language", (language) => {
  remember("language", language);
  hello();
});
element("token-form").addEventListener("submit", sendToken);
addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => document.hidden || hurry());
on("page", drawPage);
on("table", drawTable);
on("now page table story hand making viewing", drawNow);
on("page table now story viewing connected alone", allow);
on("story table page viewing", drawEnd);
on("connected alone page", drawLine);
