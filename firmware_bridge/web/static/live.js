/** The line to the table: one WebSocket that comes back by itself. */

import { turnedBoard } from "./geometry.js";
import { change, clock, state } from "./state.js";

/** @import { AnyForm, AnyRequest, Greeting, NowForm, SeatsForm, SentenceForm, StoryForm, TableForm } from "../types.d.ts" */

const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 8;
/** Seconds that a line must have held before the next wait is a short one again. */
const KEPT = 5;
const MOST_SAID = 50;
/** What is told of the table, and not taken in while another game is looked at: it is told anew after that. */
const OF_TABLE = new Set(["table", "story", "now", "seats", "said"]);
/** Events with which nothing but another game begins. */
const BEGINS = new Set(["begins", "goes-on-with"]);

/** @type {WebSocket | null} */
let line = null;
let wait = FIRST_WAIT;
let again = 0;
/** The board as it was told last. @type {NowForm | null} */
let told = null;
/** @type {Partial<Record<"language" | "token" | "guest", string>>} */
const mine = {};

/** Open the line, and again whenever it breaks. */
export function connect() {
  clearTimeout(again);
  const opened = clock();
  line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  line.addEventListener("open", hello);
  line.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  line.addEventListener("close", () => lost(clock() - opened));
}

/** Try at once, where a wait is running: the reader has come back to the page. */
export function hurry() {
  if (line?.readyState === WebSocket.CLOSED) connect();
}

/** @param {number} held */
function lost(held) {
  wait = held > KEPT ? FIRST_WAIT : Math.min(LONGEST_WAIT, wait * 2);
  change({ connected: false });
  again = setTimeout(connect, wait * (750 + Math.random() * 500));
}

/** Say who we are: language and token. Everything is sent anew. */
export function hello() {
  write({ hello: { language: recall("language"), token: recall("token"), guest: guest() } });
}

/** The key by which the table knows this browser again; nobody else is told. */
function guest() {
  if (!recall("guest")) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    remember("guest", [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return recall("guest");
}

/**
 * Keep what the server is told of this reader: the language and the key for good, the token for this tab.
 * @param {"language" | "token" | "guest"} name
 * @param {string} value
 */
export function remember(name, value) {
  mine[name] = value;
  try {
    (name === "token" ? sessionStorage : localStorage).setItem(name, value);
  } catch {
    // a browser that keeps nothing: then for as long as the page is open
  }
}

/** @param {"language" | "token" | "guest"} name */
function recall(name) {
  try {
    return mine[name] ?? (name === "token" ? sessionStorage : localStorage).getItem(name) ?? "";
  } catch {
    return "";
  }
}

/**
 * Ask the table for something, in the form of a request; whether the line took it.
 * @param {AnyRequest} request
 */
export function ask(request) {
  if (state.opened && (request.do === "new" || request.do === "teach")) change({ viewing: null });
  return write(request);
}

/** @param {AnyRequest | Greeting} message */
function write(message) {
  if (line?.readyState !== WebSocket.OPEN) return false;
  line.send(JSON.stringify(message));
  return true;
}

/** Keep the token of the address for this tab, and take it out of the address, where others would see it. */
export function takeToken() {
  const token = decodeURIComponent(location.hash.slice(1));
  if (!token) return;
  remember("token", token);
  history.replaceState(null, "", location.pathname + location.search);
}

/** @param {AnyForm} message */
function hear(message) {
  if (state.alone && message.kind !== "alone") change({ alone: false });
  if (state.opened && OF_TABLE.has(message.kind)) return message.kind === "story" ? change({ behind: message }) : undefined;
  switch (message.kind) {
    case "page":
      return change({ page: message, connected: true, said: [] });
    case "table":
      return take(seen(message));
    case "story":
      return change({ story: message, viewing: kept(message) });
    case "now":
      told = message;
      return change({ now: hinted(message), received: clock() });
    case "seats":
      return sit(message);
    case "said":
      return heed(message.words);
    case "refused":
      return change({ refusal: message.text });
    case "brought":
    case "link":
      return change({ [message.kind]: message });
    case "alone":
      return change({ alone: true });
  }
}

/**
 * The table as its board is seen from here.
 * @param {TableForm} table
 */
function seen(table) {
  return table.board ? { ...table, board: turnedBoard(table.board, state.quarters) } : table;
}

/** @param {TableForm} table */
function take(table) {
  if (alike(table, state.table)) return change({ table });
  return change({ table, story: null, now: null, viewing: null });
}

/**
 * The board as it lies, with the hint that only this reader is told.
 * @param {NowForm} now
 */
function hinted(now) {
  return { ...now, cues: { ...now.cues, ...state.seats?.hint?.cues } };
}

/** @param {SeatsForm} seats */
function sit(seats) {
  const { hint } = seats;
  const before = JSON.stringify(state.seats?.hint);
  change({ seats, seated: clock() });
  if (JSON.stringify(hint) === before) return;
  if (told && state.now) change({ now: hinted(told) });
  if (hint?.text) change({ complaint: { text: hint.text, urgent: false } });
}

/** @param {SentenceForm[]} words */
function heed(words) {
  const first = beginning(words);
  if (first < 0) change({ said: [...state.said, ...words].slice(-MOST_SAID) });
  else change({ begun: state.begun + 1, viewing: null, said: words.slice(first) });
}

/**
 * Which of these words is the first of a new game; -1 if none is.
 * @param {SentenceForm[]} words
 */
function beginning(words) {
  return words.findLastIndex(({ name }) => BEGINS.has(name));
}

/**
 * Whether two tables have the same sites, so that what is known of one holds for the other.
 * @param {TableForm} one
 * @param {TableForm | null} other
 */
function alike(one, other) {
  return JSON.stringify([one.game, one.board?.at]) === JSON.stringify([other?.game, other?.board?.at]);
}

/**
 * The turn looked at, if the story still has it; a result is looked at on the board as it is now.
 * @param {StoryForm} story
 */
function kept(story) {
  if (story.outcome && !state.story?.outcome) return null;
  return state.viewing !== null && state.viewing <= story.turns.length ? state.viewing : null;
}
