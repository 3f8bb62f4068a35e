/**
 * The puzzle in hand: which one, what is asked, the way to its solution and to others; and how many were solved in a row. Loaded
 * when there is one, or somebody wants one. What is right the table says; the row is counted here, by what it says, and kept here.
 */

import { find, made, refill } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { change, given, mayAsk, on, state } from "./state.js";
import { text } from "./words.js";

/** @import { LessonForm, OwnPuzzle, PuzzleForm } from "../types.d.ts" */

/** Where the row is kept in this browser. */
const KEPT = "puzzles";

/** How much of the hint shows the turn itself. */
const WHOLE = 2;

// Asking for one ---------------------------------------------------------------------------------------

/**
 * Begin a puzzle of a game; 0 for the first that was not solved.
 * @param {string} game
 * @param {number} number
 */
export function solve(game, number = 0) {
  letGo();
  ask({ do: "solve", game, number });
}

/** @param {OwnPuzzle} puzzle */
function solveOwn(puzzle) {
  letGo();
  ask({ do: "solve", game: puzzle.game, own: puzzle });
}

/** Those from the readers' own games of `game`, as they were told last. */
/** @type {OwnPuzzle[]} */
let own = [];
let ownOf = "";

/** Have the puzzles from own games of the game in hand told anew. */
async function fetchOwn() {
  ownOf = given.table.game;
  const wanted = ownOf;
  try {
    const response = await fetch(`/puzzles?game=${wanted}`);
    if (!response.ok || ownOf !== wanted) return;
    own = await response.json();
  } catch {
    return; // the table is away, and the page says so
  }
  draw();
}

/**
 * The newest puzzle from the readers' own games: of a game that was just explained the one nearest to its end.
 * @param {string} game
 */
export async function solveNewest(game) {
  try {
    const response = await fetch(`/puzzles?game=${game}`);
    if (!response.ok) return change({ complaint: { text: (await response.text()).trim(), urgent: true } });
    const [newest] = /** @type {OwnPuzzle[]} */ (await response.json());
    if (newest) solveOwn(newest);
  } catch {
    change({ complaint: { text: text("lost"), urgent: false } });
  }
}

// The row ----------------------------------------------------------------------------------------------

/** @typedef {{ now: number, best: number }} Row */

/** @returns {Row} */
function row() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    if (Number.isInteger(kept?.now) && Number.isInteger(kept?.best)) return kept;
  } catch {
    // nothing is kept here, or something else
  }
  return { now: 0, best: 0 };
}

/** The row where the browser keeps nothing: then for as long as the page is open. */
let counted = row();

/** @param {number} now */
function keep(now) {
  counted = { now, best: Math.max(now, counted.best) };
  try {
    localStorage.setItem(KEPT, JSON.stringify(counted));
  } catch {
    // as said above
  }
}

/** The puzzle as it stood when it was looked at last. */
/** @type {(PuzzleForm & { solved: boolean, begun: number }) | null} */
let seen = null;

/**
 * Whatever was missed or shown ends the row; what is solved without either, and without a hint, goes on with it.
 * @param {LessonForm} lesson
 * @param {PuzzleForm} puzzle
 */
function tally({ solved }, puzzle) {
  const before = seen;
  seen = { ...puzzle, solved, begun: state.begun };
  if (!before || before.position !== puzzle.position || !mayAsk()) return;
  if ((puzzle.missed && !before.missed) || (puzzle.helped === WHOLE && before.helped < WHOLE)) keep(0);
  if (solved && !before.solved && !puzzle.missed && !puzzle.helped) keep(counted.now + 1);
}

// What is seen -----------------------------------------------------------------------------------------

const title = made("h2", { id: "puzzle-title" });
const streak = made("p", { id: "streak", class: "small" });
const task = made("p", { id: "puzzle-task", role: "status" });
const choice = made("select", { id: "puzzle-choice" });
const shows = made("button", { type: "button", id: "puzzle-solution" });
const onward = made("button", { type: "button", id: "puzzle-on" });
const panel = made("section", { id: "puzzle", class: "lesson puzzle", "aria-labelledby": "puzzle-title" });
panel.append(made("div", { class: "row" }, title, streak), task, made("div", { class: "row" }, choice, shows, onward));
panel.hidden = true;

/** Show the turn: the first press of Hint tells where it begins, the second the turn. */
function reveal() {
  letGo();
  for (let times = state.table?.lesson?.puzzle?.helped ?? 0; times < WHOLE; times += 1) ask({ do: "press", button: "hint" });
}

/** The next one: of those that are not solved once this one is, else the one after it. */
function goOn() {
  const { lesson, game } = given.table;
  if (!lesson) return;
  letGo();
  if (lesson.solved) ask({ do: "press", button: "done" });
  else solve(game, (lesson.number % lesson.count) + 1);
}

function choose() {
  const { value } = choice;
  const [kind, place] = value.split(" ");
  if (kind === "own") solveOwn(own[Number(place)]);
  else if (kind === "number") solve(given.table.game, Number(place));
}

/**
 * @param {LessonForm} lesson
 * @param {PuzzleForm} puzzle
 */
function fillChoice({ number, count }, puzzle) {
  const { game, games } = given.table;
  const solved = games.find(({ name }) => name === game)?.puzzled ?? [];
  const place = own.findIndex(({ position }) => position === puzzle.position);
  const now = number ? `number ${number}` : place < 0 ? "" : `own ${place}`;
  const told = JSON.stringify([game, count, solved, own, now, given.page.language]);
  if (choice.dataset.told === told) return;
  choice.dataset.told = told;
  const numbers = Array.from({ length: count }, (_, before) => before + 1);
  const rising = made("optgroup", { label: text("puzzles-rising") });
  rising.append(...numbers.map((each) => made("option", { value: `number ${each}` }, `${each}${solved.includes(each) ? " \u2713" : ""}`)));
  const mine = made("optgroup", { label: text("puzzles-own") });
  mine.append(...own.map(({ day, turn }, at) => made("option", { value: `own ${at}` }, text("puzzle-from", { day, turn }))));
  refill(choice, ...(now ? [] : [made("option", { value: "" }, "\u2026")]), rising, ...(own.length ? [mine] : []));
  choice.value = now;
}

function draw() {
  const { page, table } = state;
  const lesson = table?.lesson;
  const puzzle = lesson?.puzzle;
  panel.hidden = !puzzle;
  document.body.classList.toggle("puzzling", Boolean(puzzle));
  if (!page || !table || !lesson || !puzzle) {
    seen = null;
    return;
  }
  if (ownOf !== table.game) void fetchOwn();
  tally(lesson, puzzle);
  const { number, count: every, solved } = lesson;
  title.textContent = puzzle.own ? text("puzzle-own") : text("puzzle", { number, count: every });
  streak.textContent = text("streak", { now: counted.now, best: counted.best });
  const words = solved ? lesson.learnt : lesson.task;
  if (task.textContent !== words) task.textContent = words;
  panel.classList.toggle("solved", solved);
  fillChoice(lesson, puzzle);
  choice.setAttribute("aria-label", text("puzzle-choose"));
  shows.textContent = text("puzzle-solution");
  shows.hidden = solved;
  shows.disabled = !mayAsk() || puzzle.helped === WHOLE;
  onward.textContent = text(solved ? "puzzle-on" : "puzzle-skip");
  onward.classList.toggle("first", solved);
  onward.hidden = !every;
  choice.disabled = onward.disabled = !mayAsk();
}

document.head.append(made("link", { rel: "stylesheet", href: "static/puzzles.css" }));
find(".head", HTMLElement).append(panel);
choice.addEventListener("change", choose);
shows.addEventListener("click", reveal);
onward.addEventListener("click", goOn);
on("table page connected alone", draw);
on("review", () => state.review?.state === "made" && (ownOf = ""));
draw();
