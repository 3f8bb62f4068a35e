/**
 * Pieces that move as hands move them. The board is drawn as it is; here each piece that has come to lie somewhere sets
 * out from where it came from, as the acts of the turn tell: rows slide, seeds fall, what is captured goes to its tray.
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
/** Seconds after which what is put down is not what was lifted. */
const REMEMBERED = 4;
/** How high above the board a seed is let go, in pitches. */
const DROP = 0.35;
/** The hand that is nobody's: a palm with a finger that points to the upper left, in a box of 40. */
const HAND = "M4 4 17 12C21 9 26 12 30 16L38 26 28 38 17 32C12 29 11 25 15 22L18 21 3 9C1 6 2 3 4 4Z";

/** @type {number[]} */
let before = [];
let board = "";
/** What was lifted last, when (seconds), and whether a hand of this page carries it in sight. */
/** @type {{ site: string, level: number, at: number, seen: boolean } | null} */
let lifted = null;
/** What of `state.pushed` has been seen. */
let seen = state.pushed;
/** Where pieces have come to lie by the acts that are known. */
const arrived = new Set();
let known = "";

/** Whether pieces are told apart from what lay there before: not on another board, and not while looking back. */
function comparable() {
  const now = `${state.begun} ${JSON.stringify(state.table?.board?.at ?? null)} ${state.viewing}`;
  const same = now === board && state.viewing === null;
  board = now;
  return same;
}

function follow() {
  if (!state.now || !state.story || !state.table?.board) return;
  const acts = state.pushed === seen ? state.now.acts : state.pushed;
  const [was, levels] = [before, shownBoard().map((lying) => lying.level ?? 0)];
  [before, seen] = [levels, state.pushed];
  const told = JSON.stringify(acts);
  if (told !== known) arrived.clear();
  known = told;
  if (!comparable() || was.length !== levels.length) return void (lifted = null);
  /** @param {string} site */
  const lay = (site) => was[sites().indexOf(site)];
  /** @param {string} site */
  const lies = (site) => levels[sites().indexOf(site)];
  const changed = sites().filter((site) => lies(site) !== lay(site));
  const left = changed.filter((site) => (seeds() ? lies(site) < lay(site) : !lies(site)));
  const come = changed.filter((site) => lies(site) && !left.includes(site));
  for (const { kind, sites: [, ...row], levels: moved } of acts) { // between two messages some come to show what they did
    /** @param {(site: string) => number} level */
    const whole = (level) => kind === "push" && row.every((site, place) => level(site) === moved[place]);
    if (whole(lies) && !whole(lay)) come.push(...row.filter((site) => !arrived.has(site) && !come.includes(site)));
  }
  for (const site of left) leave(site, lay(site) - lies(site));
  if (left.length > 1) lifted = null;
  for (const site of come) arrive(site, lies(site), seeds() ? "" : origin(acts, site, lies(site)));
  if (come.length) lifted = null;
}

/** Whether the pieces are seeds. */
function seeds() {
  return given.table.pieces === "seeds";
}

/**
 * A piece was lifted from a site, or seeds were.
 * @param {string} site
 * @param {number} level
 */
function leave(site, level) {
  lifted = { site, level, at: clock(), seen: false };
  if (!seeds() && captured(site)) return fly(site, level);
  knock("lift");
  if (state.making || carried()) reach(site, level);
}

/**
 * Whether what is gone from a site is captured: by the turn that is made, or by the light there.
 * @param {string} site
 */
function captured(site) {
  const { acts, cues } = given.now;
  const taken = acts.some(({ kind, sites: [from] }) => kind === "take" && from === site);
  return (taken || [cues[site]?.kind, cues[site]?.under].includes("capture")) && state.hand?.from !== site;
}

/**
 * Something came to lie on a site: it sets out from where it was.
 * @param {string} site
 * @param {number} level
 * @param {string} from
 */
function arrive(site, level, from) {
  arrived.add(site);
  knock(seeds() ? "seed" : "put");
  find(".other-hand", SVGGElement, drawing() ?? document).classList.remove("busy");
  const piece = everySite().get(site)?.piece;
  if (!piece || !moves()) return;
  if (from) glide(piece, from, site);
  else if (seeds()) fall(piece);
  else piece.animate([{ transform: "scale(1.3)", opacity: 0.2 }, { transform: "none", opacity: 1 }], FALL);
}

/**
 * Where the piece was that has come to a site: as the acts tell, else where one of its kind was lifted. Empty if a hand of
 * this page has carried it there in sight, or if it is new.
 * @param {ActForm[]} acts
 * @param {string} site
 * @param {number} level
 */
function origin(acts, site, level) {
  let from = lifted?.level === level && clock() - lifted.at < REMEMBERED ? lifted.site : "";
  for (const { sites: way, levels } of acts) {
    const place = way.indexOf(site) - 1;
    if (place >= 0 && levels[place] === level) from = way[place];
  }
  return from === site || (lifted?.seen && from === lifted.site) ? "" : from;
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
  const act = given.now.acts.find(({ kind, sites: way }) => way[0] === site || (kind === "push" && way.includes(site)));
  const goal = act?.sites[act.sites.indexOf(site) + 1] ?? site;
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

on("now story hand viewing", follow);
addEventListener("pointermove", () => lifted && (lifted.seen ||= !find(".floating", HTMLElement).hidden));
on("now making", settle);
on("said", hear);
on("story", end);
