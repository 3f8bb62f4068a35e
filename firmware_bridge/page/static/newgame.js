/** The window in which a new game is chosen: which, how, and who plays. */

import { refill } from "./drawn.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { opens } from "./opening.js";
import { reveal } from "./panel.js";
import { element, state } from "./state.js";
import { made, text } from "./words.js";

/** Who plays, by the names of the sentences; whether the engine plays whoever begins, and the other. */
const WHO = { people: [0, 0], you: [0, 1], it: [1, 0], both: [1, 1] };
const LEVELS = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const USUAL_LEVEL = 3;

function fill() {
  const chosen = state.table.game || state.table.games[0].name;
  const legend = element("new-games").firstElementChild;
  refill(element("new-games"), legend, ...state.table.games.map((game) => gameChoice(game, game.name === chosen)));
  element("new-set-up").checked = false;
  element("new-drops").hidden = !state.story?.turns.length || Boolean(state.story.outcome);
  element("new-drops").textContent = text(state.table.record ? "drops-kept" : "drops-lost");
  fillWho();
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

// How it is played ---------------------------------------------------------------------------

function fillOptions() {
  const game = chosenGame();
  const options = Object.entries(game.options).map(([name, option]) => {
    const values = option.values.map((value) => [String(value), text(`value-${value}`) || String(value)]);
    const now = game.name === state.table.game ? state.table.options[name] : undefined;
    return select(`option-${name}`, text(`option-${name}`) || option.title, values, String(now ?? option.chosen));
  });
  const senses = game.senses.map((sense) => [sense, text(`sense-${sense}`)]);
  if (state.table.hands) options.push(select("new-sense", text("sense"), senses, usualSense(game)));
  refill(element("new-options"), ...options);
  element("new-players").hidden = !game.engine;
}

/** As much as there is to sense, in this game as in the one in hand; less where the player has chosen less. */
function usualSense({ senses }) {
  const [least, most] = senses;
  return state.table.sense === least ? least : most;
}

function select(id, title, values, chosen) {
  const list = made("select", { id }, ...values.map(([value, name]) => made("option", { value }, name)));
  list.value = chosen;
  return made("label", { for: id }, made("span", {}, title), list);
}

function optionsOf(game) {
  const chosen = Object.entries(game.options).map(([name, option]) => {
    const value = element(`option-${name}`).value;
    return [name, option.values.find((each) => String(each) === value)];
  });
  return Object.fromEntries(chosen);
}

// Who plays ----------------------------------------------------------------------------------

function fillWho() {
  const now = state.table.levels ?? [0, 0];
  const names = Object.keys(WHO);
  const playing = names.find((name) => WHO[name].every((engine, side) => engine === Math.sign(now[side])));
  const whos = names.map((name) => [name, text(`who-${name}`)]);
  const levels = LEVELS.map((name, place) => [place + 1, `${place + 1}: ${text(`level-${name}`)}`]);
  const who = select("new-who", text("who-plays"), whos, playing);
  const level = select("new-level", text("level"), levels, Math.max(...now) || USUAL_LEVEL);
  const offer = () => (level.hidden = element("new-who").value === "people");
  refill(element("new-players"), who, level);
  element("new-who").addEventListener("change", offer);
  offer();
}

/** The level of each side: what is said of whoever begins is true of the side that begins. */
function levelsFor(game) {
  if (!game.engine) return [0, 0];
  const levels = WHO[element("new-who").value].map((engine) => engine * Number(element("new-level").value));
  return beginner(game) ? levels.reverse() : levels;
}

/** The side that begins: the first, unless an option of the game says otherwise. */
function beginner(game) {
  const { first } = optionsOf(game);
  return first === undefined ? 0 : game.options.first.values.indexOf(first);
}

function begin() {
  const game = chosenGame();
  const sense = element("new-sense")?.value ?? null;
  const set_up = element("new-set-up").checked;
  letGo();
  ask({ do: "new", game: game.name, options: optionsOf(game), sense, set_up, levels: levelsFor(game) });
  reveal();
}

opens("open-new", "new", fill);
opens("choose-new", "new", fill);
opens("play-again", "new", fill);
element("new").addEventListener("close", () => element("new").returnValue === "ok" && begin());
