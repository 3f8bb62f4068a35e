/** Pieces: stones that are told apart by marks and rims as well as by shade, and seeds in pits. Sizes in pitches. */

import { drawn } from "./drawn.js";

export const STONE = 0.34;
const SEED = 0.075;
/** Seeds drawn one by one; of more only the number tells. */
const MOST_SEEDS = 12;
/** The angle that lays seeds like those of a sunflower, in radians. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const KINDS = ["", "dark", "light"];

/** The shades that stones are filled with, once a drawing. */
export function shades() {
  const shade = (name) =>
    drawn("radialGradient", { id: `shade-${name}`, cx: 0.38, cy: 0.32, r: 0.75, class: `shade ${name}` },
      drawn("stop", { offset: 0, class: "high" }), drawn("stop", { offset: 1, class: "low" }));
  return drawn("defs", {}, ...["dark", "light", "unknown"].map(shade));
}

/** A stone: 1 dark, with a cross; 2 light, with a ring; `known` false where only its presence is. */
export function stone(level, pitch, known = true) {
  const kind = known ? KINDS[level] : "unknown";
  const radius = STONE * pitch;
  const body = drawn("circle", { r: radius, class: "body", fill: `url(#shade-${kind})` });
  const rim = drawn("circle", { r: radius * 0.86, class: "rim" });
  return drawn("g", { class: `stone ${kind}` }, body, rim, engraved(kind, radius * 0.3));
}

function engraved(kind, size) {
  if (kind === "light") return drawn("circle", { r: size, class: "engraved" });
  if (kind === "dark") return drawn("path", { d: cross(size), class: "engraved" });
  return drawn("path", { d: `M${-size} 0H${size}`, class: "engraved" });
}

function cross(size) {
  return `M${-size} ${-size}L${size} ${size}M${size} ${-size}L${-size} ${size}`;
}

/** The stone that belongs on an empty site: its outline, dashed. */
export function ghost(level, pitch) {
  const radius = STONE * pitch;
  const rim = drawn("circle", { r: radius * 0.94, class: "outline" });
  return drawn("g", { class: `ghost ${KINDS[level]}` }, rim, engraved(KINDS[level], radius * 0.3));
}

/** Seeds in a pit, and their number; `count` null where only that there are some is known. */
export function seeds(count, pitch) {
  const lying = Math.min(count ?? 3, MOST_SEEDS);
  const group = drawn("g", { class: "seeds" });
  for (let place = 0; place < lying; place += 1) group.append(seed(place, lying, pitch));
  const number = drawn("text", { class: "count", y: 0.1 * pitch, "font-size": 0.27 * pitch });
  number.textContent = count ?? "?";
  group.append(number);
  return group;
}

function seed(place, lying, pitch) {
  const far = lying === 1 ? 0.2 : 0.09 + 0.22 * Math.sqrt((place + 0.5) / Math.max(lying, 5));
  const angle = place * GOLDEN - Math.PI / 2;
  const [x, y] = [far * Math.cos(angle) * pitch, far * Math.sin(angle) * pitch];
  return drawn("ellipse", {
    cx: x, cy: y, rx: SEED * pitch, ry: SEED * 0.74 * pitch, class: "seed",
    transform: `rotate(${(place * 67) % 180} ${x} ${y})`,
  });
}

/** A site of which the sensors cannot tell: hatched. */
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
