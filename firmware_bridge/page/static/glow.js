/** The lights on the board: about thirty pictures a second, and none while nothing is alive. */

import { everySite } from "./board.js";
import { alive, picture, strength, strongest } from "./lights.js";
import { clock, on, state } from "./state.js";

/** Seconds between two pictures. */
const APART = 1 / 31;
/** An eye takes a light of a tenth of the current for far more than a tenth as bright. */
const EYE = 1 / 2.2;
/** How much, of 255, a channel of a hue changes before it is another hue. */
const WAVER = 14;
/** What is left of a light at its darkest: on a screen, beside the glow of the room, less would be taken for none. */
const EMBER = 0.4;

const still = matchMedia("(prefers-reduced-motion: reduce)");
let waiting = 0;
let last = -1;
const DARK = { sites: {}, lamps: [[0, 0, 0], [0, 0, 0]] };

function paint() {
  const lit = state.now && state.table?.board && state.viewing === null;
  const at = lit ? state.now.clock + clock() - state.received : 0;
  const shown = lit ? picture(state.now, state.table.lights, at, still.matches ? strongest : strength) : DARK;
  for (const [name, site] of everySite()) light(site, shown.sites[name] ?? null);
  document.querySelectorAll("#whose .player").forEach((each) => lamp(each, shown.lamps[Number(each.dataset.side)]));
}

/** Show a colour of the lights: its hue, as opaque as an eye would find it bright. */
function light(site, colour) {
  const told = colour ? colour.join(",") : "";
  if (site.told === told) return;
  site.told = told;
  site.group.dataset.light = told;
  const most = colour ? Math.max(...colour) : 0;
  site.light.setAttribute("opacity", (most && Math.max(EMBER, (most / 255) ** EYE)).toFixed(3));
  if (most) tint(site, colour.map((channel) => Math.round((channel * 255) / most)));
}

/** Give a site's light its hue; rounding lets the hue of a dim light waver, and each change costs a style. */
function tint(site, hue) {
  if (site.hue?.every((channel, place) => Math.abs(channel - hue[place]) < WAVER)) return;
  site.hue = hue;
  site.group.style.setProperty("--light", `rgb(${hue.join(" ")})`);
}

function lamp(player, colour) {
  player.classList.toggle("lit", colour.some(Boolean));
}

function again() {
  if (waiting || still.matches || state.viewing !== null) return;
  if (state.now && state.table?.board && alive(state.now, state.table.lights)) waiting = requestAnimationFrame(frame);
}

function frame() {
  waiting = 0;
  if (clock() - last >= APART) {
    last = clock();
    paint();
  }
  again();
}

function afresh() {
  paint();
  again();
}

on("now table viewing", afresh);
still.addEventListener("change", afresh);
