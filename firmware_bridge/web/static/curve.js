/** The value of each turn as a curve behind the slider: up is better for the first player. It tells no numbers, only more or less. */

import { drawn, find, refill } from "./elements.js";
import { on, state } from "./state.js";
import { player } from "./words.js";

/** @import { MomentForm } from "../types.d.ts" */

/** Pixels that are left above and below. */
const EDGE = 6;
/** Radius of a turn that is proved, and of a turning point, in pixels. */
const DOT = 2.2;
const RING = 5;

/** @param {HTMLElement} track */
function measure(track) {
  const { width, height } = track.getBoundingClientRect();
  const knob = 1.2 * parseFloat(getComputedStyle(document.documentElement).fontSize); // --knob
  return { width, height, knob };
}

function draw() {
  const { review, story } = state;
  const track = find(".track", HTMLElement);
  const svg = find(".curve", SVGSVGElement);
  document.body.classList.toggle("reviewed", review !== null);
  if (!review || !story) return refill(svg);
  const { width, height, knob } = measure(track);
  if (!width) return;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const last = Math.max(1, story.turns.length + story.before);
  /** @param {number} number */
  const x = (number) => knob / 2 + ((width - knob) * number) / last;
  /** @param {number} value */
  const y = (value) => EDGE + (height - 2 * EDGE) * (1 - value);
  const known = Object.values(review.moments).sort((one, other) => one.number - other.number);
  const points = known.map(({ number, value }) => `${x(number).toFixed(1)} ${y(value).toFixed(1)}`);
  const middle = y(0.5);
  const parts = [drawn("path", { d: `M0 ${middle}H${width}`, class: "even" })];
  if (known.length > 1) {
    const [first, end] = [x(known[0].number), x(known[known.length - 1].number)].map((at) => at.toFixed(1));
    parts.push(drawn("path", { d: `M${first} ${middle}L${points.join("L")}L${end} ${middle}Z`, class: "bed" }));
    parts.push(drawn("path", { d: `M${points.join("L")}`, class: "line" }));
  }
  refill(svg, ...parts, ...known.flatMap((moment) => marks(moment, x(moment.number), y(moment.value))), ...names(height));
}

/**
 * What is marked of a position: that it is proved, that the turn made there was a turning point.
 * @param {MomentForm} moment
 * @param {number} x
 * @param {number} y
 */
function marks({ proved, better }, x, y) {
  const found = proved ? [drawn("circle", { cx: x, cy: y, r: DOT, class: "sure" })] : [];
  if (better?.much) found.push(drawn("circle", { cx: x, cy: y, r: RING, class: "turning" }));
  return found;
}

/**
 * Who is better off above, and below.
 * @param {number} height
 */
function names(height) {
  return [0, 1].map((side) => {
    const name = drawn("text", { x: 2, y: side ? height - 3 : 11, class: "name" });
    name.textContent = player(side);
    return name;
  });
}

new ResizeObserver(draw).observe(find(".track", HTMLElement));
on("review story page", draw);
