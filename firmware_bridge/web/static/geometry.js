/** Where sites lie: which is under a point, which is next in a direction, which form a row. Board units, y down. */

/** @import { BoardForm } from "../types.d.ts" */

/**
 * Sites by their names, or what lies as they do, with the middle of each.
 * @typedef {[number, number]} Point
 * @typedef {[x: number, y: number, wide: number, high: number]} Box
 * @typedef {Record<string, Point>} Places
 */

/**
 * The four ways of a hand and of the arrow keys.
 * @type {Record<string, Point>}
 */
export const WAYS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
/** How far beside the point asked for a site may lie, in pitches. */
const NEAR = 0.25;

/**
 * The site nearest to (x, y), no farther than `reach` units; null if there is none.
 * @param {Places} at
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 */
export function siteAt(at, x, y, reach) {
  /** @type {string | null} */
  let best = null;
  for (const [site, [sx, sy]] of Object.entries(at)) {
    const far = Math.hypot(sx - x, sy - y);
    if (far <= reach) [best, reach] = [site, far];
  }
  return best;
}

/**
 * The size of pieces and lights that keeps them clear of each other: 1 where sites lie a pitch apart, else less.
 * @param {BoardForm} board
 */
export function fit({ at, pitch }) {
  const all = Object.values(at);
  const apart = all.flatMap(([x, y], place) => all.slice(place + 1).map(([ox, oy]) => Math.hypot(ox - x, oy - y)));
  return Math.min(1, Math.min(...apart) / (0.93 * pitch));
}

/** How far aside of its direction an arrow key leads, for each unit along it; the wider if there is nothing else. */
const BESIDE = [0.6, 1.5];

/**
 * The nearest site from `site` in a direction [dx, dy]; sites aside count as farther. Null at the edge.
 * @param {Places} at
 * @param {string} site
 * @param {Point} way
 */
export function neighbour(at, site, [dx, dy]) {
  const [x, y] = at[site];
  const others = Object.entries(at).map(([other, [ox, oy]]) => {
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    return { other, slant: along > 1 ? aside / along : Infinity, far: Math.hypot(along, aside) + aside };
  });
  for (const widest of BESIDE) {
    const ahead = others.filter(({ slant }) => slant <= widest).sort((one, two) => one.far - two.far);
    if (ahead.length) return ahead[0].other;
  }
  return null;
}

/**
 * The sites beyond `site` in the direction and at the distance of [dx, dy], nearest first.
 * @param {Places} at
 * @param {string} site
 * @param {Point} way
 * @param {number} pitch
 */
function beyond(at, site, [dx, dy], pitch) {
  /** @type {string[]} */
  const found = [];
  let [x, y] = at[site];
  for (;;) {
    [x, y] = [x + dx, y + dy];
    const next = siteAt(at, x, y, NEAR * pitch);
    if (!next) return found;
    found.push(next);
  }
}

/**
 * The row that moves one place on when the piece from `origin` is pushed toward `target`: its other sites, the empty
 * one that it ends at last. Null if `target` is not on a straight line with a piece beside `origin`, if a gap lies
 * between, or if the row ends at the edge. `level` tells what lies on a site.
 * @param {BoardForm} board
 * @param {string} origin
 * @param {string} target
 * @param {(site: string) => number} level
 */
export function row(board, origin, target, level) {
  const [dx, dy] = step(board, origin, target);
  if (!dx && !dy) return null;
  const line = beyond(board.at, origin, [dx, dy], board.pitch);
  const end = line.findIndex((site) => !level(site));
  const place = line.indexOf(target);
  return end > 0 && place >= 0 && place <= end ? line.slice(0, end + 1) : null;
}

/**
 * One pitch from `origin` toward `target`, along a file or a rank; [0, 0] where neither leads there.
 * @param {BoardForm} board
 * @param {string} origin
 * @param {string} target
 * @returns {Point}
 */
function step(board, origin, target) {
  const [x, y] = board.at[origin];
  const [dx, dy] = [board.at[target][0] - x, board.at[target][1] - y];
  const tolerance = NEAR * board.pitch;
  if (Math.abs(dy) < tolerance && Math.abs(dx) > tolerance) return [Math.sign(dx) * board.pitch, 0];
  if (Math.abs(dx) < tolerance && Math.abs(dy) > tolerance) return [0, Math.sign(dy) * board.pitch];
  return [0, 0];
}

/**
 * Whether the point lies in one of the stores: its side, 0 or 1, else null.
 * @param {BoardForm["stores"]} stores
 * @param {number} x
 * @param {number} y
 */
export function storeAt(stores, x, y) {
  const side = (stores ?? []).findIndex(([left, top, wide, high]) => {
    return x >= left && x <= left + wide && y >= top && y <= top + high;
  });
  return side < 0 ? null : side;
}

// Seen from another side ---------------------------------------------------------------------------------

/**
 * Where a point of a board comes to lie when the board, now `wide` by `high`, was turned so many quarters clockwise.
 * @param {number} quarters
 * @param {number} wide
 * @param {number} high
 * @param {Point} point
 * @returns {Point}
 */
export function turnedPoint(quarters, wide, high, [x, y]) {
  if (quarters === 1) return [wide - y, x];
  if (quarters === 2) return [wide - x, high - y];
  return quarters === 3 ? [y, high - x] : [x, y];
}

/**
 * A board as it is seen by somebody who sits so many quarters further on: sites, stores and box are turned clockwise. Its
 * ground is left for board.js to turn, for words on it stay upright.
 * @param {BoardForm} board
 * @param {number} quarters
 * @returns {BoardForm}
 */
export function turnedBoard(board, quarters) {
  const [left, top, width, height] = board.box;
  const [wide, high] = quarters % 2 ? [height, width] : [width, height];
  /** @param {Point} place */
  const point = (place) => turnedPoint(quarters, wide, high, place);
  /**
   * @param {Box} box
   * @returns {Box}
   */
  const box = ([x, y, w, h]) => {
    const [[ax, ay], [bx, by]] = [point([x, y]), point([x + w, y + h])];
    return [Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay)];
  };
  const at = Object.fromEntries(Object.entries(board.at).map(([site, place]) => [site, point(place)]));
  const stores = board.stores && /** @type {[Box, Box]} */ (board.stores.map(box));
  return { ...board, at, stores, box: [left, top, wide, high] };
}
