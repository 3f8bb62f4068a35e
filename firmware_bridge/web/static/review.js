/**
 * A game that is over, explained: its positions come as the engine has weighed them, the last one first. The whole report is a
 * page of its own, which is there at the end.
 */

import { element, find } from "./elements.js";
import { look } from "./scrub.js";
import { change, given, ofShown, on, state } from "./state.js";
import { text } from "./words.js";

/** @import { MomentForm, ReviewForm } from "../types.d.ts" */

/** Milliseconds after which it is asked what else was found, and after which where nobody answered. */
const AGAIN = 700;
const LATER = 3000;

let timer = 0;
/** What tells this asking from earlier ones, whose answers may still come. */
let asking = 0;
let language = "";
let explained = "";

/** Have the game explained from the beginning, in the reader's language. */
export function explain() {
  if (state.viewing === null) look(given.story.turns.length);
  begin();
}

function begin() {
  stop();
  language = given.page.language;
  explained = game();
  change({ review: { state: "working", done: 0, every: 0, told: text("explaining"), moments: {} } });
  void ask();
}

function stop() {
  clearTimeout(timer);
  asking += 1;
}

/** What tells this game from others, and from itself with other turns. */
function game() {
  const { outcome, turns = [] } = state.story ?? {};
  return outcome ? JSON.stringify([state.opened, state.begun, turns.map((turn) => turn.text)]) : "";
}

async function ask() {
  const mine = asking;
  const known = Object.keys(state.review?.moments ?? {}).length;
  let wait = AGAIN;
  try {
    const response = await fetch(`/review?language=${language}&known=${known}${ofShown()}`);
    const answer = response.ok ? await response.json() : await response.text();
    if (mine !== asking) return;
    if (typeof answer === "string") return change({ review: null, refusal: answer });
    take(answer);
  } catch {
    wait = LATER; // the table is away: the page says so itself
  }
  if (mine === asking && state.review?.state === "working") timer = setTimeout(ask, wait);
}

/** @param {ReviewForm} answer */
function take({ moments, ...rest }) {
  /** @type {Record<number, MomentForm>} */
  const found = { ...state.review?.moments };
  for (const moment of moments) found[moment.number] = moment;
  if (rest.state === "failed") return change({ review: null, complaint: { text: rest.told, urgent: false } });
  change({ review: { ...rest, moments: found } });
}

function forget() {
  if (!state.review || game() === explained) return;
  stop();
  change({ review: null });
}

function speak() {
  if (state.review && given.page.language !== language) begin();
}

/** What leads to the whole report and to the puzzles found, and how far it is. */
function draw() {
  const { review, page } = state;
  const report = find("#report", HTMLAnchorElement);
  report.hidden = review?.state !== "made"; // in another language it is made anew
  if (page) report.href = `/report?language=${page.language}${ofShown()}`;
  element("puzzles-found").hidden = review?.state !== "made" || !Object.values(review.moments).some(({ puzzle }) => puzzle);
  element("progress").textContent = review?.told ?? "";
  element("progress").hidden = !review?.told;
}

element("puzzles-found").addEventListener("click", async () => (await import("./puzzles.js")).solveNewest(given.table.game));
on("story", forget);
on("page", speak);
on("review story page", draw);
