/** Who plays, whose turn it is, and what either side has beside the board. */

import { drawn, refill } from "./drawn.js";
import { stone } from "./pieces.js";
import { element, on, state } from "./state.js";
import { player, text } from "./words.js";

/** Which stones are a player's, by the player's English name; of other names neither colour is anybody's own. */
const OWN = { Black: 1, Dark: 1, White: 2, Light: 2 };

/** The level at which the engine plays `side`; 0 for a person. */
export function level(side) {
  return state.table?.levels?.[side] ?? 0;
}

/** Whether the engine is looking for its turn. */
function thinks() {
  const { now } = state;
  return Boolean(level(now.side) && !now.plan && !state.story?.outcome && !["setting", "over"].includes(now.state));
}

function named(side) {
  return level(side) ? text("engine-player", { player: player(side), level: level(side) }) : player(side);
}

function picture(own) {
  return own && drawn("svg", { viewBox: "-36 -36 72 72", "aria-hidden": "true" }, stone(own, 100));
}

/** The line under the players: one that fits the board in sight, be it that of now or of the past. */
function status() {
  const { now, story, viewing } = state;
  if (viewing !== null && story) {
    const [number, last] = [viewing, story.turns.length].map((count) => count + story.before);
    return text("looking", { number, last });
  }
  if (story?.outcome) return text("game-over");
  if (!thinks()) return now.aside ? now.status.replace(` ${now.aside}`, `\n${now.aside}`) : now.status;
  const made = (story?.before ?? 0) + (story?.turns.length ?? 0);
  return [text("thinking", { number: made + 1, player: player(now.side) }), now.aside].filter(Boolean).join("\n");
}

function drawPlayer(each) {
  const side = Number(each.dataset.side);
  each.querySelector(".who").textContent = named(side);
  each.classList.toggle("turn", state.now.side === side);
  const own = OWN[state.table.names[side]] ?? 0;
  const picked = each.querySelector(".own");
  if (picked.dataset.own === String(own)) return;
  picked.dataset.own = own;
  refill(picked, picture(own));
}

function draw() {
  if (!state.now || !state.table) return;
  element("whose").hidden = !state.table.game;
  if (!state.table.game) return;
  element("status").textContent = status();
  document.querySelectorAll("#whose .player").forEach(drawPlayer);
}

on("now table page story viewing", draw);
