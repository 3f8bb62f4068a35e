/**
 * A screen that stands beside a real board: the board as it lies on the table, whose turn it is, and one line. It changes
 * nothing there. Order matters a little: what hears of a change first has drawn first.
 */

import "./turning.js";
import "./shown.js";
import "./board.js";
import "./lights.js";
import "./device.js";
import "./speech.js";
import { drawing } from "./board.js";
import { drawn, element, refill, unbroken } from "./elements.js";
import { arrow, line, wrong } from "./line.js";
import { connect, hurry, takeToken } from "./live.js";
import { stone } from "./pieces.js";
import { change, engineLevel, given, on, state } from "./state.js";
import { called, fillWords, ownColour, player, text } from "./words.js";

/** The height of capitals, in minutes of arc, where there is room and at least; beside.css has the source. */
const LARGEST = 20;
const SMALLEST = 10;
/** Milliseconds for which what may be pressed stays in sight. */
const NEAR = 5000;
/** How far inside of the board's edge a player's lamp runs, and how far from the corners, in pitches. */
const INSIDE = 0.16;
const CORNER = 0.6;
/** How much higher than wide a board is beside which there is room for words. */
const SLIM = 1.4;

// Whose turn it is ---------------------------------------------------------------------------------------

/** Along the board's edge before each player a lamp, as on the table. */
function drawSeats() {
  const place = drawing();
  if (!state.table?.board || !place) return;
  place.querySelector(".seats")?.remove();
  const seats = [0, 1].map((side) => drawn("path", { d: edge(side), class: "seat", "data-seat": side }));
  place.append(drawn("g", { class: "seats" }, ...seats));
}

/**
 * The edge of the board at which player `side` sits.
 * @param {number} side
 */
function edge(side) {
  const { box: [x, y, wide, high], pitch } = given.board;
  const [inside, corner] = [INSIDE * pitch, CORNER * pitch];
  const across = `H${x + wide - corner}`;
  const down = `V${y + high - corner}`;
  return [
    `M${x + corner} ${y + high - inside}${across}`, `M${x + inside} ${y + corner}${down}`,
    `M${x + corner} ${y + inside}${across}`, `M${x + wide - inside} ${y + corner}${down}`,
  ][(state.quarters + 2 * side) & 3];
}

function drawWho() {
  const side = state.now?.state === "over" ? null : (state.now?.side ?? null);
  for (const seat of drawing()?.querySelectorAll(".seat") ?? []) {
    seat.classList.toggle("turn", state.now?.side === Number(seat.getAttribute("data-seat")));
  }
  const playing = side !== null && state.connected && !state.alone && state.table?.game;
  const colour = playing ? ownColour(side) : 0;
  const level = engineLevel(side);
  const name = playing ? (level ? text("beside-engine", { player: player(side), level }) : called(side)) : "";
  const picture = colour ? drawn("svg", { viewBox: "-36 -36 72 72", "aria-hidden": "true" }, stone(colour, 100)) : null;
  refill(element("who"), picture, name);
}

// The line, as large as there is room for it -----------------------------------------------------------------

function drawLine() {
  const pointer = arrow();
  if (String(pointer) !== String(state.pointer)) change({ pointer });
  element("words").classList.toggle("wrong", wrong());
  drawWho();
  if (state.page) unbroken(element("line"), line());
  fit();
}

/** Have the words as large as their place has room for. */
export function fit() {
  const words = element("words");
  for (let capital = LARGEST; capital >= SMALLEST; capital -= 1) {
    words.style.setProperty("--cap", String(capital));
    if (words.scrollHeight <= words.clientHeight && words.scrollWidth <= words.clientWidth) return;
  }
}

new ResizeObserver(fit).observe(element("words"));

// The page itself -------------------------------------------------------------------------------------------

function drawPage() {
  if (!state.page) return;
  document.documentElement.lang = state.page.language;
  fillWords();
}

function drawTable() {
  document.body.dataset.game = state.table?.game ?? "";
  element("title").textContent = ["Tablelight", state.table?.title].filter(Boolean).join(" ");
  const [, , wide, high] = state.table?.board?.box ?? [0, 0, 1, 1];
  document.body.classList.toggle("slim", high > SLIM * wide);
  drawSeats();
}

let leaves = 0;

/** @param {boolean} somebody */
function stands(somebody) {
  document.body.classList.toggle("near", somebody);
  fit();
}

/** Somebody is there: show what may be pressed, for a while. */
function near() {
  clearTimeout(leaves);
  leaves = setTimeout(() => stands(false), NEAR);
  if (!document.body.classList.contains("near")) stands(true);
}

for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, near);
addEventListener("online", hurry);
document.addEventListener("visibilitychange", () => document.hidden || hurry());
on("page", drawPage);
on("table", drawTable);
on("page table story now said connected alone away", drawLine);
on("now", () => (document.body.dataset.state = state.now?.state ?? ""));
on("connected", () => (document.body.dataset.connected = state.connected ? "yes" : "no"));
near();
takeToken();
connect();
