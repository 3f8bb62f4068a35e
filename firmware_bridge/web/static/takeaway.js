/** The whole game to be taken away: its record, as SGF text, and as a moving picture, which is drawn at the table's computer. */

import { find, made, refill } from "./elements.js";
import { given, state } from "./state.js";
import { text } from "./words.js";

/** @import { FilmForm } from "../types.d.ts" */

/** Milliseconds after which it is asked how far a picture is. */
const AGAIN = 600;

const place = made("section", { id: "take-away", class: "set", "aria-labelledby": "take-away-title" });
const dialog = find("#share", HTMLDialogElement);
find(".scrolls", HTMLElement, dialog).append(place);
/** Which picture is waited for; another one, or a window that was closed, is waited for no more. */
let waiting = 0;

/**
 * Show what can be had of the game that is looked at.
 * @param {string} query  what a URL ends with that asks for it, empty for the game in hand
 */
export function show(query) {
  waiting += 1;
  const title = made("h3", { id: "take-away-title" }, text("take-away"));
  if (!given.table.record) return refill(place, title, made("p", { class: "small" }, text("no-record")));
  const record = link(`/record?${query.slice(1)}`, text("take-record"));
  const sgf = link(`/record?form=sgf${query}`, text("take-sgf"));
  const film = made("button", { type: "button", id: "take-film" }, text("take-film"));
  film.hidden = !state.page?.may;
  const told = made("p", { class: "small", role: "status" });
  film.addEventListener("click", () => void draw(query, film, told));
  refill(place, title, made("div", { class: "row" }, record, sgf, film), told);
}

/**
 * @param {string} href
 * @param {string} name
 */
function link(href, name) {
  return made("a", { class: "button", href, download: "" }, name);
}

/**
 * Have the picture drawn, and kept as a file once it is there.
 * @param {string} query
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} told
 */
async function draw(query, button, told) {
  const mine = (waiting += 1);
  button.disabled = true;
  let form = /** @type {FilmForm | null} */ (null);
  do {
    if (form) await new Promise((go) => setTimeout(go, AGAIN));
    try {
      const response = await fetch(`/film?language=${given.page.language}${query}`);
      form = response.ok ? await response.json() : { state: "failed", done: 0, every: 0, told: await response.text() };
    } catch {
      form = { state: "failed", done: 0, every: 0, told: text("lost") };
    }
    if (mine !== waiting) return;
    told.textContent = form?.told ?? "";
  } while (form?.state === "working");
  button.disabled = false;
  if (form?.state === "made") link(`/film.gif?${query.slice(1)}`, "").click();
}

dialog.addEventListener("close", () => (waiting += 1));
