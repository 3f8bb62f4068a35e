/** The way of the seeds that are in the hand, pit by pit, as arrows on the board; nothing while none is lifted. */

import { drawing } from "./board.js";
import { drawn, refill } from "./drawn.js";
import { lap } from "./sowing.js";
import { on, state } from "./state.js";

/** Where arrows begin and end, from the middle of a pit, and the length of their heads, in pitches. */
const RIM = 0.4;
const HEAD = 0.13;

/** From the rim of one pit to that of the next. */
function arrow([x, y], [tx, ty], pitch) {
  const far = Math.hypot(tx - x, ty - y);
  const [dx, dy] = [(tx - x) / far, (ty - y) / far];
  const at = (along, aside = 0) => `${x + dx * along - dy * aside} ${y + dy * along + dx * aside}`;
  const [tip, neck, wing] = [far - RIM * pitch, far - (RIM + HEAD) * pitch, (HEAD * pitch) / 2];
  return drawn("path", { d: `M${at(RIM * pitch)}L${at(tip)}M${at(neck, wing)}L${at(tip)}L${at(neck, -wing)}` });
}

let shown = "";

function draw() {
  const place = drawing()?.querySelector(".way");
  if (!place || !state.now || !state.story) return;
  const pits = state.table.pieces === "seeds" && state.viewing === null ? lap() : [];
  const key = pits.join();
  if (key === shown && Boolean(key) === Boolean(place.childElementCount)) return;
  shown = key;
  const { at, pitch } = state.table.board;
  const steps = pits.slice(1).map((pit, before) => [pits[before], pit]);
  const once = new Map(steps.map((step) => [step.join(), step]));
  refill(place, ...[...once.values()].map(([from, to]) => arrow(at[from], at[to], pitch)));
}

on("table now hand trail story viewing", draw);
