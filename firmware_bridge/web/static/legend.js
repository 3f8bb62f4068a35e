/** What the lights mean: the cues in sight, each with its colour and its mark. */

import { drawn, element, made, refill } from "./elements.js";
import { vivid } from "./lights.js";
import { mark } from "./pieces.js";
import { afterwards, given, state } from "./state.js";
import { stoneName, tells } from "./words.js";

/** @import { CueForm } from "../types.d.ts" */

/**
 * A swatch of the colour that a cue lights in, with its mark: the same as on the board.
 * @param {CueForm} cue
 */
function sample(cue) {
  const lights = given.table.lights;
  const spoken = lights.spoken.includes(cue.kind) && cue.level;
  const colour = lights.colours[spoken ? ["dark", "light"][cue.level - 1] : cue.kind] ?? [200, 200, 200];
  const [red, green, blue] = vivid(colour);
  const ring = drawn("circle", { r: 17, class: "sample", stroke: `rgb(${red} ${green} ${blue})` });
  const edge = drawn("circle", { r: 17, class: "sample-edge" });
  return drawn("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, edge, ring, mark(cue.kind, 26, cue.order));
}

/** The cues in sight, each kind once, and each piece that they speak of. */
function inSight() {
  /** @type {Map<string, CueForm>} */
  const found = new Map();
  if (state.viewing !== null || !state.now || !state.table?.board) return found;
  const { spoken } = state.table.lights;
  for (const cue of Object.values(state.now.cues)) {
    const level = spoken.includes(cue.kind) && state.table.pieces === "stones" ? cue.level : 0;
    const name = `${cue.kind} ${level}`;
    const { order } = found.get(name) ?? { order: Infinity };
    if (cue.order < order) found.set(name, { ...cue, level });
  }
  return found;
}

/** @param {CueForm} cue */
function tell(cue) {
  const stone = cue.level === 1 || cue.level === 2 ? ` (${stoneName(cue.level)})` : "";
  return made("li", { "data-legend": cue.kind }, sample(cue), made("span", {}, `${tells(cue)}${stone}`));
}

let legend = "";

function drawLegend() {
  const cues = inSight();
  const told = [...cues].map(([name, cue]) => [name, tells(cue), cue.order]);
  const key = JSON.stringify([told, state.page?.language, state.table?.lights.colours]);
  if (key === legend) return;
  legend = key;
  refill(element("legend"), ...[...cues.values()].map(tell));
}

afterwards("now table viewing page", drawLegend);
