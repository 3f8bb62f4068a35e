/** What the table says: the referee's last sentence, and the ones before. */

import { refill } from "./drawn.js";
import { element, on, state } from "./state.js";
import { made, text } from "./words.js";

/** Events that players must not miss. */
const URGENT = new Set(["astray", "blind", "asked", "owed", "unwritten", "unlit"]);
/** Events of which there is no more to tell once hands have begun the next turn. */
const BEFORE = new Set(["played", "amended", "passed", "undone", "ready", "righted", "sighted", "nothing-done"]);
const BEGUN = ["under-way", "complete", "which"];
const WELL = ["rest", "over"];

/** A sentence of this page itself, {text, urgent}, until the hand does something else; null if there is none. */
let own = null;
/** How often a hand has pressed something, and how often it had when that sentence was said. */
let presses = 0;
let since = 0;

/** The sentence for the moment, {text, urgent}. */
function sentence() {
  if (own) return own;
  if (state.table && !state.table.game) return { text: text("choosing"), urgent: false };
  const last = state.said.at(-1);
  return last && !stale(last.name) ? { text: last.text, urgent: URGENT.has(last.name) } : { text: "", urgent: false };
}

/** Whether the board has gone on since an event of this name. */
function stale(name) {
  const now = state.now?.state;
  return (BEFORE.has(name) && BEGUN.includes(now)) || (name === "astray" && WELL.includes(now));
}

/** Show the sentence and have it read out: an urgent one at once. */
function say() {
  if (!state.page) return;
  const { text: words, urgent } = sentence();
  element("say").classList.toggle("told", words === state.story?.outcome); // which stands there by itself
  show("say", urgent ? "" : words);
  show("alarm", urgent ? words : "");
}

function show(id, words) {
  if (element(id).textContent !== words) element(id).textContent = words;
}

/** Say something of this page's own, again if it is said again. */
function sayOwn(what) {
  own = what;
  since = presses;
  show("say", "");
  show("alarm", "");
  say();
}

/** The hand has done something since: what it was told is no news. */
function goOn() {
  if (presses > since) own = null;
  say();
}

function drawSaid() {
  const items = state.said.slice(0, -1).reverse();
  refill(element("said"), ...items.map((word) => made("li", { "data-name": word.name }, word.text)));
  own = null;
  say();
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (presses += 1), true);
on("said", drawSaid);
on("now table page connected", say);
on("hand trail viewing", goOn);
on("refusal", () => sayOwn({ text: state.refusal, urgent: true }));
on("complaint", () => sayOwn(state.complaint));
