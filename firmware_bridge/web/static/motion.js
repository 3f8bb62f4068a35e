/**
 * Pieces that move as hands move them. The board is drawn as it is; here each piece that has come to lie somewhere sets
 * out from where it came from, as the acts of the turns tell: rows slide, seeds fall, what is captured goes to its tray.
 */

import { drawing, everySite, pieceSize } from "./board.js";
import { all, drawn, find } from "./elements.js";
import { fanfare, knock, moves } from "./effects.js";
import { stone } from "./pieces.js";
import { shownBoard, sites } from "./shown.js";
import { carried, clock, given, on, state } from "./state.js";

/** @import { ActForm } from "../types.d.ts" */

/** Milliseconds of a slide, a fall and a flight to the tray; and how they gain and lose speed. Chosen by eye. */
const SLIDE = 190;
const FALL = 150;
const FLIGHT = 420;
export const EASING = "cubic-bezier(.3, .1, .2, 1)";
/** Seconds for which a site remembers what was lifted from it. */
const REMEMBERED = 4;
/** How high above the board a seed is let go, in pitches. */
const DROP = 0.35;
/** The hand that is nobody's: a palm with a finger that points to the upper left, in a box of 40. */
const HAND = "M4 4 17 12C21 9 26 12 30 16L38 26 28 38 17 32C12 29 11 25 15 22L18 21 3 9C1 6 2 3 4 4Z";

/**
 * What a site showed, and shows now.
 * @typedef {{ site: string, from: number, to: number }} Change
 */

/** @type {(number | null)[]} */
let before = [];
let board = "";
/** What was lifted, by site: its level, when (seconds), and whether a hand of this page carries it in sight. */
/** @type {Map<string, { level: number, at: number, seen: boolean }>} */
const gone = new Map();
/** The acts of the turns that there are now, and of those before: a turn counts while pieces still move. */
/** @type {ActForm[][]} */
let acts = [[], []];

/** Whether pieces are told apart from what lay there before: not on another board, and not while looking back. */
function comparable() {
  const now = `${state.begun} ${JSON.stringify(state.table?.board?.at ?? null)} ${state.viewing}`;
  const same = now === board && state.viewing === null;
  board = now;
  return same;
}

function follow() {
  if (!state.now || !state.story || !state.table?.board) return;
  const levels = shownBoard().map((lying) => lying.level);
  const was = before;
  before = levels;
  if (!comparable() || was.length !== levels.length) return gone.clear();
  const changed = sites().map((site, place) => ({ site, from: was[place] ?? 0, to: levels[place] ?? 0 }));
  const row = changed.filter(({ from, to }) => from !== to).length > 2 ? pushed(changed) : [];
  const moved = changed.filter(({ site, from, to }) => from !== to || row.includes(site, 1));
  for (const { site, from, to } of moved) if (to < from || !to) leave(site, from - to);
  for (const site of row.slice(0, -1)) gone.set(site, { level: lay(changed, site).from, at: clock(), seen: false });
  for (const { site, from, to } of moved) if (to > 0 && (to > from || given.table.pieces === "stones")) come(site, to);
}

/**
 * The sites of a row that was pushed between two messages, as where much else is to be done: some may show what they did.
 * @param {Change[]} changed
 */
function pushed(changed) {
  const whole = acts.flat().find(({ kind, sites: row }) => kind === "push" && row.every((site, place) => {
    return !place || lay(changed, site).to === lay(changed, row[place - 1]).from;
  }));
  return whole?.sites ?? [];
}

/**
 * @param {Change[]} changed
 * @param {string} site
 */
function lay(changed, site) {
  return changed[sites().indexOf(site)];
}

/**
 * A piece was lifted from a site, or seeds were.
 * @param {string} site
 * @param {number} level
 */
function leave(site, level) {
  const floating = find(".floating", HTMLElement);
  gone.set(site, { level, at: clock(), seen: !floating.hidden && state.hand?.from === site });
  if (given.table.pieces === "stones" && captured(site)) return fly(site, level);
  knock("lift");
  if (state.making || carried()) reach(site, level);
}

/** @param {string} site */
function captured(site) {
  const [now, earlier] = acts;
  const taken = [...now, ...earlier].some(({ kind, sites: [from] }) => kind === "take" && from === site);
  return taken && state.hand?.from !== site;
}

/**
 * Something came to lie on a site: it sets out from where it was.
 * @param {string} site
 * @param {number} level
 */
function come(site, level) {
  const seeds = given.table.pieces === "seeds";
  const from = seeds ? null : origin(site, level);
  knock(seeds ? "seed" : "put");
  find(".other-hand", SVGGElement, drawing() ?? document).classList.remove("busy");
  const piece = everySite().get(site)?.piece;
  if (!piece || !moves()) return;
  if (from) glide(piece, from, site);
  else if (seeds) fall(piece);
  else piece.animate([{ transform: "scale(1.3)", opacity: 0.2 }, { transform: "none", opacity: 1 }], FALL);
}

/**
 * Where the piece that has come to a site was lifted: by the acts of the turns, else the nearest of its kind. Null if a
 * hand of this page has carried it there in sight, or if it is new.
 * @param {string} site
 * @param {number} level
 */
function origin(site, level) {
  const lifted = [...gone].filter(([, piece]) => piece.level === level && clock() - piece.at < REMEMBERED);
  const told = acts.flat().flatMap((act) => stepsTo(act, site)).find((from) => lifted.some(([each]) => each === from));
  const from = told ?? lifted.map(([each]) => each).sort((one, other) => apart(one, site) - apart(other, site))[0];
  const piece = gone.get(from ?? "");
  if (from) gone.delete(from);
  return !piece || piece.seen || from === site ? null : (from ?? null);
}

/**
 * From where an act brings a piece to a site.
 * @param {ActForm} act
 * @param {string} site
 */
function stepsTo({ kind, sites: row }, site) {
  const place = row.indexOf(site);
  return place > 0 && (kind === "carry" || kind === "push") ? [kind === "push" ? row[place - 1] : row[0]] : [];
}

/**
 * @param {string} one
 * @param {string} other
 */
function apart(one, other) {
  const { at } = given.board;
  return Math.hypot(at[one][0] - at[other][0], at[one][1] - at[other][1]);
}

/**
 * @param {SVGGElement} piece
 * @param {string} from
 * @param {string} to
 */
function glide(piece, from, to) {
  const { at } = given.board;
  const [dx, dy] = [at[from][0] - at[to][0], at[from][1] - at[to][1]];
  const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  piece.animate(way, { duration: SLIDE, easing: EASING });
}

/**
 * A seed falls into a pit, so many milliseconds from now.
 * @param {SVGGElement} piece
 * @param {number} delay
 */
export function fall(piece, delay = 0) {
  const high = `translate(0, ${-DROP * pieceSize()}px)`;
  piece.animate([{ transform: high }, { transform: "none" }], { duration: FALL, delay, easing: "ease-in" });
}

/**
 * A captured stone goes to the tray of whoever takes it.
 * @param {string} site
 * @param {number} level
 */
export function fly(site, level) {
  knock("take");
  const svg = drawing();
  const tray = all("#whose .player", HTMLElement).find(({ dataset }) => Number(dataset.side) === 2 - level);
  const matrix = svg?.getScreenCTM();
  if (!svg || !tray || !matrix || !moves()) return;
  const box = tray.getBoundingClientRect();
  const goal = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix.inverse());
  const [x, y] = given.board.at[site];
  const group = drawn("g", { class: "flying", "aria-hidden": "true" }, stone(level, pieceSize()));
  svg.append(group);
  const way = [
    { transform: `translate(${x}px, ${y}px)` },
    { transform: `translate(${goal.x}px, ${goal.y}px) scale(.5)`, opacity: 0.4 },
  ];
  group.animate(way, { duration: FLIGHT, easing: EASING }).finished.finally(() => group.remove());
}

// The hand that is nobody's -----------------------------------------------------------------------------

/**
 * The hand has lifted something, and goes to where the turn brings it.
 * @param {string} site
 * @param {number} level
 */
function reach(site, level) {
  const svg = drawing();
  if (!svg || !moves()) return;
  const group = find(".other-hand", SVGGElement, svg);
  const plan = given.story.ways.find(({ text }) => text === given.now.plan)?.acts ?? acts[0];
  const goal = plan.find(({ kind, sites: [from] }) => from === site && kind !== "take")?.sites[1] ?? site;
  group.replaceChildren(...grasp(level));
  group.classList.add("busy");
  const [from, to] = [site, goal].map((each) => `translate(${given.board.at[each].join("px, ")}px)`);
  group.style.transform = to;
  group.animate([{ transform: from }, { transform: to }], { duration: FLIGHT, easing: EASING });
}

/**
 * The hand, and the stone in it.
 * @param {number} level
 */
function grasp(level) {
  const palm = drawn("path", { d: HAND, transform: `scale(${pieceSize() / 50})` });
  return given.table.pieces === "stones" && level > 0 ? [stone(level, pieceSize()), palm] : [palm];
}

function settle() {
  if (state.making || carried()) return;
  drawing()?.querySelector(".other-hand")?.classList.remove("busy");
}

// What is said and how it ends is heard, too --------------------------------------------------------------

let heard = 0;
let over = false;

function hear() {
  const last = state.said.at(-1);
  if (heard && last && last.number > heard && last.name === "astray") knock("wrong");
  heard = last?.number ?? heard;
}

function end() {
  const ended = Boolean(state.story?.outcome);
  if (ended && !over && heard) fanfare();
  over = ended;
}

on("story", () => (acts = [state.story?.ways.flatMap((way) => way.acts) ?? [], acts[0]]));
on("now story hand viewing", follow);
on("now making", settle);
on("said", hear);
on("story", end);
