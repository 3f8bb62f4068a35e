/** Everything beside the board that is pressed or chosen, and what is said of the line to the table. */

import { refill } from "./drawn.js";
import { letGo, putBack } from "./hand.js";
import { ask, hello, hurry, remember } from "./live.js";
import { mistaken } from "./shown.js";
import { element, mayAsk, on, state } from "./state.js";
import { fillWords, made, text } from "./words.js";

const MODES = ["coach", "referee", "quiet"];

/** Press a button of the table: "done", "undo" or "hint". */
export function press(button) {
  if (!mayAsk()) return;
  if (button !== "hint") putBack();
  ask({ do: "press", button });
}

function mishap(what) {
  if (what === "tidy") letGo();
  else putBack();
  ask({ do: "mishap", what });
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
  element("simulated").hidden = !table.hands;
  const senses = table.games.find((game) => game.name === table.game)?.senses ?? [table.sense];
  choices(element("sense"), senses.map((sense) => [sense, text(`sense-${sense}`)]), table.sense);
  element("sense-means").textContent = text(`sense-${table.sense}-means`);
  element("record").hidden = !table.record;
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
  document.body.dataset.state = state.now.state;
  element("cable").dataset.mishap = blind ? "plug" : "unplug";
  element("cable").textContent = text(blind ? "plug" : "unplug");
  const wrong = ["astray", "setting"].includes(state.now.state) || mistaken();
  element("tidy-now").hidden = !(state.table?.hands && state.page?.may && wrong);
  const whole = state.now.state === "complete" || (state.now.state === "which" && !anyAsked());
  const ready = whole && !state.hand && !state.making;
  every('[data-press="done"]', (each) => each.classList.toggle("next", ready));
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
  every("[data-press], [data-mishap], #mode, #sense", (each) => (each.disabled = !playing));
  element("open-new").disabled = !may || !state.table;
  element("choose-new").hidden = !may || state.now?.state !== "choosing";
  element("open-end").disabled = !playing || over;
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
on("now page table story hand making", drawNow);
on("page table now connected alone", allow);
on("connected alone page", drawLine);
