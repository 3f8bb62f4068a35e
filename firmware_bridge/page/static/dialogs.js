/** The windows to read in, the rules and the help, and the one in which players end the game. */

import { readDrawing, refill } from "./drawn.js";
import { putBack } from "./hand.js";
import { ask } from "./live.js";
import { opens } from "./opening.js";
import { reveal } from "./panel.js";
import { level } from "./players.js";
import { element, state } from "./state.js";
import { made, player, text } from "./words.js";

const KEYS = ["arrows", "enter", "escape", "shift", "d-l", "delete", "s", "u", "e", "h"];
/** Keys of some games alone, by what these are played with. */
const OF_STONES = new Set(["d-l", "delete"]);
const OF_SEEDS = new Set(["s"]);
const OF_ROWS = new Set(["shift"]);

function fillRules() {
  const { title, rules } = state.table;
  element("rules-title").textContent = title || text("rules");
  const words = rules.length ? rules : [text("choosing")];
  refill(element("rules-text"), ...words.map((rule) => made("p", {}, rule)), ...figures());
}

/** The figures of the rules, each with its caption. */
function figures() {
  const { figures: drawings, captions = [] } = state.table;
  return drawings.map((source, place) => {
    const svg = readDrawing(source);
    return svg && made("figure", {}, svg, made("figcaption", { class: "small" }, captions[place] ?? ""));
  });
}

/** Whether a key does something in the game in hand. */
function counts(key) {
  const { pieces, pushes } = state.table;
  if (OF_ROWS.has(key)) return pushes;
  return !(pieces === "seeds" ? OF_STONES : OF_SEEDS).has(key);
}

/** What a key does: of seeds in its own words, where pieces are spoken of. */
function does(key) {
  return (state.table.pieces === "seeds" && text(`key-${key}-does-seeds`)) || text(`key-${key}-does`);
}

function fillHelp() {
  const list = made("dl", { class: "keys" });
  for (const key of KEYS.filter(counts)) {
    list.append(made("dt", {}, made("kbd", {}, text(`key-${key}`))), made("dd", {}, does(key)));
  }
  const told = [text(`help-${state.table.game}`), text("help-lights"), text("help-table")];
  const words = told.filter(Boolean).map((each) => made("p", {}, each));
  refill(element("help-text"), ...words, made("h3", {}, text("keys")), made("p", {}, text("help-keys")), list);
}

/** Who can resign, or both; an engine never does. */
function fillEnd() {
  const ways = [[0, "resign"], [1, "resign"], [null, "draw"]].filter(([side]) => side === null || !level(side));
  refill(element("end-ways"), ...ways.map(([side, name]) => endButton(side, name)));
}

function endButton(side, name) {
  const button = made("button", { value: "ok" }, text(name, { player: side === null ? "" : player(side) }));
  button.addEventListener("click", () => {
    putBack();
    ask({ do: "end", resigns: side });
    reveal();
  });
  return button;
}

opens("open-rules", "rules", fillRules);
opens("open-help", "help", fillHelp);
opens("open-end", "end", fillEnd);
