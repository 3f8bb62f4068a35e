/**
 * Two tables play with each other: one invites, and shows six words; the other joins by them. Loaded when somebody wants
 * that. The table tells how far it is; a game for the other table is chosen in the window in which games are.
 */

import { beginner, chosenGame, picked } from "./dialogs.js";
import { all, element, find, made, readDrawing, refill } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { afterwards, given, inPlay, mayAsk, state } from "./state.js";
import { text } from "./words.js";

/** @import { LinkForm } from "../types.d.ts" */

const sheet = made("link", { rel: "stylesheet", href: "static/pair.css" });
/** Once the window has its looks, or never will: before that it would move under a finger. */
const looks = new Promise((resolve) => ["load", "error"].forEach((how) => sheet.addEventListener(how, resolve)));
document.head.append(sheet);

const title = made("h2", { id: "pair-title" });
const within = made("div", { class: "scrolls", tabindex: 0, role: "region", "aria-labelledby": "pair-title" });
const fault = made("p", { role: "alert", class: "banner" });
const close = made("button", { value: "cancel" });
const bar = made("div", { class: "row end" });
const form = made("form", { method: "dialog" }, title, fault, within, bar);
const dialog = made("dialog", { id: "pair", "aria-labelledby": "pair-title" }, form);
document.body.append(dialog);

/** The fields, which keep what was typed however often the rest is drawn anew. */
const words = made("input", { id: "pair-words", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
const broker = made("input", { id: "pair-broker", autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "mqtt://HOST:PORT" });
const seat = made("select", { id: "pair-seat" });
const who = made("label", { id: "pair-who", for: "pair-seat" });

/** What was drawn last; and whether the table was linked then: the window closes once the other one is there. */
let told = "";
let before = false;

/**
 * Offer to play with another table; `query` is the end of an address with the words in it.
 * @param {string} query
 */
export async function offer(query = "") {
  await looks;
  const asked = new URLSearchParams(query).get("pair");
  if (asked) words.value = asked;
  if (!mayAsk() || !state.link) return;
  if (state.link.state === "failed") ask({ do: "unlink" }); // it was read
  all("dialog[open]", HTMLDialogElement).forEach((each) => each.close(""));
  show();
  if (asked) words.focus();
}

function show() {
  before = given.table.linked;
  told = "";
  draw();
  dialog.showModal();
}

// What there is to choose ------------------------------------------------------------------------------

/**
 * A button with these words, by the name of their sentence.
 * @param {string} name
 * @param {() => void} does
 * @param {string} kind
 */
function button(name, does, kind = "") {
  const pressed = made("button", { type: "button", id: name, ...(kind && { class: kind }) }, text(name));
  pressed.addEventListener("click", does);
  return pressed;
}

/**
 * @param {string} name
 * @param {...(Node | string)} parts
 */
function section(name, ...parts) {
  return made("section", { class: "set", "data-pair": name }, ...parts);
}

/**
 * @param {HTMLElement} field
 * @param {string} says
 */
function labelled(field, says) {
  return made("label", { for: field.id, class: "set" }, made("span", {}, says), field);
}

/** @param {string} says */
function small(says) {
  return made("p", { class: "small" }, says);
}

/** @param {LinkForm} link */
function choices(link) {
  /** @type {HTMLElement[]} */
  const parts = link.fault ? [] : [made("p", {}, text("pair-how"))]; // why it failed is long enough
  if (inPlay()) parts.push(made("p", { class: "banner" }, text("pair-drops")));
  if (link.kept) parts.push(section("kept", button("pair-go-on", () => seek({ do: "rejoin" }), "first")));
  if (!link.broker) parts.push(section("broker", labelled(broker, text("pair-broker")), small(text("pair-broker-how"))));
  parts.push(section("invite", button("pair-invite", choose, link.kept ? "" : "first"), small(text("pair-invite-how"))));
  const join = made("div", { class: "row" }, words, button("pair-join", joinIn));
  const label = made("label", { for: "pair-words" }, text("pair-words"));
  parts.push(section("join", label, join, small(text("pair-join-how"))));
  return parts;
}

/** @param {LinkForm} link */
function waiting(link) {
  const address = made("input", { id: "pair-address", readonly: "", spellcheck: "false" });
  address.value = link.address;
  address.addEventListener("focus", () => address.select());
  const list = made("ol", { id: "pair-six", translate: "no" }, ...link.words.split("-").map((word) => made("li", {}, word)));
  const code = made("div", { id: "pair-code" });
  refill(code, readDrawing(link.code));
  return [
    going(text("pair-waiting")),
    made("p", {}, text("pair-tell")),
    made("div", { class: "invite" }, list, code),
    labelled(address, text("pair-address")),
  ];
}

/** @param {string} says */
function going(says) {
  return made("div", { class: "set", role: "status" }, made("p", {}, says), made("progress", { "aria-label": says }));
}

/** Ending is one touch of a thumb: it is asked for twice. */
function linked() {
  const end = button("pair-end", () => {
    if (end.classList.contains("next")) {
      ask({ do: "unlink" });
      dialog.close();
    }
    end.classList.add("next");
    end.textContent = text("pair-end-sure");
  });
  return [made("p", {}, text("pair-linked")), end];
}

// What is asked ----------------------------------------------------------------------------------------

/** @param {Parameters<typeof ask>[0]} request */
function seek(request) {
  letGo();
  ask(request);
}

function joinIn() {
  const typed = words.value.trim();
  seek({ do: "join", words: new URLSearchParams(typed.split("?")[1]).get("pair") ?? typed, broker: broker.value.trim() });
}

/** Choose a game in the window for that: there is another field in it, and another button. */
function choose() {
  dialog.close();
  element("open-new").click();
  element("new").classList.add("inviting");
  const [ok, heading] = [find("#new-ok", HTMLButtonElement), element("new-title")];
  ok.value = "invite";
  ok.textContent = heading.textContent = text("pair-invite");
  refill(seat, ...["pair-here", "pair-there"].map((name, place) => made("option", { value: place }, text(name))));
  refill(who, made("span", {}, text("pair-begins")), seat);
  element("new-time").before(made("div", { class: "set fields", id: "pair-who-begins" }, who));
}

/** The window for games is as it was; whoever has chosen is told how far it is. */
function chose() {
  const window = find("#new", HTMLDialogElement);
  if (!window.classList.contains("inviting")) return;
  window.classList.remove("inviting");
  find("#new-ok", HTMLButtonElement).value = "ok";
  element("new-ok").textContent = text("begin");
  element("new-title").textContent = text("new-game");
  element("pair-who-begins").remove();
  if (window.returnValue !== "invite") return;
  const side = (beginner(chosenGame()) + Number(seat.value)) % 2;
  seek({ do: "invite", ...picked(), seat: side ? 1 : 0, broker: broker.value.trim() });
  show();
}

// What is seen -----------------------------------------------------------------------------------------

/** @param {LinkForm} link */
function content(link) {
  if (given.table.linked) return linked();
  if (link.state === "waiting") return waiting(link);
  return link.state === "reaching" ? [going(text("pair-reaching"))] : choices(link);
}

function draw() {
  const { link, page, table } = state;
  if (!link || !page || !table) return;
  const met = table.linked && !before;
  before = table.linked;
  if (met && dialog.open) scrollTo(0, 0); // however far the first screen was scrolled
  if (met || !mayAsk()) dialog.close();
  const now = JSON.stringify([page.language, link, table.linked, inPlay()]);
  if (now === told) return;
  told = now;
  title.textContent = text("pair");
  close.textContent = text("close");
  fault.textContent = link.fault;
  fault.hidden = !link.fault;
  const sought = !table.linked && ["waiting", "reaching"].includes(link.state);
  refill(within, ...content(link));
  if (link.fault) words.scrollIntoView({ block: "center" });
  refill(bar, sought ? button("pair-stop", () => ask({ do: "unlink" })) : null, close);
}

form.addEventListener("submit", (event) => {
  if (event.submitter === close) return;
  event.preventDefault(); // Enter in a field
  if (document.activeElement === words) joinIn();
});
element("new").addEventListener("close", chose);
afterwards("page table link connected alone story", draw);
