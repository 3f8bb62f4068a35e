/** What the page knows, and who wants to hear when a part of it changes. */

/**
 * The last message of each kind, and what this browser adds.
 * `received`: when `now` came, in seconds of this browser's clock. `viewing`: how many turns of the story the board
 * shows, null for the board as it is now. `hand`: what the hand holds, see hand.js. `refusal`: why the last request was
 * not taken. `complaint`: what a hand here cannot do. `begun`: how many games have begun while this page was open.
 * `trail`: the seeds that the hand has moved in this turn, see sowing.js. A complaint is {text, urgent}.
 * `making`: the simulated hand is making a turn by itself.
 */
export const state = {
  page: null,
  table: null,
  story: null,
  now: null,
  said: [],
  begun: 0,
  received: 0,
  viewing: null,
  hand: null,
  trail: [],
  refusal: "",
  complaint: null,
  making: false,
  connected: false,
  alone: false,
};

const ears = new Map();

/** Call `hear` whenever one of `names` changes; names are keys of `state`, separated by blanks. */
export function on(names, hear) {
  for (const name of names.split(" ")) {
    ears.set(name, [...(ears.get(name) ?? []), hear]);
  }
}

/** Change parts of the state, then tell everybody concerned, each once. */
export function change(parts) {
  Object.assign(state, parts);
  const concerned = Object.keys(parts).flatMap((name) => ears.get(name) ?? []);
  for (const hear of new Set(concerned)) hear();
}

/** This browser's clock, in seconds. */
export function clock() {
  return performance.now() / 1000;
}

/** Whether this client may ask for changes now. */
export function mayAsk() {
  return Boolean(state.connected && !state.alone && state.page?.may);
}

/** Whether hands move pieces on the page now. */
export function mayMove() {
  return Boolean(mayAsk() && state.table?.hands && state.table.board && state.viewing === null && !state.making);
}

/** The level at which the engine plays `side`; 0 for a person. */
export function engineLevel(side) {
  return state.table?.levels?.[side] ?? 0;
}
