/** A game is brought: a file that is chosen or dropped, or a text that is pasted. The table's server reads it, by the rules. */

import { find, made } from "./elements.js";
import { ask } from "./live.js";
import { open } from "./opened.js";
import { on, state } from "./state.js";
import { text } from "./words.js";

/** Bytes of a text at most, as the server has it. */
const LARGEST = 250_000;
/** Bytes of a part at most, for a message has 4096; and bytes that may be sent at once, and a second: less than the server takes. */
const PART = 3400;
const AT_ONCE = 120_000;
const A_SECOND = 25_000;

const bytes = new TextEncoder();
const file = made("input", { type: "file", id: "bring-file", accept: ".table,.sgf,.txt,text/plain" });
const pasted = made("textarea", { id: "bring-text", rows: 5, spellcheck: "false", autocomplete: "off" });
const fault = made("p", { role: "alert", class: "fault" });
const send = made("button", { class: "first", type: "submit" });
const words = ["h2", "p", "label", "label", "button"].map((tag) => made(/** @type {"p"} */ (tag)));
const [title, how, chosen, paste, cancel] = words;
title.id = "bring-title";
chosen.setAttribute("for", "bring-file");
paste.setAttribute("for", "bring-text");
cancel.setAttribute("type", "button");
const form = made("form", { method: "dialog" }, title);
const within = made("div", { class: "scrolls set", tabindex: 0, role: "region", "aria-labelledby": "bring-title" });
within.append(how, chosen, file, paste, pasted, fault);
form.append(within, made("div", { class: "row end" }, cancel, send));
const dialog = made("dialog", { id: "bring", "aria-labelledby": "bring-title" }, form);
document.body.append(dialog);

function speak() {
  const told = ["bring", "bring-how", "bring-file", "bring-text", "cancel"];
  words.forEach((each, place) => (each.textContent = text(told[place])));
  send.textContent = text("bring-open");
}

/**
 * Offer to bring a game; a file that was dropped is tried at once.
 * @param {File | null} dropped
 */
export function offer(dropped = null) {
  form.reset();
  fault.textContent = "";
  speak();
  if (!dialog.open) dialog.showModal();
  if (dropped) void bring(dropped);
}

/** @param {File | null} from */
async function bring(from) {
  const whole = from ? from.size : bytes.encode(pasted.value).length;
  if (whole > LARGEST) return refuse(text("bring-large"));
  const told = from ? await from.text() : pasted.value;
  if (!told.trim()) return refuse(text("bring-nothing"));
  send.disabled = true;
  fault.textContent = "";
  if (!(await sendParts(told, from?.name ?? ""))) refuse(text("lost"));
}

/** @param {string} why */
function refuse(why) {
  send.disabled = false;
  fault.textContent = why;
  fault.scrollIntoView({ block: "nearest" });
}

let allowance = AT_ONCE;
let since = performance.now();

/**
 * Send a text in parts, no faster than the server takes them; whether the line took them all.
 * @param {string} told
 * @param {string} name
 */
async function sendParts(told, name) {
  const parts = cut(told);
  for (const [number, part] of parts.entries()) {
    const now = performance.now();
    allowance = Math.min(AT_ONCE, allowance + ((now - since) * A_SECOND) / 1000) - PART;
    since = now;
    if (allowance < 0) await new Promise((go) => setTimeout(go, (-allowance / A_SECOND) * 1000));
    if (!ask({ do: "bring", number, of: parts.length, text: part, name: name.slice(-100) })) return false;
  }
  return true;
}

/**
 * A text in parts that fit into messages.
 * @param {string} told
 */
function cut(told) {
  const parts = [];
  for (let at = 0; at < told.length;) {
    let size = PART;
    while (bytes.encode(JSON.stringify(told.slice(at, at + size))).length > PART) size = Math.floor(size * 0.7);
    if (/[\uD800-\uDBFF]/.test(told[at + size - 1])) size -= 1; // not in the midst of a letter
    parts.push(told.slice(at, at + size));
    at += size;
  }
  return parts;
}

function answered() {
  const { brought } = state;
  if (!brought || !dialog.open) return;
  send.disabled = false;
  if (!brought.key) return refuse(brought.text);
  dialog.close();
  void open(`brought=${brought.key}`, brought.text);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void bring(find("#bring-file", HTMLInputElement).files?.[0] ?? null);
});
cancel.addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => (send.disabled = false));
on("brought", answered);
on("page", speak);
