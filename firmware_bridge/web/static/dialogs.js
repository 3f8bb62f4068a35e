/**
 * Windows over the page: to choose a new game, to read the rules and the help, to end the game. Each is filled when it
 * opens, and closes when the language changes.
 */

import { chosenTime, fillTimes } from "./clocks.js";
import { all, element, find, made, readDrawing, refill } from "./elements.js";
import { letGo, putBack } from "./hand.js";
import { ask } from "./live.js";
import { reveal } from "./scrolling.js";
import { engineLevel, given, inPlay, on, state } from "./state.js";
import { turnsOver } from "./ways.js";
import { called, text } from "./words.js";

/** @import { GameForm } from "../types.d.ts" */

/**
 * Have the button with the id `button` open the window `dialog`, which `fill` fills.
 * @param {string} button
 * @param {string} dialog
 * @param {() => void} fill
 */
function opens(button, dialog, fill) {
  element(button).addEventListener("click", () => {
    fill();
    const opened = find(`#${dialog}`, HTMLDialogElement);
    opened.returnValue = "";
    opened.showModal();
  });
}

let language = "";

/** What an open window says was filled in another language. */
function closeStrange() {
  if (language !== given.page.language) all("dialog[open]", HTMLDialogElement).forEach((dialog) => dialog.close(""));
  language = given.page.language;
}

// A new game: which, how, and who plays ------------------------------------------------------------------

/** Who plays, by the names of the sentences; whether the engine plays whoever begins, and the other. */
/** @type {Record<string, [number, number]>} */
const WHO = { people: [0, 0], you: [0, 1], it: [1, 0], both: [1, 1] };
const LEVELS = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const USUAL_LEVEL = 3;

function fillNew() {
  const chosen = given.table.game || given.table.games[0].name;
  const legend = element("new-games").firstElementChild;
  refill(element("new-games"), legend, ...given.table.games.map((game) => gameChoice(game, game.name === chosen)));
  element("new-left-out").hidden = !given.table.left_out.length;
  element("new-left-out").textContent = given.table.left_out.join(" ");
  find("#new-set-up", HTMLInputElement).checked = false;
  element("new-drops").hidden = !inPlay();
  element("new-drops").textContent = text(given.table.record ? "drops-kept" : "drops-lost");
  fillWho();
  fillOptions();
  fillTimes();
}

/**
 * @param {GameForm} game
 * @param {boolean} chosen
 */
function gameChoice(game, chosen) {
  const input = made("input", { type: "radio", name: "game", value: game.name });
  input.checked = chosen;
  input.addEventListener("change", fillOptions);
  const about = made("span", { class: "small" }, game.about);
  return made("label", { class: "game" }, input, made("span", {}, made("strong", {}, game.title), about));
}

export function chosenGame() {
  const { value } = find("#new [name=game]:checked", HTMLInputElement);
  return given.table.games.find((game) => game.name === value) ?? given.table.games[0];
}

// How it is played ---------------------------------------------------------------------------

function fillOptions() {
  const game = chosenGame();
  const options = Object.entries(game.options).map(([name, option]) => {
    /** @type {[string, string][]} */
    const values = option.values.map((value, place) => [String(value), option.titles[place]]);
    const now = game.name === given.table.game ? given.table.options[name] : undefined;
    return select(`option-${name}`, option.title, values, String(now ?? option.chosen));
  });
  /** @type {[string, string][]} */
  const senses = game.senses.map((sense) => [sense, text(`sense-${sense}`)]);
  if (given.table.hands) options.push(select("new-sense", text("sense"), senses, usualSense(game)));
  refill(element("new-options"), ...options);
  element("new-players").hidden = !game.engine;
}

/**
 * As much as there is to sense, in this game as in the one in hand; less where the player has chosen less.
 * @param {GameForm} game
 */
function usualSense({ senses }) {
  const [least, most] = senses;
  return given.table.sense === least ? least : most;
}

/**
 * @param {string} id
 * @param {string} title
 * @param {[string | number, string][]} values
 * @param {string | number} chosen
 */
function select(id, title, values, chosen) {
  const list = made("select", { id }, ...values.map(([value, name]) => made("option", { value }, name)));
  list.value = String(chosen);
  return made("label", { for: id }, made("span", {}, title), list);
}

/** @param {GameForm} game */
function optionsOf(game) {
  /** @type {[string, string | number][]} */
  const chosen = Object.entries(game.options).map(([name, option]) => {
    const { value } = find(`#option-${name}`, HTMLSelectElement);
    return [name, option.values.find((each) => String(each) === value) ?? option.chosen];
  });
  return Object.fromEntries(chosen);
}

// Who plays ----------------------------------------------------------------------------------

function fillWho() {
  const now = given.table.lesson ? [0, 0] : given.table.levels; // a puzzle's other side is no opponent to choose
  const names = Object.keys(WHO);
  const playing = names.find((name) => WHO[name].every((engine, side) => engine === Math.sign(now[side])));
  /** @type {[string, string][]} */
  const whos = names.map((name) => [name, text(`who-${name}`)]);
  /** @type {[number, string][]} */
  const levels = LEVELS.map((name, place) => [place + 1, `${place + 1}: ${text(`level-${name}`)}`]);
  const who = select("new-who", text("who-plays"), whos, playing ?? "people");
  const level = select("new-level", text("level"), levels, Math.max(...now) || USUAL_LEVEL);
  const people = [nameField("begins", 0), nameField("other", 1)];
  const offer = () => {
    const plays = find("#new-who", HTMLSelectElement).value;
    level.hidden = plays === "people";
    people.forEach((each, place) => (each.hidden = WHO[plays][place] === 1));
  };
  refill(element("new-players"), who, level, ...people);
  element("new-who").addEventListener("change", offer);
  offer();
}

/**
 * A field for the name of whoever begins, or of the other.
 * @param {string} which
 * @param {number} side
 */
function nameField(which, side) {
  const input = made("input", { id: `name-${which}`, maxlength: 30, autocomplete: "off", spellcheck: "false" });
  input.value = given.table.people[side];
  return made("label", { for: input.id }, made("span", {}, text(`name-${which}`)), input);
}

/**
 * What the people are called, by sides.
 * @param {GameForm} game
 * @returns {[string, string]}
 */
function namesFor(game) {
  const [begins, other] = ["begins", "other"].map((which) => find(`#name-${which}`, HTMLInputElement).value);
  return beginner(game) ? [other, begins] : [begins, other];
}

/**
 * The level of each side: what is said of whoever begins is true of the side that begins.
 * @param {GameForm} game
 * @returns {[number, number]}
 */
function levelsFor(game) {
  if (!game.engine) return [0, 0];
  const level = Number(find("#new-level", HTMLSelectElement).value);
  const [begins, other] = WHO[find("#new-who", HTMLSelectElement).value];
  return beginner(game) ? [other * level, begins * level] : [begins * level, other * level];
}

/**
 * The side that begins: the first, unless an option of the game says otherwise.
 * @param {GameForm} game
 */
export function beginner(game) {
  const { first } = optionsOf(game);
  return first === undefined ? 0 : game.options.first.values.indexOf(first);
}

export function picked() {
  const game = chosenGame();
  const sensed = all("#new-sense", HTMLSelectElement).at(0)?.value; // only where hands move pieces on the page
  const sense = game.senses.find((each) => each === sensed) ?? null;
  return { game: game.name, options: optionsOf(game), sense, clock: chosenTime() };
}

function begin() {
  const game = chosenGame();
  const set_up = find("#new-set-up", HTMLInputElement).checked;
  letGo();
  ask({ do: "new", ...picked(), set_up, levels: levelsFor(game), names: namesFor(game) });
  reveal();
}

/**
 * Two tables that play together have chosen: another game is asked for, of the same kind, and nothing is to be filled in.
 * @param {Event} click
 */
function askOther(click) {
  if (!given.table.linked) return;
  click.stopImmediatePropagation();
  ask({ do: "new", game: given.table.game });
}

// To read, and to end the game -----------------------------------------------------------------------

const KEYS = ["arrows", "enter", "escape", "shift", "d-l", "f", "delete", "s", "u", "e", "h", "comma-dot"];
/** Keys of some games alone, by what these are played with. */
const OF_STONES = new Set(["d-l", "delete"]);
const OF_SEEDS = new Set(["s"]);
const OF_ROWS = new Set(["shift"]);
const OF_TURNING = new Set(["f"]);

function fillRules() {
  const { title, rules } = given.table;
  element("rules-title").textContent = title || text("rules");
  const words = rules.length ? rules : [text("choosing")];
  refill(element("rules-text"), ...words.map((rule) => made("p", {}, rule)), ...figures());
}

/** The figures of the rules, each with its caption. */
function figures() {
  const { figures: drawings, captions = [] } = given.table;
  return drawings.map((source, place) => {
    const svg = readDrawing(source);
    return svg && made("figure", {}, svg, made("figcaption", { class: "small" }, captions[place] ?? ""));
  });
}

/**
 * Whether a key does something in the game in hand.
 * @param {string} key
 */
function counts(key) {
  const { pieces, pushes } = given.table;
  if (OF_ROWS.has(key)) return pushes;
  if (OF_TURNING.has(key)) return turnsOver();
  return !(pieces === "seeds" ? OF_STONES : OF_SEEDS).has(key);
}

/**
 * What a key does: of seeds in its own words, where pieces are spoken of.
 * @param {string} key
 */
function does(key) {
  return (given.table.pieces === "seeds" && text(`key-${key}-does-seeds`)) || text(`key-${key}-does`);
}

function fillHelp() {
  const list = made("dl", { class: "keys" });
  for (const key of KEYS.filter(counts)) {
    list.append(made("dt", {}, made("kbd", {}, text(`key-${key}`))), made("dd", {}, does(key)));
  }
  const own = given.table.help || text(`help-${given.table.pieces}`);
  const told = [own, text("help-lights"), text("help-table")];
  const words = told.map((each) => made("p", {}, each));
  refill(element("help-text"), ...words, made("h3", {}, text("keys")), made("p", {}, text("help-keys")), list);
}

/** Who can resign, or both; an engine never does. */
function fillEnd() {
  /** @type {[0 | 1 | null, string][]} */
  const ways = [[0, "resign"], [1, "resign"], [null, "draw"]];
  const mine = state.seats?.mine ?? null;
  const free = ways.filter(([side]) => side === null || (mine === null ? !state.seats?.seats[side] : side === mine));
  const open = free.filter(([side]) => !(side === null ? engineLevel(0) || engineLevel(1) : engineLevel(side)));
  refill(element("end-ways"), ...open.map(([side, name]) => endButton(side, name)));
}

/**
 * @param {0 | 1 | null} side
 * @param {string} name
 */
function endButton(side, name) {
  const button = made("button", { value: "ok" }, text(name, { player: called(side) }));
  let sure = side === null || state.seats?.mine !== side; // from a seat it is one touch of a thumb
  button.addEventListener("click", (event) => {
    if (!sure) {
      sure = true;
      event.preventDefault();
      button.classList.add("next");
      button.textContent = text("resign-sure");
      return;
    }
    putBack();
    ask({ do: "end", resigns: side });
    reveal();
  });
  return button;
}

opens("open-rules", "rules", fillRules);
opens("open-help", "help", fillHelp);
opens("open-end", "end", fillEnd);
opens("open-new", "new", fillNew);
opens("choose-new", "new", fillNew);
opens("play-again", "new", fillNew);
for (const button of ["open-new", "choose-new", "play-again"]) element(button).addEventListener("click", askOther, true);
element("new").addEventListener("close", () => find("#new", HTMLDialogElement).returnValue === "ok" && begin());
on("page", closeStrange);
