/**
 * What the hand has done with seeds since the last whole turn: `state.trail`, {site, level, before} each. `site` came
 * to hold `level` where `before` lay. So all of it can be put back, and no seed is lost.
 */

import { levelOf, resting, sites } from "./shown.js";
import { change, on, state } from "./state.js";

/** Remember that a pit comes to hold `level` seeds, just before it does. */
export function note(site, level) {
  change({ trail: [...state.trail, { site, level, before: levelOf(site) }] });
}

/** What the pits held before all of it: pairs of a site and a level. */
export function undone() {
  const before = new Map([...state.trail].reverse().map((step) => [step.site, step.before]));
  const rested = sites().map((site, place) => [site, resting()[place]]);
  const began = rested.every(([site, level]) => (before.get(site) ?? level) === level);
  return began ? rested.filter(([site, level]) => levelOf(site) !== level) : [...before]; // else it mends a board
}

/** Seeds that are in somebody's hand while a turn is under way: what the board lacks. */
export function lifted() {
  const sum = (levels) => levels.reduce((total, level) => total + level, 0);
  return sum(resting()) - sum(sites().map(levelOf));
}

/** A turn is whole, or was taken back: of the trail there stays what belongs to the turn after it. */
function turnOver() {
  if (!state.trail.length || !state.story) return;
  const begins = state.trail.findIndex((_, from) => leadsHere(state.trail.slice(from)));
  change({ trail: begins < 0 ? [] : state.trail.slice(begins) });
}

/** Whether these steps lead from the last whole turn to what lies on the board. */
function leadsHere(steps) {
  const lies = new Map(sites().map((site, place) => [site, resting()[place]]));
  const follows = steps.every(({ site, level, before }) => lies.get(site) === before && lies.set(site, level));
  return follows && sites().every((site) => levelOf(site) === lies.get(site));
}

on("story", turnOver);
