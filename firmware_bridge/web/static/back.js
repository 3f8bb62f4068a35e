/** The way back to the game from which something was tried, finished at the table or looked at; loaded once there is one. */

import { find, made } from "./elements.js";
import { letGo } from "./hand.js";
import { later } from "./later.js";
import { ask } from "./live.js";
import { look } from "./scrub.js";
import { left } from "./share.js";
import { mayAsk, on, state } from "./state.js";
import { text } from "./words.js";

const button = made("button", { type: "button", id: "back-to-game" });
/** Whether the game that comes next is the one that was left. */
let returning = false;
/** Whether what was tried has begun. */
let tried = false;

function goBack() {
  const { opened, at } = left;
  if (opened) return void later(import("./opened.js"), ({ notice, open }) => open(opened, notice, at));
  returning = true;
  letGo();
  ask({ do: "return" });
}

/** The game is there again: what was looked at then is looked at now. */
function lookAgain() {
  const last = state.story?.turns.length ?? 0;
  if (returning && left.at !== null && state.story?.outcome && left.at <= last) look(left.at);
  if (!(left.opened || state.table?.left)) left.at = null;
  returning = false;
}

/** Another game than that which was tried begins: nobody asks for the one that was looked at any more. */
function follow() {
  if (state.opened || !state.story || state.story.turns.length) return;
  const same = state.story.position === left.position;
  if (tried && !same) left.opened = "";
  tried = same;
  draw();
}

function draw() {
  button.hidden = !(left.opened || state.table?.left) || Boolean(state.opened) || !mayAsk();
  button.textContent = text("back-to-game");
}

button.addEventListener("click", goBack);
find("#whose", HTMLElement).after(button);
on("begun", lookAgain);
on("story", follow);
on("table page connected alone opened", draw);
draw();
