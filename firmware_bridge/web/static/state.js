/** What the page knows, and who wants to hear when a part of it changes. */

/** @import { ActForm, BoardForm, BroughtForm, LinkForm, MomentForm, NowForm, PageForm, ReviewForm, SeatsForm, SentenceForm, StoryForm, TableForm } from "../types.d.ts" */

/**
 * What the hand holds. `from`: the site it lifted from, null if none. `level`: which stone, 1 or 2; in games with seeds
 * how many it still holds. `mark`: of the stone's kind, empty for a plain one. `moved`: it has let a seed fall since.
 * `captured`: what it lifted is captured. `answers`: it lifts for a moment, to answer the table's question.
 * @typedef {object} Hand
 * @property {string | null} from
 * @property {number} level
 * @property {string} mark
 * @property {boolean} moved
 * @property {boolean} captured
 * @property {boolean} answers
 */

/**
 * Something that the hand has done with seeds: `site` came to hold `level` where `before` lay.
 * @typedef {{ site: string, level: number, before: number }} Done
 */

/**
 * How far the game is explained, and the positions that are weighed, by how many turns led to them.
 * @typedef {Omit<ReviewForm, "moments"> & { moments: Record<number, MomentForm> }} Review
 */

/**
 * The last message of each kind, and what this browser adds.
 * `received`: when `now` came, `seated`: when `seats` did, in seconds of this browser's clock. `viewing`: how many turns of the story the board
 * shows, null for the board as it is now. `refusal`: why the last request
 * was not taken. `complaint`: what a hand here cannot do. `begun`: how many games have begun while this page was open.
 * `trail`: what the hand has done with seeds in this turn, see sowing.js. `pushed`: the row that it pushed last, if any. `making`: the simulated hand is making a turn
 * by itself. `quarters`: by how many quarters the board is seen turned clockwise. `pointer`: the piece that is to be moved next, and where to; null where no arrow is drawn. `review`: the game explained, null until somebody asks; `alone`: the server has lost the table. `away`: what is shown
 * was kept by this browser. `opened`: what asks the server for the game that is looked
 * back at beside the one in play, empty for none; then `behind` is the story at the table. `brought`: what became of a game that was brought.
 * @typedef {object} State
 * @property {PageForm | null} page
 * @property {TableForm | null} table
 * @property {StoryForm | null} story
 * @property {NowForm | null} now
 * @property {SeatsForm | null} seats
 * @property {number} seated
 * @property {SentenceForm[]} said
 * @property {number} begun
 * @property {number} received
 * @property {number | null} viewing
 * @property {Hand | null} hand
 * @property {Done[]} trail
 * @property {string} refusal
 * @property {{ text: string, urgent: boolean } | null} complaint
 * @property {ActForm[]} pushed
 * @property {boolean} making
 * @property {number} quarters
 * @property {[from: string, to: string] | null} pointer
 * @property {Review | null} review
 * @property {boolean} connected
 * @property {boolean} alone
 * @property {boolean} away
 * @property {string} opened
 * @property {StoryForm | null} behind
 * @property {BroughtForm | null} brought
 * @property {LinkForm | null} link
 */

/** @type {State} */
export const state = {
  page: null,
  table: null,
  story: null,
  now: null,
  seats: null,
  seated: 0,
  said: [],
  begun: 0,
  received: 0,
  viewing: null,
  hand: null,
  trail: [],
  refusal: "",
  complaint: null,
  pushed: [],
  making: false,
  quarters: 0,
  pointer: null,
  review: null,
  connected: false,
  alone: false,
  away: false,
  opened: "",
  behind: null,
  brought: null,
  link: null,
};

/** Parts of the state for those who know that they are there: an Error for one that is not. */
export const given = {
  get page() {
    return there(state.page, "page");
  },
  get table() {
    return there(state.table, "table");
  },
  get board() {
    return there(given.table.board, "board");
  },
  get story() {
    return there(state.story, "story");
  },
  get now() {
    return there(state.now, "now");
  },
  get hand() {
    return there(state.hand, "hand");
  },
};

/**
 * @template T
 * @param {T | null} part
 * @param {string} name
 */
function there(part, name) {
  if (part === null) throw new Error(`there is no ${name} yet`);
  return part;
}

/** @type {Map<string, (() => void)[]>} */
const ears = new Map();
/** Who hears of a change once the frame is shown that follows it. @type {WeakSet<() => void>} */
const patient = new WeakSet();
/** Those of them that have something to hear. @type {Set<() => void>} */
const waiting = new Set();
/** Milliseconds after which they hear of it though no frame is shown, for the page may lie behind another one; a guess. */
const LONGEST = 100;

/**
 * Call `hear` whenever one of `names` changes; names are keys of `state`, separated by blanks.
 * @param {string} names
 * @param {() => void} hear
 */
export function on(names, hear) {
  for (const name of names.split(" ")) {
    ears.set(name, [...(ears.get(name) ?? []), hear]);
  }
}

/**
 * Call `hear` once the frame is shown that follows a change of one of `names`: a light that answers a touch does not wait
 * for the words beside the board. What changes until then is heard of at once.
 * @param {string} names
 * @param {() => void} hear
 */
export function afterwards(names, hear) {
  patient.add(hear);
  on(names, hear);
}

/**
 * Change parts of the state, then tell everybody concerned, each once.
 * @param {Partial<State>} parts
 */
export function change(parts) {
  Object.assign(state, parts);
  const idle = !waiting.size;
  const concerned = Object.keys(parts).flatMap((name) => ears.get(name) ?? []);
  for (const hear of new Set(concerned)) {
    if (patient.has(hear)) waiting.add(hear);
    else hear();
  }
  if (idle && waiting.size) void shown().then(tellPatient);
}

function tellPatient() {
  const told = [...waiting];
  waiting.clear();
  for (const hear of told) hear();
}

/** Once the next frame has been handed on to be shown, or would have been by now. */
function shown() {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, LONGEST);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => setTimeout(() => resolve(clearTimeout(late))); // what has come meanwhile goes first
      port2.postMessage(null);
    });
  });
}

/** Once the whole page tells of the state as it is. */
export async function settled() {
  while (waiting.size) await new Promise((resolve) => setTimeout(resolve));
}

/** This browser's clock, in seconds. */
export function clock() {
  return performance.now() / 1000;
}

/** What a URL ends with that speaks of the game shown; nothing for the one in hand. */
export function ofShown() {
  return state.opened && `&${state.opened}`;
}

/** Whether a game is in play at the table, be it the one shown or not. */
export function inPlay() {
  if (state.table?.lesson) return false; // nothing is lost with it
  const story = state.opened ? state.behind : state.story;
  return Boolean(story?.turns.length && !story.outcome);
}

/** Whether this client may ask for changes now. */
export function mayAsk() {
  return Boolean(state.connected && !state.alone && state.page?.may);
}

/** Whether the engine's turn is being carried out by a hand that is nobody's. */
export function carried() {
  const { now, table } = state;
  return Boolean(table?.carried && now?.plan && engineLevel(now.side) && ["rest", "under-way", "complete"].includes(now.state));
}

/** Whether a hand here would come between nobody's turn: that of who has the seat, or has begun. */
export function mayAct() {
  return state.seats?.act ?? true;
}

/** Whether hands move pieces on the page now. */
export function mayMove() {
  return Boolean(mayAsk() && state.table?.hands && state.table.board && state.viewing === null && !state.making && mayAct());
}

/**
 * The level at which the engine plays `side`, 0 or 1; 0 for a person, and for no side.
 * @param {number | null} side
 */
export function engineLevel(side) {
  return side === null ? 0 : (state.table?.levels[side] ?? 0);
}
