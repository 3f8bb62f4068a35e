/**
 * What is known of the position that is looked at: who stands better, in words, and of the turn made there the better one. Both are
 * arrows on the board, made of the acts of the turns.
 */

import { arrow, drawing } from "./board.js";
import { drawn, element, find, made, refill } from "./elements.js";
import { look } from "./scrub.js";
import { given, on, state } from "./state.js";
import { called, text } from "./words.js";

/** @import { ActForm, MomentForm } from "../types.d.ts" */

/** How far the marks of pieces that are laid, taken and turned over reach from the middle of a site, in pitches. */
const MARK = 0.2;

/**
 * What is known after `turn` turns of those told.
 * @param {number} turn
 * @returns {MomentForm | null}
 */
function momentAt(turn) {
  return state.review?.moments[turn + (state.story?.before ?? 0)] ?? null;
}

/** What is known of the position that is looked at. */
function here() {
  return state.viewing === null ? null : momentAt(state.viewing);
}

function drawArrows() {
  const place = drawing()?.querySelector(".moves");
  if (!place) return;
  const better = here()?.better;
  const next = state.viewing === null ? null : given.story.turns[state.viewing];
  const both = better && next ? [...acted(next.acts, "played"), ...acted(better.acts, "better")] : [];
  refill(place, ...both);
}

/**
 * A turn as strokes, light with a dark edge.
 * @param {ActForm[]} acts
 * @param {string} kind
 */
function acted(acts, kind) {
  return ["edge", "line"].map((part) => drawn("g", { class: `${kind} ${part}` }, ...acts.flatMap(strokes)));
}

/** @param {ActForm} act */
function strokes({ kind, sites }) {
  const { at, pitch } = given.board;
  const [x, y] = at[sites[0]];
  const reach = MARK * pitch;
  if (kind === "carry" || kind === "push") return [arrow(at[sites[0]], at[sites[sites.length - 1]], pitch)];
  if (kind === "sow") return [drawn("circle", { cx: x, cy: y, r: 0.42 * pitch }), arrow(at[sites[0]], at[sites[1]], pitch)];
  if (kind === "flip") return [drawn("circle", { cx: x, cy: y, r: 2 * reach })];
  const slant = kind === "take" ? `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}` : "";
  return [drawn("path", { d: slant || `M${x - reach} ${y}h${2 * reach}M${x} ${y - reach}v${2 * reach}` })];
}

/** How an arrow looks, beside the sentence that speaks of it. */
/** @param {string} kind */
function sample(kind) {
  const line = () => drawn("path", { d: "M2 7H22M17 2 22 7 17 12" });
  const parts = ["edge", "line"].map((part) => drawn("g", { class: `${kind} ${part}` }, line()));
  return drawn("svg", { viewBox: "-1 0 28 14", class: "moves", "aria-hidden": "true" }, ...parts);
}

function say() {
  const moment = here();
  const place = element("weighed");
  place.hidden = !moment;
  const next = state.viewing === null ? null : state.story?.turns[state.viewing];
  const { better = null } = moment ?? {};
  const ends = state.viewing === state.story?.turns.length && state.story?.outcome; // nobody can do better any more
  const word = ends || (moment?.word ?? "");
  if (!better || !next) refill(place, word);
  else {
    const went = made("span", {}, sample("played"), text("went-on", { player: called(next.side), turn: next.text }));
    const was = made("span", {}, sample("better"), text(better.much ? "was-better" : "was-little-better", { turn: better.turn }));
    refill(place, word, " ", went, " ", was);
  }
  element("see-better").hidden = !state.viewing || !momentAt(state.viewing - 1)?.better?.much;
}

element("see-better").addEventListener("click", () => {
  if (state.viewing) look(state.viewing - 1);
  find("#see-better", HTMLButtonElement).blur(); // it is about another turn now, or gone: keys step on
});
on("viewing review table", drawArrows);
on("viewing review page story", say);
