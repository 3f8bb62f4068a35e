/** The lights of the table: as numbers, by the same formula as lighting/output.py and hardware/power.py; on the board. */

import { everySite } from "./board.js";
import { all } from "./elements.js";
import { clock, on, state } from "./state.js";

/** @import { CueForm, LightsForm, NowForm, RhythmForm } from "../types.d.ts" */
/** @import { SiteGroup } from "./board.js" */

/**
 * Red, green and blue, 0-255.
 * @typedef {number[]} Colour
 */

/**
 * The colours of sites and of the two turn lamps.
 * @typedef {{ sites: Record<string, Colour>, lamps: Colour[] }} Picture
 */

/** @type {RhythmForm} */
const STEADY = { period: 1, levels: [1] };
const BLACK = [0, 0, 0];

/**
 * The strength (0..1) of `rhythm` at `t` seconds.
 * @param {RhythmForm} rhythm
 * @param {number} t
 */
export function strength(rhythm, t) {
  const { period, levels } = rhythm;
  const into = ((t % period) + period) % period;
  return levels[Math.min(levels.length - 1, Math.floor((into / period) * levels.length))];
}

/**
 * The highest strength (0..1) that `rhythm` reaches, for readers who want no motion.
 * @param {RhythmForm} rhythm
 */
export function strongest(rhythm) {
  return Math.max(...rhythm.levels);
}

/**
 * The picture that the lights show at `t` seconds of the table's clock: red, green and blue, 0-255, for each site
 * that has a cue (all others are dark), and for the two turn lamps.
 * `now` and `lights` are as the server sends them. `level` is `strength`, or `strongest` for a picture that stands.
 * @param {Pick<NowForm, "cues" | "side" | "pace">} now
 * @param {LightsForm} lights
 * @param {number} t
 * @param {(rhythm: RhythmForm, t: number) => number} level
 */
export function picture(now, lights, t, level = strength) {
  /** @type {Picture["sites"]} */
  const sites = {};
  for (const [site, cue] of Object.entries(now.cues)) sites[site] = light(cue, lights, t, level);
  const pace = level(lights.rhythms[`lamp-${now.pace}`] ?? STEADY, t);
  const turn = scaled(lights.colours.turn, 0.4 * (lights.brightness / 255) * pace);
  const lamps = [now.side === 0 ? turn : BLACK, now.side === 1 ? turn : BLACK];
  return within({ sites, lamps }, lights);
}

/**
 * @param {CueForm} cue
 * @param {LightsForm} lights
 * @param {number} t
 * @param {(rhythm: RhythmForm, t: number) => number} level
 */
function light(cue, lights, t, level) {
  const rhythm = lights.rhythms[cue.kind] ?? STEADY;
  const choice = cue.choice ? level(lights.rhythms.choice, t) : 1;
  const by = level(rhythm, t - cue.phase) * cue.strength * choice;
  return scaled(colourOf(cue, lights), by * (lights.brightness / 255));
}

/**
 * @param {CueForm} cue
 * @param {LightsForm} lights
 */
function colourOf(cue, lights) {
  const spoken = lights.spoken.includes(cue.kind) && (cue.level === 1 || cue.level === 2);
  if (spoken) return lights.colours[cue.level === 1 ? "dark" : "light"];
  return lights.colours[cue.kind] ?? lights.colours.turn;
}

/**
 * @param {Colour} colour
 * @param {number} by
 */
function scaled(colour, by) {
  return colour.map((channel) => Math.ceil(channel * by));
}

/**
 * The picture, scaled down as a whole if it would draw more than the supply gives (mA).
 * @param {Picture} shown
 * @param {LightsForm} lights
 */
function within(shown, lights) {
  const idle = lights.controller + lights.dark * lights.pixels;
  const lit = [...Object.values(shown.sites), ...shown.lamps];
  const sum = lit.reduce((total, [red, green, blue]) => total + red + green + blue, 0);
  const wanted = idle + (sum * lights.white) / 765 - idle;
  const spare = Math.max(0, lights.supply - idle);
  if (wanted <= spare) return shown;
  return dimmed(shown, spare / wanted);
}

/**
 * @param {Picture} shown
 * @param {number} by
 */
function dimmed(shown, by) {
  /** @param {Colour} colour */
  const dim = (colour) => colour.map((channel) => Math.trunc(channel * by));
  const sites = Object.fromEntries(Object.entries(shown.sites).map(([site, colour]) => [site, dim(colour)]));
  return { sites, lamps: shown.lamps.map(dim) };
}

/**
 * Whether the picture changes with time.
 * @param {NowForm} now
 * @param {LightsForm} lights
 */
export function alive(now, lights) {
  /** @param {RhythmForm | undefined} rhythm */
  const moves = (rhythm) => rhythm !== undefined && rhythm.levels.some((level) => level !== rhythm.levels[0]);
  return now.pace !== "" || Object.values(now.cues).some((cue) => cue.choice || moves(lights.rhythms[cue.kind]));
}

// On the board: about thirty pictures a second, and none while nothing is alive ----------------------

/** Seconds between two pictures. */
const APART = 1 / 31;
/** An eye takes a light of a tenth of the current for far more than a tenth as bright. */
const EYE = 1 / 2.2;
/** How much, of 255, a channel of a hue changes before it is another hue. */
const WAVER = 14;
/** What is left of a light at its darkest: on a screen, beside the glow of the room, less would be taken for none. */
const EMBER = 0.5;

const still = matchMedia("(prefers-reduced-motion: reduce)");
let waiting = 0;
let last = -1;
/** @type {Picture} */
const DARK = { sites: {}, lamps: [[0, 0, 0], [0, 0, 0]] };

function paint() {
  const { now, table, viewing } = state;
  const lit = now && table?.board && viewing === null;
  const at = lit ? now.clock + clock() - state.received : 0;
  const shown = lit ? picture(now, table.lights, at, still.matches ? strongest : strength) : DARK;
  for (const [name, site] of everySite()) show(site, shown.sites[name] ?? null);
  for (const each of all("#whose .player", HTMLElement)) lamp(each, shown.lamps[Number(each.dataset.side)]);
}

/**
 * Show a colour of the lights: its hue, as opaque as an eye would find it bright.
 * @param {SiteGroup} site
 * @param {Colour | null} colour
 */
function show(site, colour) {
  const told = colour ? colour.join(",") : "";
  if (site.told === told) return;
  site.told = told;
  site.group.dataset.light = told;
  const most = colour ? Math.max(...colour) : 0;
  site.light.setAttribute("opacity", (most && Math.max(EMBER, (most / 255) ** EYE)).toFixed(3));
  site.lamp.classList.toggle("lit", most > 0);
  if (colour && most) tint(site, vivid(colour.map((channel) => Math.round((channel * 255) / most))));
}

/**
 * Give a site's light its hue; rounding lets the hue of a dim light waver, and each change costs a style.
 * @param {SiteGroup} site
 * @param {Colour} hue
 */
function tint(site, hue) {
  if (site.hue?.every((channel, place) => Math.abs(channel - hue[place]) < WAVER)) return;
  site.hue = hue;
  site.lamp.style.setProperty("--light", `rgb(${hue.join(" ")})`);
}

/** The luminance (0..1) that a light has on a screen at least: blue and red would drown in their ground. */
const SEEN = 0.4;

/**
 * A hue, mixed with as much white as it takes to be seen: an eye takes the middle of a strong light for white, too.
 * @param {Colour} hue
 */
export function vivid(hue) {
  for (let white = 0; white < 1; white += 0.05) {
    const mixed = hue.map((channel) => Math.round(channel + (255 - channel) * white));
    if (luminance(mixed) >= SEEN) return mixed;
  }
  return hue;
}

/**
 * The relative luminance of a colour, 0..1, as WCAG 2 has it.
 * @param {Colour} colour
 */
function luminance(colour) {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @param {HTMLElement} player
 * @param {Colour} colour
 */
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
