/** The lesson in hand: which one, what is asked, and the way on once it is solved. */

import { element, find, made, refill } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { teach } from "./start.js";
import { given, mayAsk, on, state } from "./state.js";
import { text } from "./words.js";

/** The next lesson, or a first game; the table knows which. */
function goOn() {
  letGo();
  ask({ do: "press", button: "done" });
}

/**
 * @param {number} number
 * @param {number} now
 * @param {number[]} solved
 */
function step(number, now, solved) {
  const done = solved.includes(number);
  const button = made("button", { type: "button", "data-lesson": number }, done ? "\u2713" : String(number));
  button.setAttribute("aria-label", text(done ? "lesson-solved" : "lesson-go", { number }));
  if (number === now) button.setAttribute("aria-current", "step");
  button.disabled = !mayAsk();
  button.addEventListener("click", () => teach(given.table.game, number));
  return made("li", {}, button);
}

function draw() {
  const { page, table } = state;
  const lesson = table?.lesson ?? null;
  if (lesson?.puzzle) void import("./puzzles.js");
  element("lesson").hidden = !lesson || lesson.puzzle !== null;
  document.body.classList.toggle("teaching", Boolean(lesson));
  const shown = String(lesson?.number ?? "");
  if (lesson && document.body.dataset.lesson !== shown) scrollTo(0, 0); // its task is read first
  document.body.dataset.lesson = shown;
  element("lesson-on").hidden = !lesson?.solved || lesson.puzzle !== null;
  if (!page || !table || !lesson || lesson.puzzle) return;
  const { number, count, solved } = lesson;
  const learnt = table.games.find((game) => game.name === table.game)?.solved ?? [];
  element("lesson-title").textContent = text("lesson", { number, count });
  const numbers = Array.from({ length: count }, (_, place) => place + 1);
  const had = document.activeElement?.closest("#lesson-steps [data-lesson]")?.getAttribute("data-lesson");
  refill(element("lesson-steps"), ...numbers.map((each) => step(each, number, learnt)));
  if (had) find(`#lesson-steps [data-lesson="${had}"]`, HTMLButtonElement).focus();
  const words = solved ? lesson.learnt : lesson.task;
  if (element("task").textContent !== words) element("task").textContent = words;
  element("lesson").classList.toggle("solved", solved);
  element("lesson-on").textContent = text(number < count ? "lesson-on" : "lessons-over");
}

/** How high the task is, so that the board leaves room for it on a phone; it stays as it is when that is solved. */
function measure() {
  const main = find("main", HTMLElement);
  if (state.table?.lesson?.solved) return;
  main.style.setProperty("--head", `${find(".head", HTMLElement).offsetHeight}px`);
}

element("lesson-on").addEventListener("click", goOn);
new ResizeObserver(measure).observe(find(".head", HTMLElement));
on("table page connected alone", draw);
draw();
