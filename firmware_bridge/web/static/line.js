/**
 * The one line beside the board: the very next thing to do, in a few words without the names of places. Where it is to
 * be done the lights tell, an outline where a piece is missing, and an arrow. All follows from the cues, in any game.
 */

import { levelOf, shownBoard, sites } from "./shown.js";
import { engineLevel, given, state } from "./state.js";
import { text } from "./words.js";

/** @import { CueForm } from "../types.d.ts" */

/** Events that no light can show. */
const UNSHOWN = new Set(["unwritten", "unrecorded", "thoughtless"]);
/** The ids of sentences that tell what lies where, as the lights do. All others of what is wrong are rules. */
const PLACES = /^table\./;

/**
 * Cues with their sites.
 * @param {...string} kinds
 */
function cues(...kinds) {
  const found = Object.entries(given.now.cues).filter(([, cue]) => kinds.includes(cue.kind));
  return found.map(([site, cue]) => ({ site, .../** @type {CueForm} */ (cue) }));
}

/** @param {...string} kinds */
function lit(...kinds) {
  return cues(...kinds).length > 0;
}

/** The line for the moment; empty if there is nothing to tell. */
export function line() {
  const { table, now, story } = state;
  if (!state.page) return "";
  if (!state.connected) return text(state.away ? "beside-away" : "lost");
  if (state.alone) return text("alone");
  if (table && !table.game) return text("choosing");
  if (!now || !story) return "";
  return complaint() || (now.state === "over" && story.outcome) || lesson() || text(advice());
}

/** Whether something is wrong, and the line tells it. */
export function wrong() {
  return Boolean(state.now && state.connected && ["astray", "blind"].includes(state.now.state));
}

/** What was said last, if no light tells it: the rule that a turn breaks, or what ails the table. */
function complaint() {
  const last = state.said.at(-1);
  if (!last) return "";
  const now = given.now.state;
  const told = (now === "astray" && last.name === "astray" && !PLACES.test(last.id)) || (now === "blind" && last.name === "blind");
  return told || UNSHOWN.has(last.name) ? last.text : "";
}

/** What a lesson asks for, until a hand has begun. */
function lesson() {
  const asked = given.table.lesson;
  if (!asked || !["rest", "over"].includes(given.now.state)) return "";
  return asked.solved ? asked.learnt : asked.task;
}

/** The name of the sentence for the moment; empty where there is none. */
function advice() {
  const { state: now, plan, side } = given.now;
  if (now === "rest" && engineLevel(side) && !plan) return "beside-thinking";
  if (now === "astray") return mend();
  if (now === "setting") return lit("wrong") ? mend() : "beside-set-up";
  if (now === "which") return lit("ask") ? "beside-touch" : lit("travelling") ? "beside-offered" : "beside-done";
  if (lit("begin")) return arrow() ? "beside-arrow" : "beside-begin";
  if (now === "rest") return begin();
  return now === "complete" ? left() || "beside-done" : now === "under-way" ? onward() : "";
}

function sown() {
  return given.table.pieces === "seeds";
}

function begin() {
  if (lit("movable")) return sown() ? "beside-sow" : "beside-lift";
  return lit("target", "hint") ? "beside-lay" : left();
}

function onward() {
  if (lit("target")) return sown() ? "beside-sow-on" : "beside-put";
  return left() || (lit("movable", "travelling", "hint") ? "beside-go-on" : "");
}

/** What a turn owes: a new piece, one to turn over, one to take off. */
function left() {
  const owed = cues("place-here")[0];
  if (owed) return levelOf(owed.site) && levelOf(owed.site) !== owed.level ? "beside-flip" : "beside-new";
  return lit("capture") ? "beside-take" : "";
}

function mend() {
  if (sown()) return "beside-seeds";
  if (arrow()) return "beside-back";
  const strange = cues("wrong")[0];
  if (strange) return strange.level ? "beside-other" : "beside-off";
  return lit("missing") ? "beside-missing" : "";
}

/**
 * From where to where a piece is to be moved, if that is one move; null where it is not.
 * @returns {[from: string, to: string] | null}
 */
export function arrow() {
  if (!state.now || !state.story || sown()) return null;
  const [from, to] = [cues("begin"), cues("target")];
  if (from.length === 1 && to.length === 1) return [from[0].site, to[0].site];
  return home();
}

/**
 * The first piece that lies where nothing belongs, and where it is missing.
 * @returns {[from: string, to: string] | null}
 */
function home() {
  const [strange, missing] = [cues("wrong").filter(({ level }) => !level), cues("missing")];
  const lying = shownBoard();
  for (const { site } of strange) {
    const { level, known } = lying[sites().indexOf(site)];
    const place = missing.find((each) => (known ? each.level === level : strange.length === 1 && missing.length === 1));
    if (place) return [site, place.site];
  }
  return null;
}
