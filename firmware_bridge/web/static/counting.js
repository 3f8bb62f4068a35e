/** Counting clocks down, by the same rules as firmware_bridge/clocks/clock.py: for the page and for the wall. */

/** @import { ClocksForm } from "../types.d.ts" */

/** Seconds that are shown with their tenths. */
const LAST = 10;

/**
 * What the clock of `side` shows at `at` seconds of the table's clock: until something ends, and how many periods are left.
 * @param {ClocksForm} clocks
 * @param {number} side
 * @param {number} at
 * @returns {[seconds: number, periods: number]}
 */
export function shown({ left, side: moves, used, since, period }, side, at) {
  const { main, periods } = left[side];
  const spent = side === moves ? used + (since === null ? 0 : Math.max(0, at - since)) : 0;
  if (main > spent || !periods) return [Math.max(0, main - spent), periods];
  const over = spent - main;
  const lost = Math.floor(over / period);
  return lost >= periods ? [0, 0] : [period - (over % period), periods - lost];
}

/**
 * Seconds as a clock shows them: 1:02:03, 9:58, and the last ones 0:09.4.
 * @param {number} seconds
 */
export function told(seconds) {
  if (seconds < LAST) return `0:${(Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0")}`;
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, "0")];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
