/**
 * The board by mouse, finger and pen: press to lift, drag or tap to put, drag over the edge to take off. And by
 * keyboard alone: one tab stop, arrows from site to site, letters for what hands do.
 */

import { drawing, focusOn, pieceSize } from "./board.js";
import { drawn, element, find, made, refill } from "./elements.js";
import { neighbour, siteAt, storeAt, WAYS } from "./geometry.js";
import {
  carryOut, giveUp, layNew, lift, makeTurn, pushToward, putBack, release, sowing, supply, takeOff, touch, touchStore,
  turnOver, turns,
} from "./hand.js";
import { press } from "./panel.js";
import { seeds, shades, stone } from "./pieces.js";
import { given, mayMove, on, state } from "./state.js";

/** @import { Places, Point } from "./geometry.js" */

/** How far, in CSS pixels, a pointer moves before it drags. */
const SLOP = 6;
/** How far from the middle of a site it is still meant, in pitches. */
const REACH = 0.55;

const floating = made("div", { class: "floating", "aria-hidden": "true", hidden: "" });
document.body.append(floating);

/**
 * Where a press begins, on a site or a store or neither; `fresh`: it was this press that filled the hand.
 * @typedef {{ site?: string | null, store?: number | null, fresh?: boolean }} Begun
 */

/**
 * The press that goes on; null if there is none.
 * @type {Required<Begun> & { x: number, y: number, drags: boolean, id: number } | null}
 */
let pressed = null;

/** How board units become points of the window; an Error while the board is not to be seen. */
function scaling() {
  const matrix = drawing()?.getScreenCTM();
  if (!matrix) throw new Error("the board is not to be seen");
  return matrix;
}

/**
 * Board units of a point of the window.
 * @param {MouseEvent} event
 * @returns {Point}
 */
function onBoard(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(scaling().inverse());
  return [at.x, at.y];
}

/** @param {MouseEvent} event */
function under(event) {
  const [x, y] = onBoard(event);
  const { at, pitch, stores } = given.board;
  return { site: siteAt(at, x, y, REACH * pitch), store: storeAt(stores, x, y), off: outside(x, y) };
}

/**
 * Whether a point lies beyond the outermost sites.
 * @param {number} x
 * @param {number} y
 */
function outside(x, y) {
  const { at, pitch } = given.board;
  /** @param {number} axis */
  const spread = (axis) => Object.values(at).map((place) => place[axis]);
  return [x, y].some((value, axis) => {
    return value < Math.min(...spread(axis)) - REACH * pitch || value > Math.max(...spread(axis)) + REACH * pitch;
  });
}

/** @param {PointerEvent} event */
function down(event) {
  if (event.button || pressed || !(mayMove() || state.making)) return;
  const { site, store } = under(event);
  if (site === null && store === null) return;
  focusOn(site === null ? `[data-store="${store}"]` : `[data-site="${site}"]`);
  const begun = begin(event, { site, store });
  if (state.hand || (site !== null && turns(site))) return;
  if (site !== null) begun.fresh = lift(site);
  else if (store !== null && !sowing()) begun.fresh = takeFrom(store);
}

/** @param {number} side */
function takeFrom(side) {
  supply(side + 1);
  return Boolean(state.hand);
}

/**
 * @param {PointerEvent} event
 * @param {Begun} begun
 */
function begin(event, { site = null, store = null, fresh = false }) {
  pressed = { x: event.clientX, y: event.clientY, site, store, fresh, drags: false, id: event.pointerId };
  float(event);
  return pressed;
}

/** @param {PointerEvent} event */
function move(event) {
  if (!drawing() || !state.hand) return;
  float(event);
  if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLOP) pressed.drags = true;
  if (pressed?.drags || event.pointerType === "mouse") point(under(event).site);
}

/** @param {PointerEvent} event */
function up(event) {
  if (!pressed || event.pointerId !== pressed.id) return;
  const { drags, fresh, site, store } = pressed;
  pressed = null;
  point(null);
  if (drags && state.hand) letFall(under(event));
  else if (!drags && !fresh && site !== null) touch(site);
  else if (!drags && !fresh && store !== null) touchStore(store);
  float(event);
}

/**
 * The end of a drag.
 * @param {{ site: string | null, store: number | null, off: boolean }} place
 */
function letFall({ site, store, off }) {
  if (site !== null) {
    if (!release(site)) giveUp();
  } else if (store !== null || off) leave(store);
  else giveUp();
}

/** @param {number | null} store */
function leave(store) {
  if (!sowing()) takeOff();
  else if (store !== null) touchStore(store);
}

/** @param {PointerEvent} event */
function cancel(event) {
  if (pressed && event.pointerId !== pressed.id) return;
  if (pressed?.drags || pressed?.fresh) giveUp();
  pressed = null;
  point(null);
}

/**
 * Show on which site the hand is.
 * @param {string | null} site
 */
function point(site) {
  for (const each of document.querySelectorAll(".site.over")) each.classList.remove("over");
  if (site) find(`[data-site="${site}"]`, SVGElement).classList.add("over");
}

/** @param {PointerEvent} event */
function float(event) {
  const aside = sowing() && !(event.target instanceof Element && event.target.closest(".board")); // they would lie over words and buttons
  floating.hidden = !state.hand || state.viewing !== null || aside || (event.pointerType !== "mouse" && !pressed);
  floating.classList.toggle("raised", !pressed?.drags); // so that it does not hide what it was lifted from
  floating.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
}

function fill() {
  if (!state.hand) {
    floating.hidden = true;
    point(null);
    return;
  }
  const { level, mark } = state.hand;
  const piece = sowing() ? seeds(level, 100) : stone(level, 100, true, mark);
  refill(floating, drawn("svg", { viewBox: "-50 -50 100 100" }, piece));
  const scale = scaling().a * pieceSize();
  floating.style.setProperty("--size", `${scale}px`);
}

/**
 * A press on a tray of new stones.
 * @param {PointerEvent} event
 * @param {number} level
 */
export function pressSupply(event, level) {
  if (event.button || !mayMove()) return;
  const had = state.hand;
  supply(level);
  if (!had) begin(event, { fresh: true });
}

/**
 * A finger with something in the hand drags it over the board, and does not scroll the page; else it does.
 * @param {Event} event
 */
function stay(event) {
  if (pressed && state.hand) event.preventDefault();
}

const board = element("board");
board.addEventListener("pointerdown", down);
board.addEventListener("mousedown", (event) => event.preventDefault()); // else a drag selects the words around
board.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target.closest("[data-site], [data-store]") : null;
  if (event.detail || !(target instanceof SVGElement)) return; // only a press without a pointer comes this way
  if (target.dataset.site) touch(target.dataset.site);
  else touchStore(Number(target.dataset.store));
});
board.addEventListener("touchstart", stay, { passive: false });
addEventListener("pointermove", move);
addEventListener("pointerup", up);
addEventListener("pointercancel", cancel);
document.body.append(drawn("svg", { class: "unseen", "aria-hidden": "true" }, shades()));
on("hand", fill);

// Keys --------------------------------------------------------------------------------------------------

const STORE = "store ";

/**
 * Where everything lies that can be focused: sites, and stores by their middle.
 * @returns {Places}
 */
function places() {
  const { at, stores } = given.board;
  const found = { ...at };
  (stores ?? []).forEach(([x, y, wide, high], side) => (found[STORE + side] = [x + wide / 2, y + high / 2]));
  return found;
}

function focused() {
  const active = document.activeElement;
  if (!(active instanceof SVGElement)) return null;
  const { site, store } = active.dataset;
  return site ?? (store === undefined ? null : STORE + store);
}

/** @param {string} place */
function focus(place) {
  const store = place.startsWith(STORE);
  focusOn(store ? `[data-store="${place.slice(STORE.length)}"]` : `[data-site="${place}"]`);
}

/**
 * @param {string} key
 * @param {boolean} pushes
 * @param {string} at
 */
function arrow(key, pushes, at) {
  if (pushes) return pushOn(at, WAYS[key]);
  const { at: sites } = given.board;
  const next = (at in sites && neighbour(sites, at, WAYS[key])) || neighbour(places(), at, WAYS[key]);
  if (next) focus(next);
}

/**
 * @param {string} at
 * @param {Point} way
 */
function pushOn(at, [dx, dy]) {
  if (at.startsWith(STORE)) return;
  const { at: sites, pitch } = given.board;
  const [x, y] = sites[at];
  pushToward(at, siteAt(sites, x + dx * pitch, y + dy * pitch, pitch / 4));
}

/** @param {string} at */
function act(at) {
  if (at.startsWith(STORE)) touchStore(Number(at.slice(STORE.length)));
  else touch(at);
}

/** @type {Record<string, (site: string) => void>} */
const ON_SITES = {
  d: (site) => layNew(site, 1),
  l: (site) => layNew(site, 2),
  f: (site) => turnOver(site),
  s: (site) => (sowing() ? makeTurn(site) : given.now.plan && carryOut(given.now.plan)),
  Delete: takeOff,
  Backspace: takeOff,
};
/** @type {Record<string, () => void>} */
const ANYWHERE = {
  u: () => press("undo"),
  h: () => press("hint"),
  e: () => press("done"),
  Escape: putBack,
};

/** @param {KeyboardEvent} event */
function keyed(event) {
  const at = focused();
  if (!at || event.ctrlKey || event.altKey || event.metaKey) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (name in WAYS) arrow(name, event.shiftKey, at);
  else if (name === "Enter" || name === " ") act(at);
  else if (name in ANYWHERE) ANYWHERE[name]();
  else if (name in ON_SITES && !at.startsWith(STORE)) ON_SITES[name](at);
  else return;
  event.preventDefault();
}

element("board").addEventListener("keydown", keyed);
addEventListener("pointerdown", () => document.body.classList.remove("by-keys"), true);
addEventListener("keydown", (event) => {
  document.body.classList.add("by-keys"); // where the focus is need not be shown to a mouse
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) putBack();
});
