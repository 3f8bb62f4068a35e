/** Words come from the server in the reader's language; nothing here is a sentence. */

import { state } from "./state.js";

/** The sentence `name` with its {values}; empty if there is none. */
export function text(name, values = {}) {
  const sentence = state.page?.text[name] ?? "";
  return sentence.replace(/\{(\w+)\}/g, (mark, key) => (key in values ? String(values[key]) : mark));
}

/** Put the words of the page into every element that asks for some by data-text or data-label. */
export function fillWords() {
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = text(each.dataset.text);
  for (const each of document.querySelectorAll("[data-label]")) {
    each.setAttribute("aria-label", text(each.dataset.label));
    if (each.matches("button")) each.title = text(each.dataset.label);
  }
}

/** The name of player `side`, 0 or 1, in the reader's language. */
export function player(side) {
  return state.table?.players[side] ?? "";
}

/** What a stone of this level is called. */
export function stoneName(level) {
  return text(level === 1 ? "dark-stone" : "light-stone");
}

/** What a cue tells: of seeds in its own words, where pieces are spoken of. */
export function tells(cue) {
  const seeds = state.table?.pieces === "seeds" && text(`cue-${cue.kind}-seeds`);
  return seeds || cue.tells;
}
