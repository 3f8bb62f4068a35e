/**
 * The first screen: a large card for each game, on which a board plays by itself. It comes where nobody has chosen a game
 * yet, and by a button at any time; what plays on the cards is asked for then, after the page is painted.
 */

import { all, drawn, element, find, made, readDrawing, refill } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { seeds, stone } from "./pieces.js";
import { mayAsk, on, state } from "./state.js";
import { text } from "./words.js";

/** @import { ActForm, BoardForm, GameForm } from "../types.d.ts" */

/**
 * @typedef {object} Card
 * @property {BoardForm} board
 * @property {boolean} stones
 * @property {number[]} start
 * @property {[ActForm[], number[]][]} turns
 */

/**
 * Begin a lesson of a game; 0 for the first that was not solved.
 * @param {string} game
 * @param {number} number
 */
export function teach(game, number = 0) {
  letGo();
  ask({ do: "teach", game, number });
}

/** Seconds for a turn of a card, and before it begins again. */
const PACE = 1.6;
const AGAIN = 3;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Record<string, Card> | null} */
let cards = null;
/** Whether the reader has asked for the first screen, or has left it; null: as the table offers it. */
/** @type {boolean | null} */
let wanted = null;
let timers = /** @type {number[]} */ ([]);

function shown() {
  if (!mayAsk() || !state.table) return false;
  return wanted ?? (state.table.offered || !state.table.game);
}

/** @param {boolean} whether */
function want(whether) {
  wanted = whether;
  draw();
  if (whether) find("#start button", HTMLButtonElement).focus();
}

let key = "";

function draw() {
  const { page, table } = state;
  if (!page || !table) return;
  const visible = shown();
  const before = !element("start").hidden;
  element("start").hidden = !visible;
  document.body.classList.toggle("starting", visible && Boolean(table.game));
  element("open-start").hidden = !mayAsk();
  element("leave-start").hidden = !table.game || table.offered;
  if (!visible) {
    stop();
    key = "";
    return;
  }
  const now = JSON.stringify([page.language, table.games]);
  if (before && now === key) return;
  key = now;
  refill(element("cards"), ...table.games.map(card));
  play();
}

/** @param {GameForm} game */
function card(game) {
  const { name, title, about, aim, lessons, solved, puzzles } = game;
  const box = made("article", { class: "playing-card", "data-card": name });
  const words = made("div", { class: "set" }, made("h3", {}, title), made("p", {}, about));
  if (aim) words.append(made("p", { class: "aim" }, aim));
  const buttons = made("p", { class: "row" });
  if (lessons) {
    const done = solved.length === lessons;
    const learn = made("button", { type: "button", class: done ? "" : "first", "data-learn": name });
    learn.textContent = text(done ? "learn-again" : solved.length ? "learn-on" : "learn");
    learn.setAttribute("aria-label", `${learn.textContent}: ${title}`);
    learn.addEventListener("click", () => leaveFor(() => teach(name, done ? 1 : 0)));
    buttons.append(learn);
    if (solved.length) words.append(made("p", { class: "small" }, text("lessons-solved", { solved: solved.length, count: lessons })));
  }
  const learnt = lessons && solved.length === lessons;
  const begin = made("button", { type: "button", class: learnt ? "first" : "", "data-play": name, "aria-label": `${text("play")}: ${title}` }, text("play"));
  begin.addEventListener("click", () => leaveFor(() => choose(name)));
  buttons.append(begin);
  if (puzzles) {
    const puzzle = made("button", { type: "button", "data-puzzle": name, "aria-label": `${text("puzzles")}: ${title}` }, text("puzzles"));
    puzzle.addEventListener("click", () => leaveFor(async () => (await import("./puzzles.js")).solve(name)));
    buttons.append(puzzle);
  }
  words.append(buttons);
  box.append(made("div", { class: "little-board" }), words);
  return box;
}

/** @param {() => void} what */
function leaveFor(what) {
  want(false);
  scrollTo(0, 0); // however far the cards were scrolled
  what();
}

/**
 * Open the window in which a game is chosen, with this one.
 * @param {string} name
 */
function choose(name) {
  element("open-new").click();
  const input = all("#new [name=game]", HTMLInputElement).find((each) => each.value === name);
  input?.click();
}

// What plays on the cards ------------------------------------------------------------------------------

function stop() {
  timers.forEach(clearTimeout);
  timers = [];
}

async function play() {
  stop();
  try {
    cards ??= await (await fetch("/cards")).json();
  } catch {
    return; // the cards stand without boards
  }
  if (element("start").hidden || !cards) return;
  stop();
  for (const [name, what] of Object.entries(cards)) {
    const place = document.querySelector(`[data-card="${name}"] .little-board`);
    if (place) lay(place, what);
  }
}

/**
 * Draw a board and have it play; where nothing may move, it shows how the game stands after some turns.
 * @param {Element} place
 * @param {Card} what
 */
function lay(place, { board, stones, start, turns }) {
  const [x, y, wide, high] = board.box;
  const stage = drawn("svg", { viewBox: `${x} ${y} ${wide} ${high}`, "aria-hidden": "true" });
  const ground = readDrawing(board.ground);
  if (ground) stage.append(...ground.children);
  const pieces = drawn("g", {});
  stage.append(pieces);
  refill(place, stage);
  const sites = Object.keys(board.at);
  /** @type {Map<string, SVGElement>} */
  const standing = new Map();
  const put = (/** @type {string} */ site, /** @type {SVGElement} */ piece) => {
    const [left, top] = board.at[site];
    piece.style.transform = `translate(${left}px, ${top}px)`;
    standing.set(site, piece);
  };
  const grown = (/** @type {number} */ level) => {
    const piece = drawn("g", { class: "little-piece" }, stones ? stone(level, board.pitch) : seeds(level, board.pitch));
    pieces.append(piece);
    return piece;
  };
  /** Make the pieces those of these levels, without any motion. */
  const show = (/** @type {number[]} */ levels) => {
    pieces.replaceChildren();
    standing.clear();
    levels.forEach((level, number) => level && put(sites[number], grown(level)));
  };
  /** What a hand does: pieces slide and rows shift; all else comes and goes. */
  const act = (/** @type {ActForm} */ { kind, sites: along }) => {
    if (kind !== "carry" && kind !== "push") return;
    const row = along.slice(0, -1).map((site) => standing.get(site));
    along.slice(0, -1).forEach((site) => standing.delete(site));
    row.forEach((piece, number) => piece && put(along[number + 1], piece));
  };
  /** Lay what the acts have not moved, and take off what is captured. */
  const settle = (/** @type {number[]} */ levels) => {
    levels.forEach((level, number) => {
      const site = sites[number];
      const piece = standing.get(site);
      const same = piece && stones && level && piece.querySelector(level === 1 ? ".dark" : ".light");
      if (same || (!piece && !level)) return;
      piece?.remove();
      standing.delete(site);
      if (level) put(site, grown(level));
    });
  };
  if (still.matches) {
    show(turns.at(-1)?.[1] ?? start);
    return;
  }
  const slot = timers.push(0) - 1;
  /** @param {number} number */
  function turn(number) {
    if (number === turns.length) {
      timers[slot] = setTimeout(begin, AGAIN * 1000);
      return;
    }
    const [acts, levels] = turns[number];
    acts.forEach(act);
    timers[slot] = setTimeout(() => {
      settle(levels);
      timers[slot] = setTimeout(() => turn(number + 1), PACE * 500);
    }, PACE * 500);
  }
  function begin() {
    show(start);
    timers[slot] = setTimeout(() => turn(0), (PACE + slot / 4) * 500);
  }
  begin();
}

element("open-start").addEventListener("click", () => want(true));
element("leave-start").addEventListener("click", () => want(false));
still.addEventListener("change", () => shown() && play());
on("table page connected alone", draw);
