/**
 * The pieces of a turn that is looked back at set out from where they came from, forward and backward, act by act: what the acts
 * of the turn tell, and nothing else. A leap over several turns shows where it leads to at once.
 */

import { drawing, everySite, pieceSize } from "./board.js";
import { drawn } from "./elements.js";
import { knock, moves } from "./effects.js";
import { EASING, fall, fly } from "./motion.js";
import { stone } from "./pieces.js";
import { boardAfter, sites } from "./shown.js";
import { given, on, state } from "./state.js";

/** @import { ActForm, TurnForm } from "../types.d.ts" */

/** Milliseconds of an act, and of a whole turn at most; of a seed, and of all that fall in a turn. Chosen by eye. */
const ACT = 240;
const TURN = 900;
const SEED = 70;
const SOWING = 1200;

/**
 * A piece with the sites that it comes to, each with the number of the act that brings it there: the first is where it stood, or
 * where it was laid. `laid`, `taken`, `turned`: the acts in which it came on the board, left it, became another; -1 for none.
 * @typedef {{ level: number, way: [act: number, site: string][], laid: number, taken: number, turned: number }} Walk
 */

/**
 * What each piece does in a turn that moves, comes or goes in it.
 * @param {ActForm[]} acts
 * @param {number[]} before
 */
function walks(acts, before) {
  /** @type {Map<string, Walk>} */
  const standing = new Map();
  sites().forEach((site, place) => before[place] && standing.set(site, begun(site, before[place])));
  const all = [...standing.values()];
  acts.forEach(({ kind, sites: [site, ...rest], levels }, act) => {
    const walk = standing.get(site);
    if (kind === "lay") {
      const laid = { ...begun(site, levels[0]), laid: act };
      standing.set(site, laid);
      all.push(laid);
    } else if (kind === "take" && walk) {
      walk.taken = act;
      standing.delete(site);
    } else if (kind === "flip" && walk) walk.turned = act;
    else if (kind === "carry" || kind === "push") shift([site, ...rest], act, standing);
  });
  return all.filter(({ way, laid, taken, turned }) => way.length > 1 || Math.max(laid, taken, turned) >= 0);
}

/**
 * @param {string} site
 * @param {number} level
 * @returns {Walk}
 */
function begun(site, level) {
  return { level, way: [[-1, site]], laid: -1, taken: -1, turned: -1 };
}

/**
 * Each piece along `row` goes one site on.
 * @param {string[]} row
 * @param {number} act
 * @param {Map<string, Walk>} standing
 */
function shift(row, act, standing) {
  const gone = row.slice(0, -1).map((site) => standing.get(site));
  for (const site of row.slice(0, -1)) standing.delete(site);
  gone.forEach((walk, place) => {
    if (!walk) return;
    walk.way.push([act, row[place + 1]]);
    standing.set(row[place + 1], walk);
  });
}

// On the board --------------------------------------------------------------------------------------------

/**
 * Have the turn be seen; `forward`: as it was made, else as if it were taken back.
 * @param {TurnForm} turn
 * @param {number[]} before
 * @param {boolean} forward
 */
function replay({ acts }, before, forward) {
  if (acts.some(({ kind }) => kind === "sow")) return forward ? sow(acts) : undefined;
  const lasts = Math.min(TURN, ACT * acts.length);
  for (const walk of walks(acts, before)) {
    const here = (forward ? walk.way.at(-1) : walk.way[0])?.[1] ?? "";
    const gone = forward ? walk.taken >= 0 : walk.laid >= 0;
    const node = gone ? null : everySite().get(here)?.piece;
    if (gone && forward) fly(here, walk.level);
    else if (gone) fade(here, walk.level, lasts);
    else node?.animate(frames(walk, here, acts.length, forward), { duration: lasts, easing: "linear" });
  }
}

/**
 * How the piece that lies on `here` has come there.
 * @param {Walk} walk
 * @param {string} here
 * @param {number} count
 * @param {boolean} forward
 */
function frames({ way, laid, taken, turned }, here, count, forward) {
  const { at } = given.board;
  /** @param {string} site */
  const from = (site) => `translate(${at[site][0] - at[here][0]}px, ${at[site][1] - at[here][1]}px)`;
  /** @type {Keyframe[]} */
  const found = [{ offset: 0, transform: from(way[0][1]), easing: EASING }];
  way.slice(1).forEach(([act, site], place) => {
    found.push({ offset: act / count, transform: from(way[place][1]), easing: EASING });
    found.push({ offset: (act + 1) / count, transform: from(site), easing: EASING });
  });
  const end = from(way[way.length - 1][1]);
  if (laid >= 0) found[0].opacity = 0;
  if (laid >= 0) found.push({ offset: laid / count, transform: `${found[0].transform} scale(1.3)`, opacity: 0 });
  if (turned >= 0) found.push({ offset: (turned + 0.5) / count, transform: `${end} scaleX(.1)` });
  if (taken >= 0) found.push({ offset: (taken + 1) / count, transform: `${end} scale(1.3)`, opacity: 0 });
  found.push({ offset: 1, transform: end, ...(taken >= 0 ? { opacity: 0 } : {}) });
  found.sort((one, other) => Number(one.offset) - Number(other.offset));
  return forward ? found : found.map((each) => ({ ...each, offset: 1 - Number(each.offset) })).reverse();
}

/**
 * A piece that was laid is taken back.
 * @param {string} site
 * @param {number} level
 * @param {number} lasts
 */
function fade(site, level, lasts) {
  const [x, y] = given.board.at[site];
  const group = drawn("g", { class: "flying", "aria-hidden": "true" }, stone(level, pieceSize()));
  drawing()?.append(group);
  const way = [{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${x}px, ${y}px) scale(1.3)`, opacity: 0 }];
  group.animate(way, { duration: lasts / 2 }).finished.finally(() => group.remove());
}

/**
 * Seeds fall one after another.
 * @param {ActForm[]} acts
 */
function sow(acts) {
  const pits = acts.flatMap(({ kind, sites: [from, ...rest] }) => (kind === "sow" ? rest : [from]));
  const pace = Math.min(SEED, SOWING / pits.length);
  pits.forEach((pit, place) => {
    const piece = everySite().get(pit)?.piece;
    if (piece) fall(piece, place * pace);
  });
}

/** What moves still stands where it goes to. */
function stop() {
  for (const { piece } of everySite().values()) for (const each of piece.getAnimations()) each.cancel();
  for (const each of drawing()?.querySelectorAll(".flying") ?? []) each.remove();
}

/** The turn shown before; null while the board of now was. */
let shown = /** @type {number | null} */ (null);

function follow() {
  const { viewing, story } = state;
  const last = story?.turns.length ?? 0;
  const [from, to] = [shown ?? last, viewing ?? last];
  const leaves = shown === null && state.now && !["rest", "over"].includes(state.now.state); // hands are at work there
  shown = viewing;
  if (!story || from === to) return;
  stop();
  if (Math.abs(from - to) > 1 || leaves) return;
  knock(given.table.pieces === "seeds" ? "seed" : "put");
  if (moves()) replay(story.turns[Math.min(from, to)], boardAfter(Math.min(from, to)), from < to);
}

on("viewing", follow);
follow(); // it is fetched once somebody looks back
