/**
 * The board by mouse, finger and pen: press to lift, drag or tap to put, drag over the edge to take off. And by keyboard
 * alone: one tab stop, arrows from site to site, letters for what hands do.
 */

import { drawing, focusOn, pieceSize } from "./board.js";
import { drawn, element, made, refill } from "./elements.js";
import { neighbour, siteAt, storeAt, WAYS } from "./geometry.js";
import {
  carryOut, giveUp, layNew, lift, makeTurn, pushToward, putBack, release, sowing, supply, takeOff, touch, touchStore,
} from "./hand.js";
import { press } from "./panel.js";
import { seeds, shades, stone } from "./pieces.js";
import { mayMove, on, state } from "./state.js";

/** How far, in CSS pixels, a pointer moves before it drags. */
const SLOP = 6;
/** How far from the middle of a site it is still meant, in pitches. */
const REACH = 0.55;

const floating = made("div", { class: "floating", "aria-hidden": "true", hidden: "" });
document.body.append(floating);

/** The press that goes on: {x, y, site, store, fresh, drags}; `fresh`: it was this press that filled the hand. */
let pressed = null;

/** Board units of a point of the window. */
function onBoard(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing().getScreenCTM().inverse());
  return [at.x, at.y];
}

function under(event) {
  const [x, y] = onBoard(event);
  const { at, pitch, stores } = state.table.board;
  return { site: siteAt(at, x, y, REACH * pitch), store: storeAt(stores, x, y), off: outside(x, y) };
}

/** Whether a point lies beyond the outermost sites. */
function outside(x, y) {
  const { at, pitch } = state.table.board;
  const spread = (axis) => Object.values(at).map((place) => place[axis]);
  return [x, y].some((value, axis) => {
    return value < Math.min(...spread(axis)) - REACH * pitch || value > Math.max(...spread(axis)) + REACH * pitch;
  });
}

function down(event) {
  if (event.button || pressed || !(mayMove() || state.making)) return;
  const { site, store } = under(event);
  if (site === null && store === null) return;
  focusOn(site === null ? `[data-store="${store}"]` : `[data-site="${site}"]`);
  begin(event, { site, store });
  if (state.hand) return;
  if (site !== null) pressed.fresh = lift(site);
  else if (!sowing()) takeFrom(store);
}

function takeFrom(side) {
  supply(side + 1);
  pressed.fresh = Boolean(state.hand);
}

function begin(event, { site = null, store = null, fresh = false }) {
  pressed = { x: event.clientX, y: event.clientY, site, store, fresh, drags: false, id: event.pointerId };
  float(event);
}

function move(event) {
  if (!drawing() || !state.hand) return;
  float(event);
  if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLOP) pressed.drags = true;
  if (pressed?.drags || event.pointerType === "mouse") point(under(event).site);
}

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

/** The end of a drag. */
function letFall({ site, store, off }) {
  if (site !== null) {
    if (!release(site)) giveUp();
  } else if (store !== null || off) leave(store);
  else giveUp();
}

function leave(store) {
  if (!sowing()) takeOff();
  else if (store !== null) touchStore(store);
}

function cancel(event) {
  if (pressed && event.pointerId !== pressed.id) return;
  if (pressed?.drags || pressed?.fresh) giveUp();
  pressed = null;
  point(null);
}

/** Show on which site the hand is. */
function point(site) {
  for (const each of document.querySelectorAll(".site.over")) each.classList.remove("over");
  if (site) document.querySelector(`[data-site="${site}"]`).classList.add("over");
}

function float(event) {
  floating.hidden = !state.hand || state.viewing !== null || (event.pointerType !== "mouse" && !pressed);
  floating.classList.toggle("raised", !pressed?.drags); // so that it does not hide what it was lifted from
  floating.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
}

function fill() {
  if (!state.hand) {
    floating.hidden = true;
    point(null);
    return;
  }
  const { level } = state.hand;
  const piece = sowing() ? seeds(level, 100) : stone(level, 100);
  refill(floating, drawn("svg", { viewBox: "-50 -50 100 100" }, piece));
  const scale = drawing().getScreenCTM().a * pieceSize();
  floating.style.setProperty("--size", `${scale}px`);
}

/** A press on a tray of new stones. */
export function pressSupply(event, level) {
  if (event.button || !mayMove()) return;
  const had = state.hand;
  supply(level);
  if (!had) begin(event, { fresh: true });
}

/** A finger with something in the hand drags it over the board, and does not scroll the page; else it does. */
function stay(event) {
  if (pressed && state.hand) event.preventDefault();
}

const board = element("board");
board.addEventListener("pointerdown", down);
board.addEventListener("mousedown", (event) => event.preventDefault()); // else a drag selects the words around
board.addEventListener("click", (event) => {
  const target = event.target.closest("[data-site], [data-store]"); // only a press without a pointer comes this way
  if (event.detail || !target) return;
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

/** Where everything lies that can be focused: sites, and stores by their middle. */
function places() {
  const { at, stores } = state.table.board;
  const all = { ...at };
  (stores ?? []).forEach(([x, y, wide, high], side) => (all[STORE + side] = [x + wide / 2, y + high / 2]));
  return all;
}

function focused() {
  const { site, store } = document.activeElement?.dataset ?? {};
  return site ?? (store === undefined ? null : STORE + store);
}

function focus(place) {
  const store = place.startsWith(STORE);
  focusOn(store ? `[data-store="${place.slice(STORE.length)}"]` : `[data-site="${place}"]`);
}

function arrow(key, pushes, at) {
  if (pushes) return pushOn(at, WAYS[key]);
  const { at: sites } = state.table.board;
  const next = (at in sites && neighbour(sites, at, WAYS[key])) || neighbour(places(), at, WAYS[key]);
  if (next) focus(next);
}

function pushOn(at, [dx, dy]) {
  if (at.startsWith(STORE)) return;
  const { at: sites, pitch } = state.table.board;
  const [x, y] = sites[at];
  pushToward(at, siteAt(sites, x + dx * pitch, y + dy * pitch, pitch / 4));
}

function act(at) {
  if (at.startsWith(STORE)) touchStore(Number(at.slice(STORE.length)));
  else touch(at);
}

const ON_SITES = {
  d: (site) => layNew(site, 1),
  l: (site) => layNew(site, 2),
  s: (site) => (sowing() ? makeTurn(site) : state.now.plan && carryOut(state.now.plan)),
  Delete: takeOff,
  Backspace: takeOff,
};
const ANYWHERE = {
  u: () => press("undo"),
  h: () => press("hint"),
  e: () => press("done"),
  Escape: putBack,
};

function key(event) {
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

element("board").addEventListener("keydown", key);
addEventListener("pointerdown", () => document.body.classList.remove("by-keys"), true);
addEventListener("keydown", (event) => {
  document.body.classList.add("by-keys"); // where the focus is need not be shown to a mouse
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) putBack();
});
