/**
 * The hand: what it holds, and what it does with it on the simulated table.
 *
 * `state.hand` is null or {from, level, moved, captured}. `from`: the site it lifted from, null for the supply.
 * `level`: which stone, 1 or 2; in games with seeds how many it still holds. `moved`: it has let a seed fall since.
 * `captured`: the lights said of what it lifted that it is captured.
 */

import { row } from "./geometry.js";
import { ask } from "./live.js";
import { expect, forget, levelOf } from "./shown.js";
import { change, mayMove, on, state } from "./state.js";
import { text } from "./words.js";

/** Milliseconds for which the sites of a pushed row are empty: a finger's push, as sensors see it. */
const SLIDE = 80;
/** Milliseconds without a change after which a turn that the simulated hand makes counts as made. */
const STILL = 1200;
/** Milliseconds for which a site is touched to answer the table's question. */
const TOUCH = 400;

/** What has to be laid when the line is back: pairs of a site and a level. */
let owed = [];

/** Whether the pieces are seeds. */
export function sowing() {
  return state.table?.pieces === "seeds";
}

/** Say what a hand cannot do; the same sentence again is said again. */
export function complain(name, values) {
  change({ complaint: text(name, values) });
}

/** Have these sites hold these levels, at once; it is shown before the table confirms it. */
function lay(changes) {
  expect(changes);
  if (!ask({ do: "lay", changes })) owed.push(...changes);
}

function hold(hand) {
  change({ hand });
}

/** Lift what lies on `site`; whether there was something and the hand was free. */
export function lift(site) {
  const level = levelOf(site);
  if (!mayMove() || state.hand || !level) return false;
  lay([[site, 0]]);
  hold({ from: site, level, moved: false, captured: asked(site, "capture") });
  if (asked(site, "ask")) setTimeout(() => state.hand?.from === site && putBack(), TOUCH);
  return true;
}

/** Whether the lights say `kind` of a site. */
function asked(site, kind) {
  return state.now.cues[site]?.kind === kind;
}

/** Answer on an empty site: something lies there for a moment. */
function touchEmpty(site) {
  lay([[site, 1]]);
  setTimeout(() => lay([[site, 0]]), TOUCH);
  hold(null);
}

/** Take a stone of this level from the supply, or lay back the one in the hand. */
export function supply(level) {
  if (!mayMove()) return;
  const back = state.hand && (state.hand.from !== null || state.hand.level === level);
  hold(back ? null : { from: null, level, moved: false, captured: false });
}

/** Put what the hand holds on `site`, let one seed fall there, or push the row that leads there; whether it could. */
export function release(site) {
  if (!mayMove() || !state.hand) return false;
  if (sowing()) return drop(site);
  const pushed = state.hand.from === null ? null : row(state.table.board, state.hand.from, site, levelOf);
  if (pushed) return push(pushed);
  if (levelOf(site)) return refuse(site);
  lay([[site, state.hand.level]]);
  hold(null);
  return true;
}

function refuse(site) {
  complain(state.hand.from === null ? "taken" : "taken-row", { site });
  return false;
}

function drop(site) {
  const { from, level } = state.hand;
  lay([[site, levelOf(site) + 1]]);
  hold(level > 1 ? { from, level: level - 1, moved: true, captured: false } : null);
  return true;
}

/** Push a row one place on: its sites, the empty one last. The stone in the hand is the last of the row. */
function push(sites) {
  const levels = [state.hand.level, ...sites.slice(0, -1).map(levelOf)];
  const arrived = sites.map((site, place) => [site, levels[place]]);
  ask({ do: "lay", changes: sites.slice(0, -1).map((site) => [site, 0]) });
  expect(arrived);
  setTimeout(() => lay(arrived), SLIDE);
  hold(null);
  return true;
}

/** Push what lies on `site`, and the row before it, one place toward `target`. */
export function pushToward(site, target) {
  if (!mayMove() || sowing()) return;
  if (state.hand) return;
  if (!lift(site)) complain("nothing-here", { site });
  else if (!target || !release(target)) putBack();
}

/** Lay a new stone from the supply on `site`. */
export function layNew(site, level) {
  if (!mayMove() || sowing()) return;
  if (levelOf(site)) complain("taken", { site });
  else lay([[site, level]]);
  hold(state.hand);
}

/** Take what lies on `site`, or in the hand, off the board. */
export function takeOff(site) {
  if (!mayMove()) return;
  if (!state.hand && levelOf(site)) lay([[site, 0]]);
  hold(null);
}

/** Lay what the hand holds back where it was lifted from. */
export function putBack() {
  if (!state.hand) return;
  const { from, level } = state.hand;
  if (from !== null && (sowing() || !levelOf(from))) lay([[from, levelOf(from) + level]]);
  hold(null);
}

/** Let go of what the hand holds: the table is about to be laid anew. */
export function letGo() {
  forget();
  hold(null);
}

/** Let the simulated hand make the whole turn that begins on `site`. */
export function makeTurn(site) {
  if (!mayMove()) return;
  if (state.hand && state.hand.from === site && !state.hand.moved) putBack();
  if (!ask({ do: "make", turn: site })) return;
  change({ making: true });
  watch();
}

let still = 0;

/** Leave the pieces to the simulated hand until nothing changes any more. */
function watch() {
  clearTimeout(still);
  if (state.making) still = setTimeout(() => change({ making: false }), STILL);
}

/** What one does with a site by tapping it or by Enter: lift, or put what was lifted. */
export function touch(site) {
  if (!mayMove()) return;
  if (state.hand) release(site);
  else if (asked(site, "ask") && !levelOf(site)) touchEmpty(site);
  else if (!lift(site)) complain(sowing() ? "empty-pit" : "nothing-here", { site });
}

/** The same with the store of a player: what is in the hand goes there; in games of stones new ones lie there. */
export function touchStore(side) {
  if (!mayMove()) return;
  if (!sowing()) supply(side + 1);
  else if (state.hand) hold(null);
  else complain("store-use");
}

function mend() {
  if (!state.connected) return putBack();
  if (!owed.length || !mayMove() || !state.now) return;
  const changes = owed;
  owed = [];
  lay(changes);
}

/** What was asked last is not done: the board is as the table tells it, and so is what the hand can hold. */
function refused() {
  forget();
  change({ making: false, hand: state.hand && levelOf(state.hand.from) && !sowing() ? null : state.hand });
}

let game = "";

function newTable() {
  const key = JSON.stringify([state.table.game, state.table.options]);
  if (key !== game) {
    owed = [];
    letGo();
  }
  game = key;
}

on("connected", mend);
on("table", newTable);
on("now", mend);
on("now", watch);
on("viewing", () => state.viewing !== null && putBack());
on("refusal", refused);
addEventListener("pagehide", putBack);
