/** What the table says: whose turn it is, the referee's last sentence, and the ones before. */

import { refill } from "./drawn.js";
import { element, on, state } from "./state.js";
import { made, player, text } from "./words.js";

/** Events that players must not miss. */
const URGENT = new Set(["astray", "blind", "asked", "owed", "unwritten", "unlit"]);

let spoken = 0;
let game = "";

function sayLast() {
  const last = state.said.at(-1);
  if (!last || last.number === spoken) return;
  spoken = last.number;
  say(last.text, URGENT.has(last.name));
}

/** Show a sentence and have it read out: an urgent one at once. */
function say(sentence, urgent) {
  element("say").textContent = urgent ? "" : sentence;
  element("alarm").textContent = urgent ? sentence : "";
}

function drawSaid() {
  const items = state.said.slice(0, -1).reverse();
  refill(element("said"), ...items.map((word) => made("li", { "data-name": word.name }, word.text)));
  sayLast();
}

function drawWhose() {
  const { now, table } = state;
  if (!now || !table) return;
  const choosing = !table.game;
  if (choosing) say(text("choosing"), false);
  else if (game !== table.game) say("", false);
  game = table.game;
  element("whose").hidden = choosing;
  element("status").textContent = now.status;
  element("aside").textContent = now.status.includes(now.aside) ? "" : (now.aside ?? "");
  for (const each of document.querySelectorAll("#whose .player")) {
    const side = Number(each.dataset.side);
    each.querySelector(".who").textContent = player(side);
    each.classList.toggle("turn", now.side === side);
    each.classList.toggle("stones", table.pieces === "stones");
  }
}

function afterLanguage() {
  spoken = 0;
  if (!state.said.length) say("", false);
}

on("page", afterLanguage);
on("said", drawSaid);
on("now table page", drawWhose);
on("refusal", () => say(state.refusal, true));
on("complaint", () => say(state.complaint, true));
