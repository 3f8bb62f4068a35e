/** The board by keyboard alone: one tab stop, arrows from site to site, letters for what hands do. */

import { focusOn } from "./board.js";
import { neighbour, siteAt, WAYS } from "./geometry.js";
import { carryOut, layNew, makeTurn, pushToward, putBack, sowing, takeOff, touch, touchStore } from "./hand.js";
import { press } from "./panel.js";
import { element, state } from "./state.js";

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
  const { at: places, pitch } = state.table.board;
  const [x, y] = places[at];
  pushToward(at, siteAt(places, x + dx * pitch, y + dy * pitch, pitch / 4));
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
