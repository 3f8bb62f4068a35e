/** The way back to the finished game from which something was tried; loaded once there is one. */

import { find, made } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { look } from "./scrub.js";
import { left } from "./share.js";
import { mayAsk, on, state } from "./state.js";
import { text } from "./words.js";

const button = made("button", { type: "button", id: "back-to-game" });
/** Whether the game that comes next is the one that was left. */
let returning = false;

function goBack() {
  returning = true;
  letGo();
  ask({ do: "return" });
}

/** The game is there again: what was looked at then is looked at now. */
function lookAgain() {
  const last = state.story?.turns.length ?? 0;
  if (returning && left.at !== null && state.story?.outcome && left.at <= last) look(left.at);
  if (!state.table?.left) left.at = null;
  returning = false;
}

function draw() {
  button.hidden = !state.table?.left || !mayAsk();
  button.textContent = text("back-to-game");
}

button.addEventListener("click", goBack);
find("#whose", HTMLElement).after(button);
on("begun", lookAgain);
on("table page connected alone", draw);
draw();
