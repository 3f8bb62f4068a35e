/** One line: the very next thing to do. What is but a lesson is gone once such a turn was made. */

import { sowing, thinking } from "./hand.js";
import { levelOf, mistaken } from "./shown.js";
import { owing, sown, strayed } from "./sowing.js";
import { element, mayMove, on, state } from "./state.js";
import { player, stoneName, text } from "./words.js";

/** Told until a turn was made with it: who has made one knows. All else is told each time. */
const LESSONS = new Set([
  "guide-lift", "guide-place-dark", "guide-place-light", "guide-put", "guide-move", "guide-sow", "guide-drop-first",
  "guide-done", "guide-hint",
]);
/** Sites that a sentence lists at most. */
const LISTED = 6;
const SHADES = ["", "dark", "light"];
/** The lessons learned in this game, and those told. */
let known = new Set();
let told = new Set();
/** The name of the sentence that is shown: a capture may count as soon as the piece is lifted. */
let current = "";
let game = "";
let turns = 0;

function cuesOf(...kinds) {
  const found = Object.entries(state.now.cues).filter(([, cue]) => kinds.includes(cue.kind));
  return found.map(([site, cue]) => ({ site, ...cue }));
}

function cueOf(...kinds) {
  return cuesOf(...kinds)[0];
}

/** The sentence for the moment, {name, values}; null if there is nothing to tell. */
function next() {
  if (state.making) return { name: "guide-watch" };
  if (!mayMove()) return null;
  if (thinking()) return { name: "guide-thinking", values: { player: player(state.now.side) } };
  if (state.hand?.captured) return { name: sowing() ? "guide-to-store" : "guide-off" };
  const { state: now, plan } = state.now;
  if (sowing() && state.trail.length && now !== "setting" && !cueOf("ask")) return sowOn();
  if (plan && ["rest", "under-way", "complete"].includes(now)) return carryOut(plan);
  const byState = { rest: begin, "under-way": goOn, complete: finish, which: answer, astray: mend, setting: setUp };
  return byState[now]?.() ?? null;
}

function begin() {
  if (mistaken()) return { name: "guide-mistaken", values: { sites: listed(owing()) } };
  if (state.hand?.from != null && !sowing()) return { name: "guide-off" }; // at rest without it
  const place = cueOf("target", "hint");
  if (cueOf("hint") && !state.hand) return { name: "guide-hint" };
  if (!cueOf("movable", "target", "hint")) return null;
  if (sowing()) return { name: "guide-sow" };
  if (!place?.level) return { name: "guide-lift" };
  return { name: state.hand ? "guide-put" : `guide-place-${SHADES[place.level]}` };
}

function goOn() {
  const owed = cueOf("place-here");
  const captures = cuesOf("capture");
  if (captures.length && !owed) return capture(captures);
  if (state.hand?.from != null) return { name: "guide-move" };
  if (!owed) return null;
  const values = { site: owed.site };
  return { name: state.hand ? "guide-lay" : `guide-new-${SHADES[owed.level] ?? "dark"}`, values };
}

/** Where there is a choice, no more than one of the marked pieces is taken at a time. */
function capture(captures) {
  if (captures.some((cue) => cue.choice)) return { name: "guide-capture-one" };
  return { name: "guide-capture", values: { sites: captures.map((cue) => cue.site).join(", ") } };
}

// Seeds ------------------------------------------------------------------------------------------

/** The hand knows what it has sown, whatever the sensors tell. */
function sowOn() {
  const way = sown();
  if (!way) return state.hand ? astrayInHand() : astrayOnBoard();
  const [site, level] = way.steps[way.done] ?? [null, 0];
  if (site === null) return { name: "guide-done" };
  if (level) return { name: first(way) ? "guide-drop-first" : "guide-drop", values: { site } };
  return { name: way.done === way.steps.length - 1 ? "guide-store" : "guide-on", values: { site } };
}

/** Whether it is the first seed that falls, of somebody who has not yet sown here. */
function first(way) {
  return way.done === 1 && !state.now.plan && !known.has("guide-drop-first");
}

function astrayInHand() {
  const where = strayed();
  const [begun] = state.trail;
  if (where?.site && where.pit) return { name: "guide-strayed", values: where };
  return { name: where ? "guide-put-back" : "guide-no-turn", values: { site: begun.site } };
}

function astrayOnBoard() {
  if (!strayed()) return { name: "guide-no-turn", values: { site: state.trail[0].site } };
  return { name: "guide-other-way", values: { site: state.trail[0].site, pits: listed(owing()) } };
}

/** Sites with what belongs there. */
function listed(levels) {
  const what = (level) => (sowing() ? level : level ? stoneName(level) : text("empty"));
  const pits = levels.slice(0, LISTED).map(([site, level]) => `${site}: ${what(level)}`);
  return pits.join(", ") + (levels.length > LISTED ? " …" : "");
}

// The engine's turn ------------------------------------------------------------------------------

/** The turn that the engine has chosen, step by step. */
function carryOut(turn) {
  const from = cueOf("begin");
  const place = cueOf("place-here") ?? cuesOf("target").find((cue) => cue.level && !from && !state.hand?.from);
  const lift = sowing() ? "guide-plan-sow" : "guide-plan-lift";
  if (from) return { name: lift, values: { site: from.site, goal: goal(turn) } };
  if (state.hand?.from) return { name: "guide-plan-move", values: { goal: goal(turn) } };
  if (place) return { name: "guide-plan-new", values: { stone: stoneName(place.level), site: place.site } };
  const captures = cuesOf("capture");
  return captures.length ? capture(captures) : state.now.state === "complete" ? { name: "guide-done" } : null;
}

/** Where the piece goes that is moved in a turn: what the turn's text names second. */
function goal(turn) {
  return turn.match(/[A-Za-z]+\d+/g)?.[1] ?? "";
}

// What is not as it should be --------------------------------------------------------------------

function finish() {
  return state.hand ? null : { name: "guide-done" };
}

function answer() {
  const asked = cuesOf("ask");
  if (!asked.length) return { name: "guide-done" };
  return asked.length === 1 ? { name: "guide-touch-one", values: { site: asked[0].site } } : { name: "guide-touch" };
}

/** One piece at a time: what lies where it does not belong goes to where it does, or off the board. */
function mend() {
  if (sowing()) return mendPits();
  const [wrong, missing] = [cuesOf("wrong"), cuesOf("missing")];
  if (state.hand) return lay(missing.find((cue) => cue.level === state.hand.level));
  for (const { site } of wrong) {
    const home = missing.find((cue) => cue.level === levelOf(site));
    if (home) return { name: "guide-back", values: { from: site, site: home.site } };
  }
  if (wrong.length) return { name: "guide-take-off", values: { site: wrong[0].site } };
  const gone = missing.find((cue) => cue.level);
  return gone ? { name: `guide-new-${SHADES[gone.level]}`, values: { site: gone.site } } : null;
}

function lay(home) {
  return home ? { name: "guide-lay", values: { site: home.site } } : { name: "guide-off" };
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
    told = new Set();
  } else if (made > turns) known = new Set([...known, ...[...told].filter((name) => name !== current)]);
  turns = made;
}

/** Whether the table itself has just said so: it names all that the advice names. */
function said({ values = {} }) {
  const sites = Object.values(values);
  return sites.length > 0 && sites.every((site) => element("alarm").textContent.includes(site));
}

function draw() {
  const line = element("guide");
  const advice = state.now && state.story && state.table?.game ? next() : null;
  const shown = advice && !known.has(advice.name) && !(state.now.state === "astray" && said(advice));
  line.hidden = !shown;
  current = shown ? advice.name : "";
  if (!shown) return;
  if (LESSONS.has(advice.name)) told.add(advice.name);
  line.textContent = text(advice.name, advice.values);
  line.hidden = line.textContent === element("say").textContent;
}

on("story table begun", learn);
on("complaint said now hand trail story page table viewing connected making", draw);
