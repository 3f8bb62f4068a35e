/**
 * A game that is looked back at beside the one in play: the page shows it as if it lay on the table, at one of its turns, until the
 * way back to now is taken. The table goes on meanwhile, and is told nothing.
 */

import { element, find, made } from "./elements.js";
import { turnedBoard } from "./geometry.js";
import { putBack } from "./hand.js";
import { hello } from "./live.js";
import { change, clock, given, on, state } from "./state.js";
import { text } from "./words.js";

/** @import { OpenedForm } from "../types.d.ts" */

document.head.append(made("link", { rel: "stylesheet", href: "static/exchange.css" }));
const banner = made("p", { id: "opened", class: "banner", hidden: "" });
const remark = made("p", { id: "remark", hidden: "" });
find(".head", HTMLElement).prepend(banner);
element("weighed").after(remark);

/** @type {OpenedForm | null} */
let form = null;
let language = "";
/** What is told of the game beside its turns, such as variations that were left out; of the last one also once it was left. */
export let notice = "";

/**
 * Look back at the game that `query` asks for, as it stands behind the `?` of a URL.
 * @param {string} query
 * @param {string} told
 * @param {number | null} at  the turn, null for the last one
 */
export async function open(query, told = "", at = null) {
  const answer = await ask(query);
  if (!answer) return;
  putBack();
  form = answer;
  notice = told;
  language = given.page.language;
  const { table, story, now } = answer;
  const behind = state.opened ? state.behind : state.story;
  const board = table.board && turnedBoard(table.board, state.quarters);
  history.replaceState(null, "", `/?${query}`);
  document.body.classList.add("opened");
  change({
    opened: query, behind, table: { ...table, board }, story, now, received: clock(), seats: null, said: [],
    viewing: at ?? story.turns.length,
  });
}

/**
 * @param {string} query
 * @returns {Promise<OpenedForm | null>}
 */
async function ask(query) {
  try {
    const response = await fetch(`/opened?${query}&language=${given.page.language}`);
    if (response.ok) return await response.json();
    change({ complaint: { text: (await response.text()).trim(), urgent: true } });
  } catch {
    change({ complaint: { text: text("lost"), urgent: false } });
  }
  return null;
}

/** Back to the table: all that it has told since is told anew. */
function leave() {
  form = null;
  document.body.classList.remove("opened");
  history.replaceState(null, "", "/");
  change({ opened: "", behind: null, story: null, now: null });
  hello();
}

/** Once the table is left to itself, and the turn that is looked at. */
function draw() {
  if (state.opened && state.viewing === null) return leave();
  if (state.opened && given.page.language !== language) return void open(state.opened, notice);
  const now = element("back-to-now");
  now.textContent = text(form ? "opened-leave" : "back-to-now");
  banner.hidden = !form;
  banner.textContent = form ? [form.told, notice].filter(Boolean).join(" ") : "";
  remark.textContent = form?.comments[String(state.viewing)] ?? "";
  remark.hidden = !remark.textContent;
  find("#record", HTMLAnchorElement).href = `record?${state.opened}`;
}

on("opened viewing page", draw);
