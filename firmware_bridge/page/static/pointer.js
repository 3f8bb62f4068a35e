/** Mouse, finger and pen on the board: press to lift, drag or tap to put, drag over the edge to take off. */

import { drawing, focusOn, pieceSize } from "./board.js";
import { drawn, refill } from "./drawn.js";
import { siteAt, storeAt } from "./geometry.js";
import { giveUp, lift, release, sowing, supply, takeOff, touch, touchStore } from "./hand.js";
import { shades, seeds, stone } from "./pieces.js";
import { element, mayMove, on, state } from "./state.js";
import { made } from "./words.js";

/** How far, in CSS pixels, a pointer moves before it drags. */
const SLOP = 6;
/** How far from the middle of a site it is still meant, in pitches. */
const REACH = 0.55;

const floating = made("div", { class: "floating", "aria-hidden": "true", hidden: "" });
document.body.append(floating);

/** The press that goes on: {x, y, site, store, fresh, drags}; `fresh`: it was this press that filled the hand. */
let press = null;

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
  if (event.button || press || !(mayMove() || state.making)) return;
  const { site, store } = under(event);
  if (site === null && store === null) return;
  focusOn(site === null ? `[data-store="${store}"]` : `[data-site="${site}"]`);
  begin(event, { site, store });
  if (state.hand) return;
  if (site !== null) press.fresh = lift(site);
  else if (!sowing()) takeFrom(store);
}

function takeFrom(side) {
  supply(side + 1);
  press.fresh = Boolean(state.hand);
}

function begin(event, { site = null, store = null, fresh = false }) {
  press = { x: event.clientX, y: event.clientY, site, store, fresh, drags: false, id: event.pointerId };
  float(event);
}

function move(event) {
  if (!drawing() || !state.hand) return;
  float(event);
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP) press.drags = true;
  if (press?.drags || event.pointerType === "mouse") point(under(event).site);
}

function up(event) {
  if (!press || event.pointerId !== press.id) return;
  const { drags, fresh, site, store } = press;
  press = null;
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
  if (press && event.pointerId !== press.id) return;
  if (press?.drags || press?.fresh) giveUp();
  press = null;
  point(null);
}

/** Show on which site the hand is. */
function point(site) {
  for (const each of document.querySelectorAll(".site.over")) each.classList.remove("over");
  if (site) document.querySelector(`[data-site="${site}"]`).classList.add("over");
}

function float(event) {
  floating.hidden = !state.hand || state.viewing !== null || (event.pointerType !== "mouse" && !press);
  floating.classList.toggle("raised", !press?.drags); // so that it does not hide what it was lifted from
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
  if (press && state.hand) event.preventDefault();
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
