/** Over the board: who plays, whose turn it is, and what the table says. */

import { all, drawn, element, find, made, refill, tell, unbroken } from "./elements.js";
import { stone } from "./pieces.js";
import { prisoners, righted } from "./shown.js";
import { afterwards, carried, engineLevel, given, on, state } from "./state.js";
import { called, ownColour, ownName, person, player, text } from "./words.js";

/** @import { SentenceForm } from "../types.d.ts" */

/** Whether the engine is looking for its turn. */
function thinks() {
  const { now } = given;
  if (!engineLevel(now.side) || now.plan || state.story?.outcome) return false;
  return !["setting", "over"].includes(now.state);
}

/**
 * Who plays `side`, and what the engine's level adds to that; empty where a person plays.
 * @param {number} side
 */
function named(side) {
  const level = engineLevel(side);
  if (!level) return [person(side), ""];
  const whole = text("engine-player", { player: player(side), level });
  const [name] = whole.match(/^.+?(?=\s*[(\uff08])/) ?? [whole];
  return [name, whole.slice(name.length)];
}

/** @param {number} colour */
function picture(colour) {
  return colour ? drawn("svg", { viewBox: "-36 -36 72 72", "aria-hidden": "true" }, stone(colour, 100)) : null;
}

/** The line under the players: one that fits the board in sight, be it that of now or of the past. */
function status() {
  const { now } = given;
  const { story, viewing } = state;
  if (viewing !== null && story) {
    const [number, last] = [viewing, story.turns.length].map((count) => count + story.before);
    return text("looking", { number, last });
  }
  if (state.table?.lesson?.solved || righted()) return "";
  if (story?.outcome) return text("game-over");
  const aside = story?.standing ? null : now.aside; // the standing tells it
  if (!thinks()) return now.aside ? now.status.replace(` ${now.aside}`, aside ? `\n${aside}` : "") : now.status;
  const turns = (story?.before ?? 0) + (story?.turns.length ?? 0);
  return [text("thinking", { number: turns + 1, player: called(now.side) }), aside].filter(Boolean).join("\n");
}

/**
 * The stones that a player has captured, as a small tray.
 * @param {HTMLElement} tray
 * @param {number} side
 */
function drawPrisoners(tray, side) {
  const count = given.table.lesson ? 0 : prisoners(side); // that of a position in mid-game is not known
  if (tray.dataset.count === String(count)) return;
  tray.dataset.count = String(count);
  refill(tray, ...(count ? [picture(2 - side), made("span", {}, String(count))] : []));
  tray.title = count ? text("prisoners", { player: called(side), count }) : "";
}

/**
 * Who was to play after so many turns.
 * @param {number} viewing
 */
function toMove(viewing) {
  const { turns } = given.story;
  return turns[viewing]?.side ?? given.now.side;
}

/** @param {HTMLElement} each */
function drawPlayer(each) {
  const side = Number(each.dataset.side);
  const who = find(".who", HTMLElement, each);
  const name = engineLevel(side) ? "" : ownName(side);
  const [whose, level] = named(side);
  const told = [whose, level, name ? player(side) : ""];
  if (who.dataset.told !== told.join("\n")) {
    who.dataset.told = told.join("\n");
    who.title = name;
    const space = level.startsWith(" ") ? " " : ""; // at which the line may break
    refill(who, whose + space, level ? made("span", { class: "level" }, level.trim()) : null, name ? made("small", {}, player(side)) : null);
  }
  each.classList.toggle("turn", (state.viewing === null ? given.now.side : toMove(state.viewing)) === side);
  drawPrisoners(find(".prisoners", HTMLElement, each), side);
  const colour = ownColour(side);
  const picked = find(".own", HTMLElement, each);
  if (picked.dataset.own === String(colour)) return;
  picked.dataset.own = String(colour);
  refill(picked, picture(colour));
}

function drawPlayers() {
  if (!state.now || !state.table) return;
  element("whose").hidden = !state.table.game;
  if (!state.table.game) return;
  tell(element("status"), status());
  all("#whose .player", HTMLElement).forEach(drawPlayer);
}

afterwards("now said table page story viewing seats", drawPlayers);

// What the table says: the referee's last sentence, and the ones before ---------------------------------

/** Events that players must not miss. */
const URGENT = new Set(["astray", "blind", "asked", "offered", "unwritten", "unlit"]);
/** Events that are past once hands have begun the next turn. */
const BEFORE = new Set([
  "begins", "played", "amended", "passed", "undone", "ready", "righted", "sighted", "nothing-done", "nothing-undone",
  "time-short", "time-periods",
]);
/** Those that are untrue once something lies where it does not belong. */
const RIGHT = new Set(["righted", "nothing-done", "nothing-undone"]);
/** What the lesson tells itself. */
const TAUGHT = new Set(["lesson", "lesson-done", "lesson-next", "lessons-over", "puzzle-next", "puzzles-over"]);
const BEGUN = ["under-way", "complete", "which"];
const WELL = ["rest", "over"];
/** What was wrong is right in mid-turn: once that is put back there is nothing left to do. */
const IN_TURN = "table.righted-in-turn";

/**
 * A sentence, and whether it is to be read out at once.
 * @typedef {{ text: string, urgent: boolean }} Told
 */

/**
 * A sentence of this page itself, until the hand does something else.
 * @type {Told | null}
 */
let own = null;
/** How often a hand has pressed something, and how often it had when that sentence was said. */
let presses = 0;
let since = 0;

/**
 * The sentence for the moment.
 * @returns {Told}
 */
function sentence() {
  if (own) return own;
  if (state.viewing !== null && state.story) return { text: played(), urgent: false };
  if (state.table && !state.table.game) return { text: text("choosing"), urgent: false };
  if (righted()) return { text: another(), urgent: false };
  const last = state.said.at(-1);
  if (last && TAUGHT.has(last.name)) return { text: another(), urgent: false };
  if (!last || stale(last) || (last.name === "plans" && carried())) return { text: "", urgent: false };
  return { text: [...takenBack(), last.text].join(" "), urgent: URGENT.has(last.name) };
}

/** Whether a turn is begun, and the last sentence when one was. */
let begun = false;
let told = 0;

function begins() {
  const is = BEGUN.includes(state.now?.state ?? "");
  if (is && !begun) told = state.said.at(-1)?.number ?? 0;
  begun = is;
}

/** That another turn was made than the lesson asks for, until the next one is begun. */
function another() {
  if (begun || state.table?.lesson?.solved) return "";
  return state.said.slice(-5).find(({ name, number }) => name === "lesson-other" && number > told)?.text ?? "";
}

/** What was taken back, if the last sentence tells only that the board is ready again. */
function takenBack() {
  const [before, last] = state.said.slice(-2);
  return last?.name === "ready" && before.name === "undone" ? [before.text] : [];
}

/** What was done in the turn that is looked back at. */
function played() {
  const { story } = given;
  const viewing = state.viewing ?? 0;
  const turn = story.turns[viewing - 1];
  if (!turn) return story.before ? "" : text("viewing-start");
  return text("viewing", { number: story.before + viewing, player: called(turn.side), turn: turn.text });
}

/**
 * Whether the board has gone on since this was said.
 * @param {SentenceForm} sentence
 */
function stale({ name, id }) {
  const now = state.now?.state ?? "";
  if (RIGHT.has(name) && now === "astray") return true;
  const settled = name === "astray" || name === "owed" || id === IN_TURN;
  return (BEFORE.has(name) && BEGUN.includes(now)) || (settled && WELL.includes(now));
}

/** Show the sentence and have it read out: an urgent one at once. */
function say() {
  if (!state.page) return;
  const { text: words, urgent } = sentence();
  const stands = words !== "" && words === state.story?.outcome && state.viewing === null; // there by itself
  element("say").classList.toggle("told", stands);
  show("say", urgent ? "" : words);
  show("alarm", urgent ? words : "");
}

/**
 * @param {string} id
 * @param {string} words
 */
function show(id, words) {
  unbroken(element(id), words);
}

/**
 * Say something of this page's own, again if it is said again.
 * @param {Told | null} what
 */
function sayOwn(what) {
  own = what;
  since = presses;
  show("say", "");
  show("alarm", "");
  say();
}

/** The hand has done something since: what it was told is no news. */
function goOn() {
  if (presses > since) own = null;
  say();
}

function drawSaid() {
  const items = state.said.slice(0, -1).reverse();
  refill(element("said"), ...items.map(item));
  own = null;
  say();
}

/** @param {SentenceForm} sentence */
function item({ name, text: words }) {
  const line = made("li", { "data-name": name });
  unbroken(line, words);
  return line;
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (presses += 1), true);
on("said", drawSaid);
on("now", begins);
on("now table page story connected", say);
on("hand trail viewing", goOn);
on("refusal", () => sayOwn({ text: state.refusal, urgent: true }));
on("complaint", () => sayOwn(state.complaint));
