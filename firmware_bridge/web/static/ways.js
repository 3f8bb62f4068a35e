/**
 * The turns that there are now, and what hands do in them: all that the page knows of how a game is played. The acts
 * are those of games/acts.py.
 */

import { levelOf } from "./shown.js";
import { given, state } from "./state.js";

/** @import { ActForm, WayForm } from "../types.d.ts" */

/**
 * What one site comes to hold in an act.
 * @typedef {{ site: string, level: number, kind: ActForm["kind"] }} Step
 */

/**
 * A stone in the hand; `from`: the site it was lifted from, null for a new one.
 * @typedef {{ from: string | null, level: number }} Held
 */

/** The turns that may be made now: where the engine has chosen one, that alone. */
export function ways() {
  const all = state.story?.ways ?? [];
  return state.now?.plan ? all.filter(({ text }) => text === given.now.plan) : all;
}

/**
 * What the sites of a turn come to hold, one after another, in the order of a careful hand.
 * @param {WayForm} way
 * @returns {Step[]}
 */
export function stepsOf(way) {
  return way.acts.flatMap(({ kind, sites, levels }) => done(kind, sites, levels));
}

/**
 * The steps of one act: a row moves from its far end.
 * @param {ActForm["kind"]} kind
 * @param {string[]} sites
 * @param {number[]} levels
 * @returns {Step[]}
 */
function done(kind, sites, levels) {
  if (kind === "push") {
    const moved = levels.map((level, place) => [at(kind, sites[place], 0), at(kind, sites[place + 1], level)]);
    return moved.reverse().flat();
  }
  const put = levels.map((level, place) => at(kind, sites[sites.length - levels.length + place], level));
  return kind === "lay" || kind === "flip" ? put : [at(kind, sites[0], 0), ...put];
}

/**
 * @param {ActForm["kind"]} kind
 * @param {string} site
 * @param {number} level
 */
function at(kind, site, level) {
  return { site, level, kind };
}

/** What is done in all of these turns. */
function acts() {
  return ways().flatMap((way) => way.acts);
}

/**
 * Whether an act moves a stone that the hand holds: by itself, or in a row.
 * @param {ActForm} act
 * @param {Held} held
 */
function moves({ kind, sites, levels }, { from, level }) {
  if (from === null || (kind !== "carry" && kind !== "push")) return false;
  return levels.some((moved, place) => { // from there, or put down once already
    return moved === level && (sites[place] === from || !levelOf(sites[place]));
  });
}

/**
 * The rows that the stone in the hand pushes in some turn: their other sites, the empty one last.
 * @param {Held} held
 */
export function rowsOf(held) {
  const pushes = acts().filter((act) => act.kind === "push" && act.sites[0] === held.from && moves(act, held));
  return pushes.map(({ sites }) => sites.slice(1));
}

/**
 * The rows of which hands have moved on the far stones alone: from where to where the next stone goes.
 * @returns {[from: string, to: string][]}
 */
export function rowsBegun() {
  return acts().filter((act) => act.kind === "push").flatMap(({ sites, levels }) => {
    const gap = sites.findIndex((site) => !levelOf(site));
    if (gap < 1 || gap >= levels.length) return []; // the new stone is owed, or nothing has moved
    const moved = levels.every((level, place) => levelOf(sites[place < gap ? place : place + 1]) === level);
    /** @type {[string, string][]} */
    const next = [[sites[gap - 1], sites[gap]]];
    return moved ? next : [];
  });
}

/**
 * Whether the stone in the hand goes to `site` in some turn, or stands in a row that goes there.
 * @param {Held} held
 * @param {string} site
 */
export function goesTo(held, site) {
  return acts().some((act) => moves(act, held) && act.sites.indexOf(site) > 0);
}

/**
 * Whether the stone in the hand, or a new one, comes to `site` in some turn, and captures what lies there.
 * @param {Held} held
 * @param {string} site
 */
export function captures(held, site) {
  /** @param {ActForm} act */
  const comes = (act) => {
    const laid = act.kind === "lay" && held.from === null && act.levels[0] === held.level;
    return (laid || (act.kind === "carry" && moves(act, held))) && act.sites.at(-1) === site;
  };
  return ways().some((way) => {
    const before = way.acts.slice(0, Math.max(0, way.acts.findIndex(comes)));
    return before.some(({ kind, sites }) => kind === "take" && sites[0] === site);
  });
}

/** The acts in which a piece that stays where it is becomes one of another colour. */
function flips() {
  return ways().flatMap((way) => way.acts.filter(({ kind, sites: [site] }) => {
    return kind === "flip" && way.acts.every((act) => act.kind === "flip" || !act.sites.includes(site));
  }));
}

/** Whether pieces become others in some turn. */
export function turnsOver() {
  return flips().length > 0;
}

/**
 * Whether the piece of a level on `site` becomes one of the level `other` in some turn.
 * @param {string} site
 * @param {number} other
 */
export function becomes(site, other) {
  return flips().some(({ sites, levels }) => sites[0] === site && levels[0] === other);
}

/**
 * Where the piece of a turn goes that lies, or has lain, on `site`; empty if it goes nowhere from there.
 * @param {string} turn
 * @param {string} site
 */
export function goal(turn, site) {
  const way = ways().find(({ text }) => text === turn);
  return way?.acts.find(({ kind, sites }) => (kind === "carry" || kind === "push") && sites[0] === site)?.sites[1] ?? "";
}

/**
 * Whether a piece comes to `site` in a turn.
 * @param {string} turn
 * @param {string} site
 */
export function arrives(turn, site) {
  const way = ways().find(({ text }) => text === turn);
  return way?.acts.some(({ kind, sites }) => (kind === "carry" || kind === "push") && sites[1] === site) ?? false;
}
