/** The board: its ground, a group for each site with light, piece and mark, and the way of the seeds in the hand. */

import { all, drawn, element, find, readDrawing, refill, tell } from "./elements.js";
import { fit, turnedPoint } from "./geometry.js";
import { ghost, heap, mark, seeds, shades, stone, unsure } from "./pieces.js";
import { beside, changedLast, changedThen, shownBoard, sites } from "./shown.js";
import { lap } from "./sowing.js";
import { given, on, state } from "./state.js";
import { player, stoneName, tells, text } from "./words.js";

/** @import { BoardForm, CueForm } from "../types.d.ts" */
/** @import { Box, Point } from "./geometry.js" */
/** @import { Lying } from "./shown.js" */

/** Where the mark of a cue sits, from the middle of its site, in pitches; how large it is, and in pixels at least. */
const CORNER = 0.36;
const MARK = 0.25;
const LEGIBLE = 14;
/** How far around a light it is dark, how far it glows, and its ring, in pitches. */
const WELL = 0.54;
const HALO = 0.74;
const RING = 0.4;
/** How strong the glow is, by how far from the middle: beside the ring it is darker, or the ring would not stand out. */
const GLOW = [[0.2, 0.3], [RING, 0.7], [0.45, 0.2], [0.5, 0.2], [HALO, 0]];
/**
 * Its corners, the usual one first, and how far from it a name must lie not to be hidden, in pitches.
 * @type {Point[]}
 */
const CORNERS = [[1, -1], [-1, -1], [1, 1], [-1, 1]];
const CLEAR = 0.4;
/** How round the corners of the frame are, as drawing/board.py has them: the shadow under it is no rounder. */
const CORNER_OF_FRAME = 26;
/** How far the light of a site reaches over what is drawn before it, in pitches. */
const LIGHT = 0.2;
/** By how much of their size the baseline of words lies below their middle, as ground.py writes them. */
const DROP = 0.36;
/** A board that is looked at alone: its places are no buttons. */
const watched = element("board").hasAttribute("data-watched");

/**
 * What makes a place of the board a button, where it is one.
 * @param {number} tabindex
 * @returns {Record<string, string | number>}
 */
function pressed(tabindex) {
  return watched ? {} : { role: "button", tabindex };
}

/** Where arrows begin and end, from the middle of a pit, and the length of their heads, in pitches. */
const RIM = 0.4;
/** How much of its way an arrow leaves out at each end at most: between neighbours more of it is seen. */
const NEAR = 0.24;
const HEAD = 0.13;

let built = "";
/** @type {SVGSVGElement | null} */
let svg = null;
/** Of pieces and lights: what a pitch is of a board whose sites lie a pitch apart. */
let size = 100;
/**
 * What a site is drawn with; `drawn`: what for. `lamp`: its light and the dark around it, under all pieces. `told` and
 * `hue`: how it is lit, see lights.js.
 * @typedef {object} SiteGroup
 * @property {SVGGElement} group
 * @property {SVGGElement} lamp
 * @property {SVGGElement} light
 * @property {SVGGElement} piece
 * @property {SVGGElement} badge
 * @property {Point} corner
 * @property {string} drawn
 * @property {string} [told]
 * @property {number[]} [hue]
 */

/** @type {Map<string, SiteGroup>} */
const groups = new Map();

/** The drawing of the board; null while there is none. */
export function drawing() {
  return svg;
}

/**
 * Make `place`, a selector, the board's one tab stop, and the focus.
 * @param {string} place
 */
export function focusOn(place) {
  if (!svg) return;
  for (const each of svg.querySelectorAll('[tabindex="0"]')) each.setAttribute("tabindex", "-1");
  const node = find(place, SVGElement, svg);
  node.setAttribute("tabindex", "0");
  node.focus({ preventScroll: true });
}

/** What pieces are drawn by: the pitch of a board whose sites lie a pitch apart. */
export function pieceSize() {
  return size;
}

/** All groups by the names of their sites. */
export function everySite() {
  return groups;
}

function build() {
  const board = state.table?.board ?? null;
  const key = JSON.stringify([state.table?.game, board]);
  if (key === built) return;
  built = key;
  groups.clear();
  svg = board && drawBoard(board);
  document.body.classList.toggle("flat", board !== null && board.box[2] > 1.4 * board.box[3]);
  refill(element("board"), svg);
  scaleMarks();
}

/** @param {BoardForm} board */
function drawBoard(board) {
  size = board.pitch * fit(board);
  const [, , width, height] = board.box;
  const ground = drawGround(board);
  const role = watched ? "img" : "application";
  const stage = drawn("svg", { viewBox: board.box.join(" "), role, class: "stage" }, shades());
  stage.style.setProperty("--ratio", String(width / height));
  stage.style.setProperty("--corner", `${(100 * CORNER_OF_FRAME) / width}%`);
  const turned = { transform: `matrix(${matrix(width, height).join(" ")})`, class: "ground" };
  const words = ground ? [...ground.querySelectorAll("text")] : [];
  if (ground) stage.append(drawn("g", turned, ground));
  (board.stores ?? []).forEach((box, side) => stage.append(drawStore(box, side, board.pitch)));
  const names = words.map(lies).map((at) => turnedPoint(state.quarters, width, height, at));
  const lamps = drawn("g", { class: "lamps", "aria-hidden": "true" });
  stage.append(lamps, drawn("g", { ...turned, "aria-hidden": "true" }, ...words)); // no light lies over a name
  stage.append(drawn("g", { class: "way", "aria-hidden": "true" }));
  Object.entries(board.at).forEach(([name, at], place) => stage.append(drawSite(name, at, place === 0, names)));
  lamps.append(well(), ...[...groups.values()].map(({ lamp }) => lamp));
  stage.append(drawn("g", { class: "other-hand", "aria-hidden": "true" }));
  stage.append(drawn("g", { class: "moves", "aria-hidden": "true" }), drawn("g", { class: "pointer", "aria-hidden": "true" }));
  return stage;
}

/**
 * The ground, its words upright however it will be turned.
 * @param {BoardForm} board
 */
function drawGround(board) {
  const ground = readDrawing(board.ground);
  const [x, y, wide, high] = board.box;
  const [width, height] = state.quarters % 2 ? [high, wide] : [wide, high];
  for (const [name, value] of Object.entries({ x, y, width, height })) ground?.setAttribute(name, String(value));
  for (const word of state.quarters && ground ? ground.querySelectorAll("text") : []) {
    const [left, base] = lies(word);
    const middle = base - DROP * Number(word.getAttribute("font-size"));
    word.setAttribute("transform", `rotate(${-90 * state.quarters} ${left} ${middle})`);
  }
  return ground;
}

/**
 * What turns the ground on a board that is now `wide` by `high`.
 * @param {number} wide
 * @param {number} high
 */
function matrix(wide, high) {
  return [[1, 0, 0, 1, 0, 0], [0, 1, -1, 0, wide, 0], [-1, 0, 0, -1, wide, high], [0, -1, 1, 0, 0, high]][state.quarters];
}

/** The dark around a light, which all share. */
function well() {
  const stops = [[0.92, 1], [1, 0]].map(([offset, opacity]) => drawn("stop", { offset, "stop-opacity": opacity }));
  return drawn("radialGradient", { id: "well" }, ...stops);
}

/**
 * A light on its site: a bright ring with a hot core and a glow, and the dark that it is seen in.
 * @param {string} name
 * @param {Point} at
 */
function drawLamp(name, [x, y]) {
  const glow = drawn("radialGradient", { id: `glow-${name}`, class: "glow" },
    ...GLOW.map(([far, opacity]) => drawn("stop", { offset: far / HALO, "stop-opacity": opacity })));
  const ring = { r: RING * size, class: "ring" };
  const light = drawn("g", { class: "light", opacity: 0 },
    drawn("circle", { r: HALO * size, fill: `url(#glow-${name})`, class: "halo" }),
    drawn("circle", ring), drawn("circle", { ...ring, class: "core" }));
  const dark = drawn("circle", { r: WELL * size, fill: "url(#well)", class: "well" });
  const lamp = drawn("g", { class: "lamp-of", "data-lamp": name, transform: `translate(${x} ${y})` }, drawn("g", {}, glow, dark, light));
  return { lamp, light };
}

/**
 * Where a text of the ground is.
 * @param {SVGTextElement} name
 * @returns {Point}
 */
function lies(name) {
  return [Number(name.getAttribute("x")), Number(name.getAttribute("y"))];
}

/**
 * The corner of a site for its badge: the upper right, or the one that is farthest from all names and other sites.
 * @param {Point} at
 * @param {Point[]} names
 */
function corner(at, names) {
  const others = Object.values(given.board.at).filter((other) => other !== at);
  /** @param {Point} way */
  const far = ([dx, dy]) => {
    const [cx, cy] = [at[0] + dx * CORNER * size, at[1] + dy * CORNER * size];
    const away = names.map(([x, y]) => Math.hypot(x - cx, y - cy));
    const clear = others.map(([x, y]) => Math.hypot(x - cx, y - cy) - LIGHT * size);
    return Math.min(CLEAR * size, ...away, ...clear);
  };
  const [dx, dy] = CORNERS.reduce((one, other) => (far(other) > far(one) ? other : one));
  return /** @type {Point} */ ([dx * CORNER * size, dy * CORNER * size]);
}

/**
 * @param {Box} box
 * @param {number} side
 * @param {number} pitch
 */
function drawStore([x, y, wide, high], side, pitch) {
  const group = drawn("g", { class: "store", ...pressed(-1), "data-store": side });
  group.append(drawn("rect", { x, y, width: wide, height: high, rx: Math.min(wide, high) / 2, class: "store-edge" }));
  const flat = wide > high; // seen turned: the name stands beside the number
  const [count, name] = flat ? [[0.3, 0.5], [0.68, 0.5]] : [[0.5, 0.5], [0.5, 1 - (0.3 * pitch) / high]];
  const at = { x: x + count[0] * wide, y: y + count[1] * high, "font-size": 0.34 * pitch, class: "count" };
  const owner = { x: x + name[0] * wide, y: y + name[1] * high, "font-size": 0.17 * pitch, class: "owner" };
  group.append(drawn("g", { class: "lying" }), drawn("text", at), drawn("text", owner));
  return group;
}

/**
 * @param {string} name
 * @param {Point} at
 * @param {boolean} first
 * @param {Point[]} names
 */
function drawSite(name, at, first, names) {
  const [x, y] = at;
  const { lamp, light } = drawLamp(name, at);
  const piece = drawn("g", { class: "piece" });
  const badge = drawn("g", { class: "badge" });
  const hit = drawn("circle", { r: 0.48 * size, class: "hit" });
  const group = drawn("g", {
    class: "site", ...pressed(first ? 0 : -1), transform: `translate(${x} ${y})`, "data-site": name, "data-level": 0, "data-cue": "",
  }, piece, drawn("circle", { r: 0.45 * size, class: "focus" }), hit, badge);
  groups.set(name, { group, lamp, light, piece, badge, corner: corner(at, names), drawn: "" });
  return group;
}

function update() {
  if (!svg || !state.now || !state.story) return;
  svg.setAttribute("aria-label", text(watched ? "board-seen" : "board-label", { game: given.table.title }));
  shownBoard().forEach((lying, place) => {
    updateSite(sites()[place], lying);
    const marks = groups.get(sites()[place])?.group.classList;
    marks?.toggle("changed", changedThen(place));
    marks?.toggle("recent", changedLast(place));
  });
  for (const group of all(".store", SVGGElement, svg)) updateStore(group, Number(group.dataset.store));
}

/**
 * @param {string} name
 * @param {Lying} lying
 */
function updateSite(name, lying) {
  const each = groups.get(name);
  if (!each) return;
  const cue = state.viewing === null ? (given.now.cues[name] ?? null) : null;
  const lifted = state.hand?.from === name && state.viewing === null;
  const order = cue && given.table.hands ? lapPlace(name) : (cue?.order ?? 0);
  const { level, known, mark: kind } = lying;
  const key = [level, known, kind, cue?.kind, cue?.level, cue?.tells, lifted, given.table.pieces, order, state.page?.language].join();
  if (key === each.drawn) return;
  each.drawn = key;
  if (!watched) each.group.setAttribute("aria-label", describe(name, lying, cue));
  each.group.dataset.level = String(lying.level ?? "");
  each.group.dataset.cue = cue?.kind ?? "";
  each.group.classList.toggle("lifted", lifted);
  const piece = lifted && given.hand.level && given.table.pieces === "stones" ? stone(given.hand.level, size) : drawPiece(lying, cue);
  refill(each.piece, piece);
  each.lamp.classList.toggle("dot", given.board.points && !piece);
  each.lamp.classList.toggle("hollow", !given.board.points && !piece);
  each.badge.classList.toggle("bare", !piece); // it stands in the dark of its light
  each.badge.setAttribute("transform", `translate(${(piece ? each.corner : [0, 0]).join(" ")})`);
  refill(each.badge, cue && mark(cue.kind, MARK * size, order));
}

/**
 * Which of the seeds in the hand falls into a pit, counted from 1; 0 if none does.
 * @param {string} name
 */
function lapPlace(name) {
  return given.table.pieces === "seeds" && state.viewing === null ? Math.max(0, lap().indexOf(name, 1)) : 0;
}

/** Marks are legible on a small board: they grow as it shrinks. */
function scaleMarks() {
  const wide = svg?.getBoundingClientRect().width;
  if (!svg || !wide) return;
  const pixels = (MARK * size * wide) / given.board.box[2];
  svg.style.setProperty("--mark", String(Math.max(1, LEGIBLE / pixels).toFixed(3)));
}

new ResizeObserver(scaleMarks).observe(element("board"));

/**
 * @param {Lying} lying
 * @param {CueForm | null} cue
 */
function drawPiece({ level, known, mark: kind }, cue) {
  const { pieces, lights } = given.table;
  if (level === null) return unsure(size);
  if (pieces === "seeds") return seeds(known ? level : null, size);
  if (level) return stone(level, size, known, kind);
  const owed = cue && lights.spoken.includes(cue.kind) && (cue.level === 1 || cue.level === 2);
  return owed ? ghost(cue.level, size) : null;
}

/**
 * A site for those who hear it: "c3, dark stone, this piece may be moved".
 * @param {string} name
 * @param {Lying} lying
 * @param {CueForm | null} cue
 */
function describe(name, lying, cue) {
  return [name, lyingWords(lying), cue ? tells(cue) : "", cue ? owedWords(cue) : ""].filter(Boolean).join(", ");
}

/** @param {Lying} lying */
function lyingWords({ level, known, mark: kind }) {
  if (level === null) return text("cannot-tell");
  if (given.table.pieces === "seeds") return known ? text("seeds", { count: level }) : text("some-seeds");
  if (!level) return text("empty");
  return known ? stoneName(level, kind) : text("a-piece");
}

/** @param {CueForm} cue */
function owedWords(cue) {
  const speaks = given.table.lights.spoken.includes(cue.kind) && given.table.pieces === "stones";
  return speaks && (cue.level === 1 || cue.level === 2) ? stoneName(cue.level) : "";
}

/**
 * @param {SVGElement} group
 * @param {number} side
 */
function updateStore(group, side) {
  const count = beside(side) ?? 0;
  const held = text(given.table.pieces === "seeds" ? "seeds" : "stones", { count });
  if (!watched) group.setAttribute("aria-label", `${text("store", { player: player(side) })}, ${held}`);
  const sown = given.table.pieces === "seeds";
  tell(find(".count", SVGElement, group), sown ? String(count) : "");
  tell(find(".owner", SVGElement, group), sown ? player(side) : "");
  if (group.dataset.count === String(count)) return;
  group.dataset.count = String(count);
  refill(find(".lying", SVGElement, group), ...(given.table.pieces === "stones" ? heap((given.board.stores ?? [])[side], side, count) : []));
}

/**
 * From the rim of one pit to that of the next.
 * @param {Point} from
 * @param {Point} to
 * @param {number} pitch
 * @param {string} kind
 */
export function arrow([x, y], [tx, ty], pitch, kind = "") {
  const far = Math.hypot(tx - x, ty - y);
  const [dx, dy] = [(tx - x) / far, (ty - y) / far];
  /**
   * @param {number} along
   * @param {number} aside
   */
  const at = (along, aside = 0) => `${x + dx * along - dy * aside} ${y + dy * along + dx * aside}`;
  const rim = Math.min(RIM * pitch, NEAR * far);
  const [tip, neck, wing] = [far - rim, far - rim - HEAD * pitch, (HEAD * pitch) / 2];
  return drawn("path", { d: `M${at(rim)}L${at(tip)}M${at(neck, wing)}L${at(tip)}L${at(neck, -wing)}`, class: kind });
}

let wayShown = "";

/** The way of the seeds that are in the hand, pit by pit, as arrows on the board; nothing while none is lifted. */
function drawWay() {
  const place = svg?.querySelector(".way");
  if (!place || !state.now || !state.story) return;
  const pits = given.table.pieces === "seeds" && state.viewing === null ? lap() : [];
  const key = pits.join();
  if (key === wayShown && Boolean(key) === Boolean(place.childElementCount)) return;
  wayShown = key;
  const { at, pitch } = given.board;
  const steps = pits.slice(1).map((pit, before) => [pits[before], pit]);
  const once = new Map(steps.map((step) => [step.join(), step]));
  refill(place, ...[...once.values()].map(([from, to]) => arrow(at[from], at[to], pitch)));
}

/** The move that the guide speaks of, as an arrow over the board, light with a dark edge. */
function drawPointer() {
  const place = svg?.querySelector(".pointer");
  if (!place) return;
  const { at, pitch } = given.board;
  const [from, to] = (state.viewing === null && state.pointer) || ["", ""];
  const ends = at[from] && at[to];
  refill(place, ...(ends ? ["edge", "line"].map((kind) => arrow(at[from], at[to], pitch, kind)) : []));
}

on("table", build);
on("page table story now viewing hand", update);
on("table now hand trail story viewing", drawWay);
on("table pointer viewing", drawPointer);
