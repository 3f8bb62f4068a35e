/** One line for whoever sits here for the first time: the very next thing to do. Gone once such a turn was made. */

import { sowing } from "./hand.js";
import { mistaken } from "./shown.js";
import { element, mayMove, on, state } from "./state.js";
import { text } from "./words.js";

/** Told each time, for it is no lesson but a slip. */
const MISTAKEN = "guide-mistaken";
const SHADES = ["", "dark", "light"];
/** What has been done in this game already, by the names of the sentences. */
let known = new Set();
let told = new Set();
/** The name of the sentence that is shown: a capture may count as soon as the piece is lifted. */
let current = "";
let game = "";
let turns = 0;

function cueOf(...kinds) {
  const found = Object.entries(state.now.cues).find(([, cue]) => kinds.includes(cue.kind));
  return found && { site: found[0], ...found[1] };
}

/** The sentence for the moment, {name, values}; null if there is nothing to tell. */
function next() {
  if (state.hand?.captured) return { name: sowing() ? "guide-to-store" : "guide-off" };
  const byState = { rest: begin, "under-way": goOn, complete: finish, which: answer, setting: setUp };
  return byState[state.now.state]?.() ?? null;
}

function begin() {
  const site = mistaken();
  if (site) return { name: MISTAKEN, values: { site } };
  const place = cueOf("target");
  if (!cueOf("movable", "target")) return null;
  if (sowing()) return { name: "guide-sow" };
  if (!place?.level) return { name: "guide-lift" };
  return { name: state.hand ? "guide-put" : `guide-place-${SHADES[place.level]}` };
}

function goOn() {
  if (sowing()) return sowOn();
  const owed = cueOf("place-here");
  if (cueOf("capture") && !owed) return { name: "guide-capture" };
  if (state.hand?.from != null) return { name: "guide-move" };
  if (!owed) return null;
  const values = { site: owed.site };
  return { name: state.hand ? "guide-lay" : `guide-new-${SHADES[owed.level] ?? "dark"}`, values };
}

function sowOn() {
  if (state.hand) return { name: state.hand.moved ? "guide-drop" : "guide-drop-first" };
  return { name: cueOf("capture") ? "guide-store" : "guide-on" };
}

function finish() {
  if (state.hand) return sowing() ? sowOn() : null;
  return { name: "guide-done" };
}

function answer() {
  return cueOf("ask") ? { name: "guide-touch" } : { name: "guide-done" };
}

function setUp() {
  return { name: "guide-set-up" };
}

function learn() {
  if (!state.table || !state.story) return;
  const made = state.story.turns.length;
  if (game !== state.table.game) {
    game = state.table.game;
    known = new Set(made ? ["guide-lift", "guide-place-dark", "guide-place-light", "guide-sow"] : []);
    told = new Set();
  } else if (made > turns) known = new Set([...known, ...[...told].filter((name) => name !== current)]);
  turns = made;
}

function draw() {
  const line = element("guide");
  const advice = state.making ? { name: "guide-watch" } : state.now && state.table?.game && mayMove() ? next() : null;
  const shown = advice && !known.has(advice.name);
  line.hidden = !shown;
  current = shown ? advice.name : "";
  if (!shown) return;
  if (advice.name !== MISTAKEN) told.add(advice.name);
  line.textContent = text(advice.name, advice.values);
}

on("story table", learn);
on("now hand story page table viewing connected making", draw);
