/** Below the board: new stones to take, and what the hand holds with all that can be done with it. */

import { all, drawn, element, find, made, refill, tell } from "./elements.js";
import {
  carryOutAnyway, makeTurn, pushableBeside, putBack, release, sowing, supply, takeOff, thinking, turnOver,
} from "./hand.js";
import { pressSupply } from "./input.js";
import { stone } from "./pieces.js";
import { beside, levelOf } from "./shown.js";
import { lifted, nextStep, sown } from "./sowing.js";
import { afterwards, carried, given, mayMove, state } from "./state.js";
import { turnsOver } from "./ways.js";
import { stoneName, text } from "./words.js";

/** From the right, each an eighth of a turn on. */
const ARROWS = "→↗↑↖←↙↓↘";

/**
 * A small picture of a stone.
 * @param {number} level
 * @param {string} mark
 */
function picture(level, mark = "") {
  return drawn("svg", { viewBox: "-40 -40 80 80", "aria-hidden": "true" }, stone(level, 100, true, mark));
}

/**
 * @param {string} name
 * @param {() => void} press
 * @param {Record<string, string | number>} values
 * @param {string} sign
 */
function button(name, press, values = {}, sign = "") {
  const node = made("button", { type: "button", "data-hand": name }, sign || text(name, values));
  if (sign) node.setAttribute("aria-label", text(name, values));
  node.addEventListener("click", press);
  return node;
}

/** @param {number} level */
function tray(level) {
  const name = made("span", { class: "tray-name" });
  const node = made("button", { type: "button", class: "tray", "data-supply": level }, picture(level), name);
  node.addEventListener("mousedown", (event) => event.preventDefault()); // else a drag selects the words around
  node.addEventListener("pointerdown", (event) => pressSupply(event, level));
  node.addEventListener("click", (event) => event.detail || supply(level));
  return node;
}

/** @param {HTMLButtonElement} node */
function updateTray(node) {
  const level = Number(node.dataset.supply);
  const count = given.board.stores ? beside(level - 1) : null;
  const words = count === null ? stoneName(level) : text("stones-left", { stone: stoneName(level), count });
  tell(find(".tray-name", HTMLElement, node), words);
  node.classList.toggle("next", asked(level));
  node.disabled = !mayMove() || state.now?.state === "over";
}

/**
 * Whether the lights ask for a new stone of this level.
 * @param {number} level
 */
function asked(level) {
  if (state.hand || !state.now || carried()) return false;
  const cues = Object.entries(state.now.cues);
  if (cues.some(([, cue]) => ["begin", "tally"].includes(cue.kind))) return false; // first a piece is moved, or it is seen why
  if (cues.some(([site, cue]) => cue.kind === "wrong" && levelOf(site) === level)) return false; // there is one to take
  const kinds = state.now.state === "rest" ? ["target", "hint"] : ["place-here", "missing"];
  return cues.some(([, cue]) => cue.level === level && kinds.includes(cue.kind));
}

/**
 * The arrow that points from the stone in the hand to a site.
 * @param {string} site
 */
function arrow(site) {
  const { at } = given.board;
  const [[x, y], [toX, toY]] = [at[given.hand.from ?? site], at[site]];
  return ARROWS[Math.round((Math.atan2(y - toY, toX - x) * 4) / Math.PI + 8) % 8];
}

/** The ways in which the stone in the hand can push the row before it. */
function pushes() {
  /** @param {string} site */
  const named = (site) => `${text("push")} ${arrow(site)}`;
  return pushableBeside().map((site) => button("push-to", () => release(site), { site }, named(site)));
}

/** The way in which the stone in the hand can become another, in a game where stones do. */
function flipping() {
  return given.hand.from !== null && turnsOver() ? [button("flip", () => turnOver())] : [];
}

function choices() {
  if (sowing()) return sowChoices();
  if (!state.hand) return [];
  const { from, captured } = state.hand;
  const off = from === null ? [] : [button("take-off", () => takeOff())];
  const back = button("put-back", putBack);
  return captured ? [...off, back] : [back, ...off, ...flipping(), ...pushes()];
}

/** What can be done with a sowing that is begun: the hand goes on by itself only along the way of a turn. */
function sowChoices() {
  const { hand, trail } = state;
  if (state.making || !state.now) return [];
  const back = hand || trail.length ? [button("put-back", putBack)] : [];
  if (hand?.captured) return [button("to-store", () => takeOff(null)), ...(trail.length ? back : [])];
  const goes = !state.now.plan && trail.length && nextStep() && mayMove();
  return [...(goes ? [button("sow", () => makeTurn(sown()?.text ?? ""))] : []), ...back];
}

function inHand() {
  if (state.making && sowing()) return text("in-hand-new", { what: text("seeds", { count: lifted() }) });
  if (!state.hand) return "";
  const { from, level, mark } = state.hand;
  const what = sowing() ? text("seeds", { count: level }) : stoneName(level, mark);
  return text(from === null ? "in-hand-new" : "in-hand", { what, site: from ?? "" });
}

/** The trays stay the same while a finger is on one. */
function drawTrays() {
  const supplies = element("supply");
  supplies.hidden = sowing();
  if (!supplies.children.length) refill(supplies, tray(1), tray(2));
  for (const each of all(".tray", HTMLButtonElement, supplies)) updateTray(each);
}

function draw() {
  element("carry-out").hidden = !(state.now?.plan && mayMove() && !carried() && state.now.state !== "blind");
  document.body.classList.toggle("may-move", mayMove() && !thinking() && !carried());
  const shown = Boolean(state.table?.hands && state.table.board && state.page?.may);
  element("hands").hidden = !shown;
  if (!shown) return;
  drawTrays();
  drawHand();
}

function drawHand() {
  const { hand } = state;
  document.body.classList.toggle("holds", Boolean(hand));
  const place = element("in-hand");
  const words = inHand();
  const key = JSON.stringify([hand?.level, hand?.mark, words]);
  if (place.dataset.told !== key) refill(place, hand && !sowing() ? picture(hand.level, hand.mark) : null, made("span", {}, words));
  place.dataset.told = key;
  offer(choices());
  const next = state.trail.length && state.now && mayMove() ? nextStep() : null;
  for (const each of all(".site", SVGElement)) each.classList.toggle("due", each.dataset.site === next?.site);
}

element("carry-out").addEventListener("click", carryOutAnyway);

/**
 * Show these buttons; the same ones stay, for a finger may be on one.
 * @param {HTMLButtonElement[]} buttons
 */
function offer(buttons) {
  const key = buttons.map((each) => each.outerHTML).join("");
  const place = element("hand-buttons");
  if (place.dataset.offered !== key) refill(place, ...buttons);
  place.dataset.offered = key;
}

afterwards("hand trail page table story viewing connected alone now making", draw);
