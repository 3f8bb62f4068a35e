/** Below the board: new stones to take, and what the hand holds with all that can be done with it. */

import { drawn, refill } from "./drawn.js";
import { row, siteAt, WAYS } from "./geometry.js";
import { makeTurn, putBack, release, sowing, supply, takeOff } from "./hand.js";
import { stone } from "./pieces.js";
import { pressSupply } from "./pointer.js";
import { levelOf } from "./shown.js";
import { element, mayMove, on, state } from "./state.js";
import { made, stoneName, text } from "./words.js";

const ARROWS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** A small picture of a stone. */
function picture(level) {
  return drawn("svg", { viewBox: "-40 -40 80 80", "aria-hidden": "true" }, stone(level, 100));
}

function button(name, press, values = {}, sign = "") {
  const node = made("button", { type: "button", "data-hand": name }, sign || text(name, values));
  if (sign) node.setAttribute("aria-label", text(name, values));
  node.addEventListener("click", press);
  return node;
}

function tray(level) {
  const name = made("span", { class: "tray-name" });
  const node = made("button", { type: "button", class: "tray", "data-supply": level }, picture(level), name);
  node.addEventListener("mousedown", (event) => event.preventDefault()); // else a drag selects the words around
  node.addEventListener("pointerdown", (event) => pressSupply(event, level));
  node.addEventListener("click", (event) => event.detail || supply(level));
  return node;
}

function updateTray(node) {
  const level = Number(node.dataset.supply);
  const count = (state.table.board.stores && state.story?.beside?.[level - 1]) ?? null;
  const words = count === null ? stoneName(level) : text("stones-left", { stone: stoneName(level), count });
  node.querySelector(".tray-name").textContent = words;
  node.classList.toggle("next", asked(level));
  node.disabled = !mayMove();
}

/** Whether the lights ask for a new stone of this level. */
function asked(level) {
  if (state.hand || !state.now) return false;
  const owed = (cue) => cue.level === level && state.table.lights.spoken.includes(cue.kind);
  const cues = Object.values(state.now.cues);
  return cues.some((cue) => owed(cue) || (cue.kind === "target" && cue.level === level && state.now.state === "rest"));
}

/** The ways in which the stone in the hand can push the row before it. */
function pushes() {
  const { from } = state.hand;
  if (from === null || sowing()) return [];
  const { at, pitch } = state.table.board;
  const beside = Object.entries(WAYS).map(([key, [dx, dy]]) => {
    return [key, siteAt(at, at[from][0] + dx * pitch, at[from][1] + dy * pitch, pitch / 4)];
  });
  const taken = beside.filter(([, site]) => site && levelOf(site) && row(state.table.board, from, site, levelOf));
  return taken.map(([key, site]) => button("push-to", () => release(site), { site }, `${text("push")} ${ARROWS[key]}`));
}

function choices() {
  const { from, captured } = state.hand;
  if (sowing()) return [...sowChoices(), button("put-back", putBack)];
  const off = from === null ? [] : [button("take-off", () => takeOff())];
  return captured ? [...off, button("put-back", putBack)] : [button("put-back", putBack), ...off, ...pushes()];
}

/** Where no lights tell what is captured, the store is offered as well. */
function sowChoices() {
  const { from, moved, captured } = state.hand;
  const sow = moved || captured ? [] : [button("sow", () => makeTurn(from))];
  const store = captured || state.table.mode !== "coach" ? [button("to-store", () => takeOff())] : [];
  return [...sow, ...store];
}

function inHand() {
  const { from, level } = state.hand;
  const what = sowing() ? text("seeds", { count: level }) : stoneName(level);
  return text(from === null ? "in-hand-new" : "in-hand", { what, site: from });
}

/** The trays stay the same while a finger is on one. */
function drawTrays() {
  const supplies = element("supply");
  supplies.hidden = sowing();
  if (!supplies.children.length) refill(supplies, tray(1), tray(2));
  for (const each of supplies.children) updateTray(each);
}

function draw() {
  document.body.classList.toggle("may-move", mayMove());
  const shown = Boolean(state.table?.hands && state.table.board && state.page?.may);
  element("hands").hidden = !shown;
  if (!shown) return;
  drawTrays();
  drawHand();
}

function drawHand() {
  document.body.classList.toggle("holds", Boolean(state.hand));
  if (state.hand) {
    refill(element("in-hand"), sowing() ? null : picture(state.hand.level), made("span", {}, inHand()));
    refill(element("hand-buttons"), ...choices());
  } else {
    refill(element("in-hand"), text("hand-empty"));
    refill(element("hand-buttons"));
  }
}

on("hand page table story viewing connected alone now making", draw);
