/**
 * What lies on the board, drawn: stones that are told apart by marks and rims as well as by shade, seeds in pits, and a
 * mark for every cue, so that nothing is told by colour alone. Sizes in pitches.
 */

import { drawn } from "./elements.js";

export const STONE = 0.34;
const SEED = 0.075;
/** Seeds drawn one by one; of more only the number tells. */
const MOST_SEEDS = 12;
/** The angle that lays seeds like those of a sunflower, in radians. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const KINDS = ["", "dark", "light"];

/** The shades that stones are filled with, once a drawing. */
export function shades() {
  /** @param {string} name */
  const shade = (name) =>
    drawn("radialGradient", { id: `shade-${name}`, cx: 0.38, cy: 0.32, r: 0.75, class: `shade ${name}` },
      drawn("stop", { offset: 0, class: "high" }), drawn("stop", { offset: 1, class: "low" }));
  return drawn("defs", {}, ...["dark", "light", "unknown"].map(shade));
}

/**
 * A stone: 1 dark, with a cross; 2 light, with a ring; `known` false where only its presence is. The mark of its kind
 * takes the place of cross or ring.
 * @param {number} level
 * @param {number} pitch
 * @param {boolean} known
 * @param {string} kindMark
 */
export function stone(level, pitch, known = true, kindMark = "") {
  const kind = known ? KINDS[level] : "unknown";
  const radius = STONE * pitch;
  const body = drawn("circle", { r: radius, class: "body", fill: `url(#shade-${kind})` });
  const rim = drawn("circle", { r: radius * 0.86, class: "rim" });
  const face = kindMark ? letter(kindMark, radius) : engraved(kind, radius * 0.3);
  return drawn("g", { class: `stone ${kind}` }, body, rim, face);
}

/**
 * The mark of a kind in the middle of a stone.
 * @param {string} kindMark
 * @param {number} radius
 */
function letter(kindMark, radius) {
  const node = drawn("text", { class: "kind", y: 0.41 * radius, "font-size": 1.15 * radius });
  node.textContent = kindMark;
  return node;
}

/**
 * @param {string} kind
 * @param {number} size
 */
function engraved(kind, size) {
  if (kind === "light") return drawn("circle", { r: size, class: "engraved" });
  if (kind === "dark") return drawn("path", { d: cross(size), class: "engraved" });
  return drawn("path", { d: `M${-size} 0H${size}`, class: "engraved" });
}

/** @param {number} size */
function cross(size) {
  return `M${-size} ${-size}L${size} ${size}M${size} ${-size}L${-size} ${size}`;
}

/**
 * The stone that belongs on an empty site: its outline, dashed.
 * @param {number} level
 * @param {number} pitch
 */
export function ghost(level, pitch) {
  const radius = STONE * pitch;
  const rim = drawn("circle", { r: radius * 0.94, class: "outline" });
  return drawn("g", { class: `ghost ${KINDS[level]}` }, rim, engraved(KINDS[level], radius * 0.3));
}

/**
 * Seeds in a pit, and their number; `count` null where only that there are some is known.
 * @param {number | null} count
 * @param {number} pitch
 */
export function seeds(count, pitch) {
  const lying = Math.min(count ?? 3, MOST_SEEDS);
  const group = drawn("g", { class: "seeds" });
  for (let place = 0; place < lying; place += 1) group.append(seed(place, lying, pitch));
  const number = drawn("text", { class: "count", y: 0.1 * pitch, "font-size": 0.27 * pitch });
  number.textContent = String(count ?? "?");
  group.append(number);
  return group;
}

/**
 * @param {number} place
 * @param {number} lying
 * @param {number} pitch
 */
function seed(place, lying, pitch) {
  const far = lying === 1 ? 0.2 : 0.09 + 0.22 * Math.sqrt((place + 0.5) / Math.max(lying, 5));
  const angle = place * GOLDEN - Math.PI / 2;
  const [x, y] = [far * Math.cos(angle) * pitch, far * Math.sin(angle) * pitch];
  return drawn("ellipse", {
    cx: x, cy: y, rx: SEED * pitch, ry: SEED * 0.74 * pitch, class: "seed",
    transform: `rotate(${(place * 67) % 180} ${x} ${y})`,
  });
}

/**
 * A site of which the sensors cannot tell: hatched.
 * @param {number} pitch
 */
export function unsure(pitch) {
  const reach = 0.32 * pitch;
  const lines = [-0.5, 0, 0.5].map((by) => {
    const half = reach * Math.sqrt(1 - by * by);
    const aside = (by * reach) / Math.SQRT2;
    const along = half / Math.SQRT2;
    return `M${aside - along} ${aside + along}L${aside + along} ${aside - along}`;
  });
  const rim = drawn("circle", { r: reach, class: "outline" });
  return drawn("g", { class: "unsure" }, rim, drawn("path", { d: lines.join(""), class: "hatch" }));
}

/**
 * Stones side by side in a store.
 * @param {import("./geometry.js").Box} box
 * @param {number} side
 * @param {number} count
 */
export function heap([x, y, wide, high], side, count) {
  const pitch = Math.min(wide, high) * 1.15;
  return Array.from({ length: count }, (_, place) => {
    const along = ((place + 0.5) / Math.max(count, 9)) * (Math.max(wide, high) - 20) + 10;
    const at = wide > high ? [x + along, y + high / 2] : [x + wide / 2, y + along];
    return drawn("g", { transform: `translate(${at[0]} ${at[1]})` }, stone(side + 1, pitch));
  });
}

// Marks -------------------------------------------------------------------------------------------

/**
 * Strokes in a box from -10 to 10.
 * @type {Record<string, string>}
 */
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
  "for-first": "M0-8V8",
  "for-second": "M-4-8V8M4-8V8",
  won: "M0-9 2-3H8L3 1 5 7 0 3-5 7-3 1-8-3H-2Z",
  last: "M-7 0H-6M0 0H1M6 0H7",
  blind: "M-9 0C-5-7 5-7 9 0 5 7-5 7-9 0M-7 8 7-8",
  choose: "M0-7V7M-7 0H7M-5-5 5 5M5-5-5 5",
  hint: "M-3 8H3M-3 4C-9-1-5-9 0-9 5-9 9-1 3 4Z",
};
/** What is drawn for a cue that is not in the list. */
const OTHER = "M-6-6H6V6H-6Z";

/**
 * The mark of a cue on its plate, `size` units high; in its place `number`, if that is not 0.
 * @param {string} kind
 * @param {number} size
 * @param {number} number
 */
export function mark(kind, size, number = 0) {
  const plate = drawn("circle", { r: 14, class: "plate" });
  const strokes = drawn("path", { d: MARKS[kind] ?? OTHER, class: "strokes" });
  const count = drawn("text", { class: "order", "font-size": 22 });
  count.textContent = String(number);
  const group = drawn("g", { class: `mark ${kind}${number === 1 ? " next" : ""}`, transform: `scale(${size / 28})` }, plate, number ? count : strokes);
  return group;
}
