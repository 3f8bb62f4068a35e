/**
 * The players' seats: who has one, how to take one, and what the players have to agree on. The rules are the server's; what
 * is asked for is answered by the other player, on their own device.
 */

import { drawn, element, find, made, readDrawing, refill } from "./elements.js";
import { ask } from "./live.js";
import { stone } from "./pieces.js";
import { afterwards, clock, engineLevel, mayAsk, on, state } from "./state.js";
import { seeFrom } from "./turning.js";
import { called, ownColour, player, text } from "./words.js";

/** @typedef {0 | 1} Side */

const SIDES = /** @type {const} */ ([0, 1]);
/** What asks this page to offer a seat at once. */
const JOIN = "join";

let offers = new URLSearchParams(location.search).has(JOIN);
/** @type {Side | null} */
let sat = null;
let wanted = recall();
let ticks = 0;

/** The seat and the name that this browser had last, for a table that has forgotten them. */
function recall() {
  try {
    /** @type {{ side: Side | null, name: string }} */
    const kept = JSON.parse(localStorage.getItem("seat") ?? "null");
    return kept ?? { side: null, name: "" };
  } catch {
    return { side: null, name: "" };
  }
}

/**
 * @param {Side | null} side
 * @param {string} name
 */
function keep(side, name) {
  wanted = { side, name };
  try {
    localStorage.setItem("seat", JSON.stringify(wanted));
  } catch {
    // for as long as the page is open, then
  }
}

const dialog = find("#seats", HTMLDialogElement);
const field = find("#seat-name", HTMLInputElement);

// The seats ---------------------------------------------------------------------------------------------

/** @param {Side} side */
function drawSeat(side) {
  const { seats, mine } = state.seats ?? { seats: [null, null], mine: null };
  const [seat, engine] = [seats[side], engineLevel(side)];
  const whose = engine ? text("engine-player", { player: player(side), level: engine }) : player(side);
  const told = mine === side ? text("seat-mine") : seat ? text(seat.away ? "seat-away" : "seat-taken", { name: seat.name || player(side) }) : engine ? "" : text("seat-free");
  const colour = ownColour(side);
  const picture = colour ? drawn("svg", { viewBox: "-36 -36 72 72", "aria-hidden": "true" }, stone(colour, 100)) : null;
  const line = made("div", { class: "seat-line", "data-side": side });
  refill(line, picture, made("span", {}, made("strong", {}, whose), " ", told), engine ? null : seatButton(side, mine, Boolean(seat)));
  return line;
}

/**
 * @param {Side} side
 * @param {Side | null} mine
 * @param {boolean} taken
 */
function seatButton(side, mine, taken) {
  const leaves = mine === side;
  const button = made("button", { type: "button", ...(leaves ? {} : { class: "first" }) }, text(leaves ? "seat-leave" : "seat-sit"));
  button.disabled = !mayAsk() || (taken && !leaves);
  button.addEventListener("click", () => (leaves ? rise() : sit(side)));
  return button;
}

/** @param {Side} side */
function sit(side) {
  keep(side, field.value.trim());
  ask({ do: "sit", side, name: wanted.name });
  dialog.close();
}

function rise() {
  keep(null, field.value.trim());
  ask({ do: "rise" });
}

function drawSeats() {
  if (!state.page || !state.table) return;
  refill(element("seat-list"), ...(state.table.game ? SIDES.map(drawSeat) : []));
  const { invite, code } = state.page;
  element("invite").hidden = !invite;
  element("invite-none").hidden = Boolean(invite) || !state.page.may;
  element("invite-at").textContent = invite;
  if (element("invite-code").dataset.told !== invite) {
    element("invite-code").dataset.told = invite;
    refill(element("invite-code"), code ? readDrawing(code) : null);
  }
}

function open() {
  field.value = wanted.name;
  drawSeats();
  dialog.showModal();
}

/** Sit again where a table that was started anew has forgotten it; see the board from the seat that was taken. */
function follow() {
  const { seats, table } = state;
  if (!seats || !table?.game) return;
  const [mine, before] = [seats.mine, sat];
  sat = mine; // first of all: to turn the board is heard here, too
  if (before !== null && mine === null && state.connected) keep(null, wanted.name);
  if (mine !== null && mine !== before) {
    keep(mine, wanted.name);
    seeFrom(2 * mine);
  }
  if (offers && mayAsk()) {
    offers = false;
    if (mine === null) open();
  }
}

/** After each greeting. */
function again() {
  sat = null;
  if (mayAsk() && wanted.side !== null) ask({ do: "sit", side: wanted.side, name: wanted.name });
}

// What is to be agreed upon --------------------------------------------------------------------------------

/** @param {boolean} grants */
function answer(grants) {
  ask({ do: "answer", grants });
}

function drawAsked() {
  clearTimeout(ticks);
  const asked = state.seats?.asked;
  const left = asked ? Math.ceil(asked.left - (clock() - state.seated)) : 0;
  const shown = Boolean(asked && left > 0 && (asked.mine || asked.answer));
  element("asked").hidden = !shown;
  if (!asked || !shown) return;
  const seat = state.seats?.seats[asked.by];
  const told = asked.mine ? text("asked-waits", { player: called(1 - asked.by) }) : text(`asked-${asked.what}`, { player: seat?.name || player(asked.by) });
  if (element("asked-what").textContent !== told) element("asked-what").textContent = told;
  element("asked-left").textContent = text("asked-left", { count: left });
  for (const id of ["asked-grant", "asked-refuse"]) element(id).hidden = asked.mine;
  element("asked-withdraw").hidden = !asked.mine;
  ticks = setTimeout(drawAsked, 1000);
}

element("open-seats").addEventListener("click", open);
element("asked-grant").addEventListener("click", () => answer(true));
for (const id of ["asked-refuse", "asked-withdraw"]) element(id).addEventListener("click", () => answer(false));
on("page", again);
afterwards("page table seats", drawSeats);
on("seats table connected", follow);
afterwards("page table seats", drawAsked);
