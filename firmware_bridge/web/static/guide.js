/** One line: the very next thing to do. What is but a lesson, and learned, is told only where nothing else is. */

import { element, unbroken } from "./elements.js";
import { pushable, pushableBeside, sowing, thinking, turns as turned } from "./hand.js";
import { levelOf, mistaken, resting, righted, sites } from "./shown.js";
import { owing, sown, strayed } from "./sowing.js";
import { carried, change, given, mayMove, on, state } from "./state.js";
import { arrives, captures as taking, goal, goesTo, rowsBegun } from "./ways.js";
import { player, stoneName, text } from "./words.js";

/** @import { CueForm, NowForm } from "../types.d.ts" */

/** Told until a turn was made with it; all else is told each time. */
const LESSONS = new Set([
  "guide-lift", "guide-place-dark", "guide-place-light", "guide-put", "guide-move-square", "guide-move-point",
  "guide-sow", "guide-drop-first", "guide-done", "guide-hint",
  "guide-hint-one", "guide-push",
]);
/** Sites that a sentence lists at most; of pits, which are few, all. */
const LISTED = 6;
const SHADES = ["", "dark", "light"];
/**
 * What to do: the name of a sentence, with its values, and the rule that asks for it.
 * @typedef {{ name: string, values?: Record<string, string | number>, why?: string }} Advice
 */

/**
 * A cue with its site.
 * @typedef {CueForm & { site: string }} Placed
 */

/**
 * The lessons learned in this game, and those given.
 * @type {Set<string>}
 */
let known = new Set();
/** @type {Set<string>} */
let taught = new Set();
/** The name of the sentence that is shown: a capture may count as soon as the piece is lifted. */
let current = "";
let game = "";
let turns = 0;

/** @param {...string} kinds */
function cuesOf(...kinds) {
  const found = Object.entries(given.now.cues).filter(([, cue]) => kinds.includes(cue.kind));
  return found.map(([site, cue]) => ({ site, ...cue }));
}

/**
 * @param {...string} kinds
 * @returns {Placed | undefined}
 */
function cueOf(...kinds) {
  return cuesOf(...kinds)[0];
}

/**
 * The sentence for the moment; null if there is nothing to tell.
 * @returns {Advice | null}
 */
function next() {
  if (state.making || carried()) return { name: "guide-watch" };
  if (!mayMove()) return watched();
  if (thinking()) return { name: "guide-thinking", values: { player: player(given.now.side) } };
  if (state.hand?.captured) return { name: sowing() ? "guide-to-store" : "guide-off" };
  const { state: now, plan } = given.now;
  if (sowing() && state.trail.length && now !== "setting" && !cueOf("ask")) return sowOn();
  if (plan && ["rest", "under-way", "complete"].includes(now)) return carryOut(plan);
  /** @type {Partial<Record<NowForm["state"], () => Advice | null>>} */
  const byState = { rest: begin, "under-way": goOn, complete: finish, which: answer, astray: mend, setting: setUp };
  return byState[now]?.() ?? null;
}

/** For those who move nothing on the page: watchers, and players at a real table. */
function watched() {
  return state.viewing === null && given.now.state === "under-way" && coached() ? { name: "guide-go-on" } : null;
}

/** Whether the lights show where pieces may go. */
function coached() {
  return given.table.mode === "coach";
}

function begin() {
  if (mistaken()) return { name: "guide-mistaken", values: { sites: listed(owing()) } };
  if (state.hand && !sowing()) return newInHand();
  const place = cueOf("target", "hint");
  if (cueOf("hint") && !state.hand && given.table.lesson?.puzzle) return null; // it is told, and not every light is good
  if (cueOf("hint") && !state.hand) return { name: cuesOf("hint").length > 1 ? "guide-hint" : "guide-hint-one" };
  if (!cueOf("movable", "target", "hint")) return null;
  if (sowing()) return { name: "guide-sow" };
  if (!place?.level) return { name: "guide-lift" };
  return { name: `guide-place-${SHADES[place.level]}` };
}

/** The hand holds a stone, and the turn is not yet begun: a new one, or one without which the board is at rest. */
function newInHand() {
  const { from, level } = given.hand;
  if (from === null && !coached()) return { name: "guide-free" };
  if (from !== null) return given.now.levels[sites().indexOf(from)] ? null : { name: "guide-off" }; // else not yet seen
  return cuesOf("target", "hint").some((cue) => cue.level === level) ? { name: "guide-put" } : notNow();
}

/** @returns {Advice | null} */
function goOn() {
  const owed = cueOf("place-here");
  const over = flipping();
  const captures = [...cuesOf("capture"), ...cuesOf("hint").filter((cue) => cue.under === "capture")];
  if (state.hand) return sowing() ? null : inHand(owed);
  if (over.length) return { name: "guide-flip", values: { sites: over.join(", ") } };
  if (captures.length && !owed) return capture(captures);
  if (!owed) return coached() ? restOfRow() ?? { name: "guide-go-on" } : null;
  return { name: `guide-new-${SHADES[owed.level] ?? "dark"}`, values: { site: owed.site } };
}

/**
 * The next stone of the row that was begun from its far end; null if there is none, or more than one.
 * @returns {Advice | null}
 */
function restOfRow() {
  const [step, another] = new Map(rowsBegun().map((each) => [each.join(), each])).values();
  return step && !another ? { name: "guide-row", values: { from: step[0], site: step[1] } } : null;
}

/** The sites of pieces that are to become others. */
function flipping() {
  return cuesOf("place-here").map(({ site }) => site).filter(turned);
}

/**
 * What may be done with the stone in the hand; `owed`: where a new one is to be laid, if anywhere.
 * @param {Placed | undefined} owed
 */
function inHand(owed) {
  if (!coached()) return { name: "guide-free" };
  const { from, level } = given.hand;
  const lit = cuesOf("target", "hint", "travelling", "capture").filter(({ site }) => site !== from && goesTo(given.hand, site));
  if (lit.length) return { name: pushableBeside().length ? "guide-push" : move(lit) };
  if (owed?.level === level) return { name: "guide-lay", values: { site: owed.site } };
  if (owed && owed.site === from) return { name: "guide-off" }; // another stone is to lie there
  return from === null ? notNow() : outOfPlace();
}

/** @param {Placed[]} lit */
function move(lit) {
  if (lit.every(({ site }) => levelOf(site) && taking(given.hand, site))) return "guide-capture-there";
  return given.board.points ? "guide-move-point" : "guide-move-square";
}

function notNow() {
  return { name: "guide-not-now" };
}

/** The stone in the hand is not to be moved: it goes back, or off the board if it was laid but now. */
function outOfPlace() {
  const { from } = given.hand;
  const place = sites().indexOf(from ?? "");
  return from && resting()[place] ? barred(from, "guide-home", "guide-put-home") : { name: "guide-off" };
}

/**
 * What was lifted from a site goes back: with the reason why no turn begins there, where the game tells one.
 * @param {string} site
 * @param {string} plain
 * @param {string} short
 * @returns {Advice}
 */
function barred(site, plain, short) {
  const why = given.now.barred[site];
  return { name: why ? short : plain, values: { site }, why };
}

/**
 * Where there is a choice, no more than one of the marked pieces is taken at a time.
 * @param {Placed[]} captures
 */
function capture(captures) {
  if (captures.some((cue) => cue.choice || cue.under)) return { name: "guide-capture-one" };
  return { name: "guide-capture", values: { sites: captures.map((cue) => cue.site).join(", ") } };
}

// Seeds ------------------------------------------------------------------------------------------

/**
 * The hand knows what it has sown, whatever the sensors tell.
 * @returns {Advice | null}
 */
function sowOn() {
  const way = sown();
  if (!way && !strayed()) return barred(state.trail[0].site, "guide-no-turn", "guide-put-seeds");
  if (!way) return state.hand ? astrayInHand() : astrayOnBoard();
  const { site, level, kind } = way.steps[way.done] ?? {};
  if (!site) return { name: "guide-done" };
  if (level) return { name: first(way) ? "guide-drop-first" : "guide-drop", values: { site } };
  return { name: kind === "take" ? "guide-store" : "guide-on", values: { site } };
}

/**
 * Whether it is the first seed that falls, of somebody who has not yet sown here.
 * @param {{ done: number }} way
 */
function first(way) {
  return way.done === 1 && !given.now.plan && !known.has("guide-drop-first");
}

/** @returns {Advice} */
function astrayInHand() {
  const where = strayed();
  const [begun] = state.trail;
  if (where?.site && where.pit) return { name: "guide-strayed", values: { pit: where.pit, site: where.site } };
  return { name: "guide-put-back", values: { site: begun.site } };
}

/** @returns {Advice} */
function astrayOnBoard() {
  const [{ site }] = state.trail;
  const pits = owing();
  if (given.now.state === "astray" || pits.length > LISTED) return { name: "guide-put-back", values: { site } };
  return { name: "guide-other-way", values: { site, pits: listed(pits) } };
}

/**
 * Sites with what belongs there.
 * @param {[string, number][]} levels
 */
function listed(levels) {
  /** @param {number} level */
  const what = (level) => (sowing() ? level : level ? stoneName(level) : text("empty"));
  const most = sowing() ? levels.length : LISTED;
  const pits = levels.slice(0, most).map(([site, level]) => `${site}: ${what(level)}`);
  return pits.join(", ") + (levels.length > most ? ` (+${levels.length - most})` : "");
}

// The engine's turn ------------------------------------------------------------------------------

/**
 * The turn that the engine has chosen, step by step.
 * @param {string} turn
 * @returns {Advice | null}
 */
function carryOut(turn) {
  const from = cueOf("begin");
  if (state.hand && !sowing()) return inHandOf(turn);
  const over = flipping();
  const places = [...cuesOf("place-here"), ...cuesOf("target")].filter(({ site, level }) => level && !over.includes(site));
  const place = places.find(({ kind }) => kind === "place-here" || !from);
  const lift = sowing() ? "guide-plan-sow" : "guide-plan-lift";
  if (from) return { name: lift, values: { site: from.site, goal: goal(turn, from.site) } };
  if (place) return { name: "guide-plan-new", values: { stone: stoneName(place.level), site: place.site } };
  if (over.length) return { name: "guide-flip", values: { sites: over.join(", ") } };
  const captures = cuesOf("capture");
  return captures.length ? capture(captures) : given.now.state === "complete" ? { name: "guide-done" } : null;
}

/**
 * What the stone in the hand is for in the turn to carry out.
 * @param {string} turn
 * @returns {Advice}
 */
function inHandOf(turn) {
  const { from, level } = given.hand;
  const place = cueOf("begin") ? null : cuesOf("place-here", "target").find((cue) => cue.level === level);
  const to = from === null ? "" : goal(turn, from) || (arrives(turn, from) ? from : "");
  if (to && (pushable(to) || !levelOf(to) || taking(given.hand, to))) {
    return { name: "guide-plan-move", values: { goal: to } };
  }
  if (place) return { name: "guide-lay", values: { site: place.site } };
  return from === null ? notNow() : outOfPlace();
}

// What is not as it should be --------------------------------------------------------------------

function finish() {
  if (!state.hand || sowing()) return state.hand ? null : { name: "guide-done" };
  return state.hand.from === null ? notNow() : { name: "guide-off" }; // whole without it
}

function answer() {
  const asked = cuesOf("ask");
  if (!asked.length) return { name: cuesOf("travelling").length ? "guide-offered" : "guide-done" };
  return asked.length === 1 ? { name: "guide-touch-one", values: { site: asked[0].site } } : { name: "guide-touch" };
}

/**
 * How the board is put right, and the rule that was broken.
 * @returns {Advice | null}
 */
function mend() {
  /** @type {Advice | null} */
  const advice = putRight();
  return advice && { ...advice, why: advice.why || given.now.refused };
}

/** One piece at a time: what lies where it does not belong goes to where it does, or off the board. */
function putRight() {
  if (sowing()) return mendPits();
  const [wrong, missing] = [cuesOf("wrong"), cuesOf("missing")];
  if (!wrong.length && !state.hand && cueOf("tally")) return null; // first it is seen why
  if (state.hand) return lay(missing.find((cue) => cue.level === given.hand.level));
  for (const { site } of wrong) {
    const home = missing.find((cue) => cue.level === levelOf(site));
    if (home) return { name: "guide-back", values: { from: site, site: home.site } };
  }
  if (wrong.length) return { name: "guide-take-off", values: { site: wrong[0].site } };
  const gone = missing.find((cue) => cue.level);
  return gone ? { name: `guide-new-${SHADES[gone.level]}`, values: { site: gone.site } } : null;
}

/** @param {Placed | undefined} home */
function lay(home) {
  return home ? barred(home.site, "guide-lay", "guide-put-home") : { name: "guide-off" };
}

function mendPits() {
  const pits = listed(owing());
  return pits ? { name: "guide-pits", values: { pits } } : null;
}

function setUp() {
  return cueOf("wrong") || state.hand ? mend() : { name: "guide-set-up" };
}

function learn() {
  if (!state.table || !state.story) return;
  const made = state.story.turns.length;
  const now = `${state.begun} ${state.table.game}`;
  if (game !== now) {
    game = now;
    known = new Set(made ? ["guide-lift", "guide-place-dark", "guide-place-light", "guide-sow"] : []);
    taught = new Set();
  } else if (made > turns) known = new Set([...known, ...[...taught].filter((name) => name !== current)]);
  turns = made;
}

/**
 * Whether the table itself has just said so: it names what the advice names, and that is all to be put right.
 * @param {Advice} advice
 */
function said({ values = {} }) {
  const places = Object.values(values).map(String);
  const all = cuesOf("wrong", "missing").length <= places.length;
  return places.length > 0 && all && !given.now.plan && places.every((site) => told("alarm").includes(site));
}

/**
 * What stands in an element of the box.
 * @param {string} id
 */
function told(id) {
  return element(id).textContent;
}

/**
 * From where to where an arrow on the board says the same; null where it would say nothing.
 * @param {Advice | null} advice
 * @returns {[from: string, to: string] | null}
 */
function pointing(advice) {
  const { from = "", site = "", goal: to = "" } = advice?.values ?? {};
  if (["guide-back", "guide-row"].includes(advice?.name ?? "")) return [String(from), String(site)];
  if (advice?.name === "guide-plan-lift" && to) return [String(site), String(to)];
  return null;
}

function draw() {
  const line = element("guide");
  const { lesson } = state.table ?? {};
  const rests = lesson && (lesson.solved || (!lesson.puzzle && state.story?.turns.length)); // nobody is to make a turn
  const advice = state.now && state.story && state.table?.game && !rests && !righted() ? next() : null;
  const pointer = pointing(advice);
  if (String(pointer) !== String(state.pointer)) change({ pointer });
  const learned = advice && known.has(advice.name) && (told("say") || told("alarm"));
  const shown = advice && !learned && !(given.now.state === "astray" && said(advice));
  line.hidden = !shown;
  current = shown ? advice.name : "";
  if (!shown) return;
  if (LESSONS.has(advice.name)) taught.add(advice.name);
  const alarm = told("alarm");
  const stands = advice.why && (alarm.includes(advice.why) || (alarm && alarm === state.now?.refused)); // with the alarm
  const why = stands ? "" : advice.why ?? "";
  unbroken(line, [why, text(advice.name, advice.values)].filter(Boolean).join(" "));
  line.hidden = line.textContent === told("say");
}

on("story table begun", learn);
on("complaint said now hand trail story page table viewing connected making", draw);
