/**
 * The hand: what it holds, and what it does with it on the simulated table.
 *
 * It is `state.hand`, null while it is empty; what it has done with seeds is in `state.trail`, see sowing.js.
 */

import { row, siteAt, WAYS } from "./geometry.js";
import { ask } from "./live.js";
import { expect, forget, levelOf, markOf, righted, takenOff } from "./shown.js";
import { capturing, note, sown, undone } from "./sowing.js";
import { carried, change, engineLevel, given, mayAct, mayMove, on, state } from "./state.js";
import { becomes, captures, rowsOf, turnsOver } from "./ways.js";
import { player, text } from "./words.js";

/** @import { Press } from "../types.d.ts" */
/** @import { Arrivals } from "./shown.js" */
/** @import { Hand } from "./state.js" */

/** Milliseconds for which a site is empty while a row slides on, or one piece takes another's place there. */
const SLIDE = 80;
/** Milliseconds without a change after which the hand that moves by itself counts as still. */
const STILL = 1200;
/** Milliseconds for which a site is touched to answer the table's question. */
const TOUCH = 400;

/**
 * What has to be laid when the line is back.
 * @type {Arrivals}
 */
let owed = [];

/** Whether the pieces are seeds. */
export function sowing() {
  return state.table?.pieces === "seeds";
}

/**
 * Say what a hand cannot do; the same sentence again is said again. Not urgent: it is no fault, only of no use.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 * @param {boolean} urgent
 */
export function complain(name, values, urgent = true) {
  change({ complaint: { text: text(name, values), urgent } });
}

/**
 * Have these sites hold these levels, at once; it is shown before the table confirms it.
 * @param {Arrivals} changes
 */
function lay(changes) {
  expect(changes);
  if (!ask({ do: "lay", changes: changes.map(([site, level]) => [site, level]) })) owed.push(...changes);
}

/** @param {Hand | null} hand */
const hold = (hand) => change({ hand });

/**
 * Have a pit hold `level` seeds.
 * @param {string} site
 * @param {number} level
 */
function pour(site, level) {
  note(site, level);
  lay([[site, level]]);
}

/** Whether the engine is to move and has not yet chosen its turn. */
export function thinking() {
  const { now } = state;
  return now !== null && engineLevel(now.side) > 0 && !now.plan && now.state === "rest";
}

/** Whether a hand may touch the board now; if not, and not for good, the reason is said. */
function free() {
  if (state.making || carried() || righted()) complain("still-making", {}, false);
  else if (mayMove() && thinking()) complain("guide-thinking", { player: player(given.now.side) }, false);
  return mayMove() && !thinking() && !carried() && !righted();
}

/**
 * Lift what lies on `site`; whether there was something and the hand was free.
 * @param {string} site
 */
export function lift(site) {
  const [level, mark] = [levelOf(site), markOf(site)];
  if (state.hand || !level || !free()) return false;
  const answers = asked(site, "ask");
  if (sowing() && !answers) pour(site, 0);
  else lay([[site, 0]]);
  const taken = asked(site, "capture") && !answers;
  if (taken && !sowing()) return hold(null), true; // it goes to the tray
  const captured = sowing() && capturing();
  hold({ from: site, level, mark, moved: false, captured, answers });
  if (answers) setTimeout(() => state.hand?.answers && putBack(), TOUCH);
  return true;
}

/**
 * Whether the lights say `kind` of a site, be it under a hint.
 * @param {string} site
 * @param {string} kind
 */
function asked(site, kind) {
  const cue = given.now.cues[site];
  return cue?.kind === kind || cue?.under === kind;
}

/**
 * Answer on an empty site: something lies there for a moment.
 * @param {string} site
 */
function touchEmpty(site) {
  lay([[site, 1]]);
  setTimeout(() => lay([[site, 0]]), TOUCH);
  hold(null);
}

/**
 * Take a stone of this level from the supply, or lay back the one in the hand.
 * @param {number} level
 */
export function supply(level) {
  if (!free()) return;
  const back = state.hand && (state.hand.from !== null || state.hand.level === level);
  hold(back ? null : { from: null, level, mark: "", moved: false, captured: false, answers: false });
}

/**
 * Put what the hand holds on `site`, let one seed fall there, or push the row that leads there; whether it could.
 * @param {string} site
 */
export function release(site) {
  if (!mayMove() || !state.hand) return false;
  if (state.hand.answers || (sowing() && site === state.hand.from && !state.hand.moved)) return relay();
  if (sowing()) return drop(site);
  const pushed = pushable(site);
  if (pushed) return push(pushed);
  if (!levelOf(site)) lay([[site, state.hand.level, state.hand.mark]]);
  else if (captures(state.hand, site)) exchange(site, state.hand.level, state.hand.mark);
  else return refuse(site);
  hold(null);
  return true;
}

/**
 * Take off what lies on `site`, and at once lay another piece there.
 * @param {string} site
 * @param {number} level
 * @param {string} mark
 */
function exchange(site, level, mark = "") {
  ask({ do: "lay", changes: [[site, 0]] });
  expect([[site, level, mark]]);
  setTimeout(() => lay([[site, level, mark]]), SLIDE);
}

/**
 * Have the stone in the hand, or the one on `site`, become one of the other colour.
 * @param {string | null} site
 */
export function turnOver(site = null) {
  if (!turnsOver() || !free()) return;
  const { from, level } = state.hand ?? { from: site, level: levelOf(site ?? "") };
  if (from === null) return;
  if (!level) complain("nothing-here", { site: from }, false);
  else if (state.hand) lay([[from, 3 - level]]);
  else exchange(from, 3 - level);
  hold(null);
}

/** Lay what was lifted last where it was lifted. */
function relay() {
  const { from, level, mark } = given.hand;
  if (from !== null) lay([[from, levelOf(from) + level, mark]]);
  change({ hand: null, trail: given.hand.answers ? state.trail : state.trail.slice(0, -1) });
  return true;
}

/** @param {string} site */
function refuse(site) {
  const pushing = given.table.pushes && given.hand.from !== null;
  complain(pushing ? "taken-row" : "taken", { site });
  return false;
}

/** @param {string} site */
function drop(site) {
  const { from, level } = given.hand;
  pour(site, levelOf(site) + 1);
  hold(level > 1 ? { from, level: level - 1, mark: "", moved: true, captured: false, answers: false } : null);
  return true;
}

/**
 * The row that the stone in the hand would push toward `site`, see row(); null if that is no push in this game.
 * @param {string} site
 */
export function pushable(site) {
  const { from } = given.hand;
  if (from === null || site === from) return null;
  const pushed = rowsOf(given.hand).find((line) => line.includes(site) && levelOf(line[0]));
  if (pushed) return pushed;
  return given.table.pushes ? row(given.board, from, site, levelOf) : null;
}

/** The sites beside the stone in the hand whose rows it can push: those of turns, and others along files and ranks. */
export function pushableBeside() {
  const { from } = given.hand;
  if (from === null) return [];
  const { at, pitch } = given.board;
  const [x, y] = at[from];
  const beside = Object.values(WAYS).map(([dx, dy]) => siteAt(at, x + dx * pitch, y + dy * pitch, pitch / 4));
  const sites = [...new Set([...beside, ...rowsOf(given.hand).map(([next]) => next)])];
  return sites.filter((site) => site !== null).filter((site) => levelOf(site) && pushable(site));
}

/**
 * Push a row one place on: its sites, the empty one last. The stone in the hand is the last of the row.
 * @param {string[]} line
 */
function push(line) {
  const levels = [given.hand.level, ...line.slice(0, -1).map(levelOf)];
  const marks = [given.hand.mark, ...line.slice(0, -1).map(markOf)];
  /** @type {Arrivals} */
  const arrived = line.map((site, place) => [site, levels[place], marks[place]]);
  ask({ do: "lay", changes: line.slice(0, -1).map((site) => [site, 0]) });
  expect(arrived);
  setTimeout(() => lay(arrived), SLIDE);
  change({ hand: null, pushed: [{ kind: "push", sites: [given.hand.from ?? "", ...line], levels }] });
  return true;
}

/**
 * Push what lies on `site`, and the row before it, one place toward `target`.
 * @param {string} site
 * @param {string | null} target
 */
export function pushToward(site, target) {
  if (!mayMove() || sowing() || state.hand) return;
  if (!levelOf(site)) complain("nothing-here", { site }, false);
  else if (lift(site) && !(target && release(target))) putBack();
}

/**
 * Lay a new stone from the supply on `site`.
 * @param {string} site
 * @param {number} level
 */
export function layNew(site, level) {
  if (sowing() || !free()) return;
  if (levelOf(site)) complain("taken", { site });
  else lay([[site, level]]);
  hold(state.hand);
}

/**
 * Take what lies on `site`, or in the hand, off the board; of seeds only what is captured.
 * @param {string | null} site
 */
export function takeOff(site = null) {
  if (!state.hand?.captured && !free()) return; // what is captured lies on no site, whoever is to move
  if (sowing() && !state.hand?.captured) return complain("store-use", {}, false);
  if (!state.hand && site && levelOf(site)) lay([[site, 0]]);
  hold(null);
}

/** Lay what the hand holds back where it was lifted from; of a sowing all that the hand has done in this turn. */
export function putBack() {
  if (sowing()) return gather();
  if (!state.hand) return;
  const { from, level, mark } = state.hand;
  if (from !== null && !levelOf(from)) lay([[from, level, mark]]);
  hold(null);
}

/** What the hand holds was captured by the turn that counts now: it lies beside the board. */
function laidAside() {
  const { hand } = state;
  if (hand?.from && !sowing() && takenOff(hand.from, hand.level)) hold(null);
}

/** Empty the hand: what is captured stays off the board, all else goes back. */
function settle() {
  laidAside();
  putBack();
}

/** Give up a gesture that has just lifted something; seeds that are being sown stay in the hand. */
export function giveUp() {
  if (!sowing()) putBack();
  else if (state.hand && !state.hand.moved) relay();
}

function gather() {
  const { hand, trail } = state;
  if (state.making) return; // the seeds are in the other hand
  if (hand?.answers) return relay();
  if (trail.length && undone().length) lay(undone());
  else if (hand?.from && !hand.captured) lay([[hand.from, levelOf(hand.from) + hand.level]]);
  if (hand || trail.length) change({ hand: null, trail: [] });
}

/** Let go of what the hand holds: the table is about to be laid anew. */
export function letGo() {
  forget();
  change({ hand: null, trail: [] });
}

/**
 * Let the simulated hand make the turn that begins on `site`, or what is left of the one that is being sown.
 * @param {string} site
 */
export function makeTurn(site) {
  const begun = sown();
  if (!begun && state.trail.length) complain("other-way");
  else carryOut(begun?.text ?? site);
}

/**
 * Let the simulated hand make the turn of this text, or what is left of it.
 * @param {string} turn
 */
export function carryOut(turn) {
  if (!mayMove()) return;
  if (!sowing()) settle();
  if (!ask({ do: "make", turn })) return;
  change({ making: true, hand: null });
  watch();
}

let still = 0;

/** Leave the pieces to the simulated hand until nothing changes any more. */
function watch() {
  clearTimeout(still);
  if (state.making) still = setTimeout(() => change({ making: false }), STILL);
}

/**
 * The stone that the lights ask for on an empty site, 1 or 2; 0 if they ask for none.
 * @param {string} site
 */
function wanted(site) {
  const { kind, level } = given.now.cues[site] ?? {};
  const first = given.now.state === "rest" && !Object.values(given.now.cues).some((cue) => cue.kind === "begin");
  const placed = ["place-here", "missing"].includes(kind) || (["target", "hint"].includes(kind) && first);
  return placed && !sowing() && !levelOf(site) ? level : 0;
}

/**
 * Whether the lights ask for another piece on a site where some turn has the one that lies there become another.
 * @param {string} site
 */
export function turns(site) {
  const { kind, level } = given.now.cues[site] ?? {};
  const lies = levelOf(site);
  return kind === "place-here" && lies > 0 && level !== lies && becomes(site, level);
}

/**
 * What one does with a site by tapping it or by Enter: lift, lay the stone that is asked for, put what was lifted.
 * @param {string} site
 */
export function touch(site) {
  if (!free()) return;
  if (state.hand) release(site);
  else if (turns(site)) turnOver(site);
  else if (asked(site, "ask") && !levelOf(site)) touchEmpty(site);
  else if (wanted(site)) layNew(site, wanted(site));
  else if (!lift(site)) complain(sowing() ? "empty-pit" : "nothing-here", { site }, false);
}

/**
 * The same with the store of a player: what is captured goes there; in games of stones new ones lie there.
 * @param {number} side
 */
export function touchStore(side) {
  if (sowing()) takeOff(null);
  else if (free()) supply(side + 1);
}

// The buttons of the table, and the engine's turn -----------------------------------------------------

/**
 * A button of the table is pressed: what the hand holds is seen to first. Whether there is anything left to ask: what
 * is begun is taken back before what is done, and no turn is done with seeds still in the hand.
 * @param {Press["button"]} button
 */
export function readyFor(button) {
  if (button === "hint") return true;
  if (state.making) return stops(button);
  const { hand, trail } = state;
  const sows = sowing() && hand && !hand.captured;
  if (button === "done" && sows) complain("seeds-left", { count: hand.level });
  else if (button === "undo" && (trail.length || (hand && hand.from !== null))) putBack();
  else if (!sowing()) return settle(), true;
  else return change({ hand: null }), true;
  return false;
}

/**
 * The hand that moves by itself is stopped by Undo alone: it puts back what it has done.
 * @param {Press["button"]} button
 */
function stops(button) {
  if (button !== "undo") {
    complain("still-making", {}, false);
    return false;
  }
  letGo();
  change({ making: false });
  return true;
}

/** The turn to carry out as soon as the board is right; empty if there is none. */
let waits = "";

/** Carry out the engine's turn, from wherever the board stands: what is no part of it is put right first. */
export function carryOutAnyway() {
  const { plan, state: now } = given.now;
  if (["rest", "under-way", "complete"].includes(now)) return carryOut(plan);
  letGo();
  waits = ask({ do: "mishap", what: "tidy" }) ? plan : "";
}

function goOn() {
  if (!waits || given.now.state !== "rest") return;
  const turn = waits;
  waits = "";
  if (given.now.plan === turn) carryOut(turn);
}

// What the table tells ------------------------------------------------------------------------------

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
  change({ making: false, hand: state.hand?.from && levelOf(state.hand.from) && !sowing() ? null : state.hand });
  if (sowing()) setTimeout(putBack, STILL); // else a seed that did not fall would be lost
}

let game = "";

function newTable() {
  const key = JSON.stringify([given.table.game, given.table.options]);
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
on("story", () => state.making && change({ making: false }));
on("story", laidAside);
on("viewing", () => state.viewing !== null && !sowing() && putBack());
on("refusal", refused);
on("now", goOn);
on("story table refusal", () => (waits = ""));
addEventListener("pagehide", putBack);
/** What is still held when the turn has become another's is off the board, or was never lifted at the table. */
on("seats", () => state.hand && !mayAct() && letGo());
/** Other hands lay all anew, what is held here too. */
on("now said", () => righted() && (state.hand || state.trail.length) && letGo());
