/** Words come from the server in the reader's language; nothing here is a sentence. */

import { all } from "./elements.js";
import { engineLevel, state } from "./state.js";

/** @import { CueForm } from "../types.d.ts" */

/**
 * The sentence `name` with its {values}; empty if there is none.
 * @param {string} name
 * @param {Record<string, string | number>} values
 */
export function text(name, values = {}) {
  const sentence = state.page?.text[name] ?? "";
  return sentence.replace(/\{(\w+)\}/g, (mark, key) => (key in values ? String(values[key]) : mark));
}

/** Put the words of the page into every element that asks for some by data-text or data-label. */
export function fillWords() {
  for (const each of all("[data-text]", HTMLElement)) each.textContent = text(each.dataset.text ?? "");
  for (const each of all("[data-label]", HTMLElement)) {
    const label = text(each.dataset.label ?? "");
    each.setAttribute("aria-label", label);
    if (each.matches("button")) each.title = label;
  }
}

/**
 * The name of player `side`, 0 or 1, in the reader's language; empty for none.
 * @param {number | null} side
 */
export function player(side) {
  return side === null ? "" : (state.table?.players[side] ?? "");
}

/**
 * Which stones are a player's, by the player's English name; of other names neither colour is anybody's own.
 * @type {Record<string, number>}
 */
const OWN = { Black: 1, Dark: 1, White: 2, Light: 2 };

/**
 * Which stones are those of player `side`: 1 dark, 2 light, 0 where neither are.
 * @param {number} side
 */
export function ownColour(side) {
  return OWN[state.table?.names[side] ?? ""] ?? 0;
}

/**
 * The name that the player of `side` has told for the game, else for the seat; empty for none.
 * @param {number} side
 */
export function ownName(side) {
  return state.table?.people[side] || state.seats?.seats[side]?.name || "";
}

/**
 * Who plays `side`: a name of their own, else that of the side; empty for none.
 * @param {number | null} side
 */
export function person(side) {
  return (side !== null && ownName(side)) || player(side);
}

/**
 * What sentences call the player of `side`: a name of their own with that of the side, else that alone.
 * @param {number | null} side
 */
export function called(side) {
  const name = side === null || engineLevel(side) ? "" : ownName(side);
  return name ? text("named", { name, side: player(side) }) : player(side);
}

/**
 * What a stone of this level, and of the kind with this mark, is called: "light stone (king)".
 * @param {number} level
 * @param {string} mark
 */
export function stoneName(level, mark = "") {
  const name = text(level === 1 ? "dark-stone" : "light-stone");
  return mark ? `${name} (${state.table?.kinds[mark] ?? mark})` : name;
}

const counting = new Map([
  ["for-first", 0],
  ["for-second", 1],
]);

/**
 * What a cue tells: of seeds in its own words, where pieces are spoken of; and whose it is by name.
 * @param {CueForm} cue
 */
export function tells(cue) {
  const [side, seedy] = [counting.get(cue.kind), state.table?.pieces === "seeds"];
  if (side !== undefined) return text(seedy ? "cue-for-seeds" : "cue-for", { player: called(side) });
  const seeds = seedy && text(`cue-${cue.kind}-seeds`);
  return seeds || cue.tells;
}
