/** What the table says, said aloud by this browser, in the page's language. Off until it is asked for. */

import { element } from "./elements.js";
import { on, state } from "./state.js";

const button = element("speak");
const voice = "speechSynthesis" in window ? speechSynthesis : null;
/** Sentences that wait at most: more would be old when their turn comes. As audio/sound.py has it. */
const MOST_WAITING = 2;

let speaks = false;
/** The number of the last sentence that was said aloud, or was there before anybody asked for it. */
let last = 0;

/** Sentences are said once, whatever comes again after a greeting; a program that was started anew counts from 1. */
function listen() {
  const newest = state.said.at(-1)?.number ?? 0;
  const fresh = newest < last ? [] : state.said.filter(({ number }) => number > last);
  if (newest) last = newest;
  if (!voice || !speaks || !state.page) return;
  const aloud = fresh.filter((each) => each.aloud).slice(-MOST_WAITING);
  if (aloud.length && voice.pending) voice.cancel();
  for (const each of aloud) say(each.aloud);
}

/** @param {string} words */
function say(words) {
  const said = new SpeechSynthesisUtterance(words);
  said.lang = state.page?.language ?? "";
  voice?.speak(said);
}

function toggle() {
  speaks = !speaks;
  button.setAttribute("aria-pressed", String(speaks));
  if (!voice) return;
  voice.cancel();
  const words = element("words").textContent.trim(); // a browser lets a page speak where a finger has asked for it
  if (speaks && words) say(words);
}

button.hidden = !voice;
button.addEventListener("click", toggle);
on("said", listen);
