/** The windows that open over the page: a new game, the rules, the keys, the end of the game. */

import { readDrawing, refill } from "./drawn.js";
import { letGo, putBack } from "./hand.js";
import { ask } from "./live.js";
import { element, on, state } from "./state.js";
import { made, player, text } from "./words.js";

const KEYS = ["arrows", "enter", "escape", "shift", "d-l", "delete", "s", "u", "e", "h"];

function opens(button, dialog, fill) {
  element(button).addEventListener("click", () => {
    fill();
    element(dialog).returnValue = "";
    element(dialog).showModal();
  });
}

// A new game ---------------------------------------------------------------------------------

function fillNew() {
  const chosen = state.table.game || state.table.games[0].name;
  const legend = element("new-games").firstElementChild;
  refill(element("new-games"), legend, ...state.table.games.map((game) => gameChoice(game, game.name === chosen)));
  element("new-set-up").checked = false;
  fillOptions();
}

function gameChoice(game, chosen) {
  const input = made("input", { type: "radio", name: "game", value: game.name });
  input.checked = chosen;
  input.addEventListener("change", fillOptions);
  const about = made("span", { class: "small" }, text(`about-${game.name}`));
  return made("label", { class: "game" }, input, made("span", {}, made("strong", {}, game.title), about));
}

function chosenGame() {
  const name = element("new").querySelector("[name=game]:checked").value;
  return state.table.games.find((game) => game.name === name);
}

function fillOptions() {
  const game = chosenGame();
  const options = Object.entries(game.options).map(([name, option]) => {
    const values = option.values.map((value) => [String(value), valueName(value)]);
    const now = game.name === state.table.game ? state.table.options[name] : undefined;
    return select(`option-${name}`, option.title, values, String(now ?? option.chosen));
  });
  const senses = game.senses.map((sense) => [sense, text(`sense-${sense}`)]);
  const sense = game.senses.includes(state.table.sense) ? state.table.sense : game.senses[0];
  if (state.table.hands) options.push(select("new-sense", text("sense"), senses, sense));
  refill(element("new-options"), ...options);
}

function valueName(value) {
  return text(`value-${value}`) || String(value);
}

function select(id, title, values, chosen) {
  const list = made("select", { id }, ...values.map(([value, name]) => made("option", { value }, name)));
  list.value = chosen;
  return made("label", { for: id }, made("span", {}, title), list);
}

function begin() {
  const game = chosenGame();
  const options = Object.entries(game.options).map(([name, option]) => {
    const chosen = element(`option-${name}`).value;
    return [name, option.values.find((value) => String(value) === chosen)];
  });
  const sense = element("new-sense")?.value ?? null;
  const setUp = element("new-set-up").checked;
  letGo();
  ask({ do: "new", game: game.name, options: Object.fromEntries(options), sense, set_up: setUp });
}

// Rules and keys -------------------------------------------------------------------------------

function fillRules() {
  const { title, rules } = state.table;
  element("rules-title").textContent = title || text("rules");
  const words = rules.length ? rules : [text("choosing")];
  refill(element("rules-text"), ...words.map((rule) => made("p", {}, rule)), ...figures());
}

/** The figures of the rules, each with its caption. */
function figures() {
  const { figures: drawings, captions = [] } = state.table;
  return drawings.map((source, place) => {
    const svg = readDrawing(source);
    return svg && made("figure", {}, svg, made("figcaption", { class: "small" }, captions[place] ?? ""));
  });
}

function fillHelp() {
  const list = made("dl", { class: "keys" });
  for (const key of KEYS) {
    list.append(made("dt", {}, made("kbd", {}, text(`key-${key}`))), made("dd", {}, text(`key-${key}-does`)));
  }
  const hands = ["help-hands", "help-lights", "help-table"].map((name) => made("p", {}, text(name)));
  refill(element("help-text"), ...hands, made("h3", {}, text("keys")), made("p", {}, text("help-keys")), list);
}

// The end ----------------------------------------------------------------------------------------

function fillEnd() {
  const ways = [[0, "resign"], [1, "resign"], [null, "draw"]];
  refill(element("end-ways"), ...ways.map(([side, name]) => endButton(side, name)));
}

function endButton(side, name) {
  const button = made("button", { value: "ok" }, text(name, { player: side === null ? "" : player(side) }));
  button.addEventListener("click", () => {
    putBack();
    ask({ do: "end", resigns: side });
  });
  return button;
}

opens("open-new", "new", fillNew);
opens("choose-new", "new", fillNew);
opens("open-rules", "rules", fillRules);
opens("open-help", "help", fillHelp);
opens("open-end", "end", fillEnd);
element("new").addEventListener("close", () => element("new").returnValue === "ok" && begin());
let language = "";

/** What an open window says was filled in another language. */
function closeStrange() {
  if (language !== state.page.language) document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close(""));
  language = state.page.language;
}

on("page", closeStrange);
