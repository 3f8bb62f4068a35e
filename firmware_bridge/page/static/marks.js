/** A mark for every cue, so that nothing is told by colour alone, and the legend of the marks in sight. */

import { drawn, refill } from "./drawn.js";
import { element, on, state } from "./state.js";
import { made, stoneName, tells } from "./words.js";

/** Strokes in a box from -10 to 10. */
const MARKS = {
  wrong: "M-6-6 6 6M6-6-6 6",
  missing: "M-5-4C-5-10 5-10 5-4 5-1 0-1 0 3M0 7V8",
  ask: "M-2 8C-8 4-7-1-4-1V-7C-4-9-1-9-1-7V-2C1-4 7-3 7 0V4C7 7 5 8 4 8Z",
  begin: "M0-8V3M-5-2 0 3 5-2M-8 8H8",
  capture: "M0 7V-6M-5-1 0-7 5-1M-7 9H7",
  "place-here": "M0-7V7M-7 0H7",
  target: "M-7 0A7 7 0 1 1 7 0 7 7 0 1 1-7 0M0-1V1",
  travelling: "M-7-6-1 0-7 6M1-6 7 0 1 6",
  movable: "M0-8V8M-8 0H8M-2-6 0-8 2-6M-2 6 0 8 2 6M-6-2-8 0-6 2M6-2 8 0 6 2",
  tally: "M-7-3H7M-7 4H7",
  won: "M0-9 2-3H8L3 1 5 7 0 3-5 7-3 1-8-3H-2Z",
  last: "M-7 0H-6M0 0H1M6 0H7",
  blind: "M-9 0C-5-7 5-7 9 0 5 7-5 7-9 0M-7 8 7-8",
  choose: "M0-7V7M-7 0H7M-5-5 5 5M5-5-5 5",
  hint: "M-3 8H3M-3 4C-9-1-5-9 0-9 5-9 9-1 3 4Z",
};
/** What is drawn for a cue that is not in the list. */
const OTHER = "M-6-6H6V6H-6Z";

/** The mark of a cue on its plate, `size` units high. */
export function mark(kind, size) {
  const strokes = drawn("path", { d: MARKS[kind] ?? OTHER, class: "strokes" });
  const plate = drawn("circle", { r: 14, class: "plate" });
  return drawn("g", { class: "mark", transform: `scale(${size / 28})` }, plate, strokes);
}

/** A swatch of the colour that a cue lights in, with its mark: the same as on the board. */
function sample(cue) {
  const lights = state.table.lights;
  const spoken = lights.spoken.includes(cue.kind) && cue.level;
  const [red, green, blue] = lights.colours[spoken ? ["dark", "light"][cue.level - 1] : cue.kind] ?? [200, 200, 200];
  const ring = drawn("circle", { r: 17, class: "sample", stroke: `rgb(${red} ${green} ${blue})` });
  const edge = drawn("circle", { r: 17, class: "sample-edge" });
  return drawn("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, edge, ring, mark(cue.kind, 26));
}

/** The cues in sight, each kind once, and each piece that they speak of. */
function inSight() {
  const found = new Map();
  if (state.viewing !== null || !state.now || !state.table?.board) return found;
  const { spoken } = state.table.lights;
  for (const cue of Object.values(state.now.cues)) {
    const level = spoken.includes(cue.kind) && state.table.pieces === "stones" ? cue.level : 0;
    found.set(`${cue.kind} ${level}`, { ...cue, level });
  }
  return found;
}

function tell(cue) {
  const stone = cue.level === 1 || cue.level === 2 ? ` (${stoneName(cue.level)})` : "";
  return made("li", { "data-legend": cue.kind }, sample(cue), made("span", {}, `${tells(cue)}${stone}`));
}

let shown = "";

function draw() {
  const cues = inSight();
  const told = [...cues].map(([name, cue]) => [name, cue.tells]);
  const key = JSON.stringify([told, state.page?.language, state.table?.lights.colours]);
  if (key === shown) return;
  shown = key;
  refill(element("legend"), ...[...cues.values()].map(tell));
}

on("now table viewing page", draw);
