/**
 * One position by itself: that looked at, to be shared as a link or a picture and to be played on from, or that of a link which
 * somebody has opened. What it is the server tells, by the rules.
 */

import { element, find, readDrawing, refill } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { change, given, inPlay, mayAsk, ofShown, state } from "./state.js";
import { text } from "./words.js";

/** @import { PositionForm } from "../types.d.ts" */

/** The level of the engine where it has not played. */
const USUAL_LEVEL = 3;
/** Pixels that a picture is wide. */
const WIDE = 1000;

/** @type {PositionForm | null} */
let shown = null;

/**
 * What was looked at when it was left to try something: the turn, null for none, and what asks for its game, empty where that
 * was the table's own; and the text of the `position` that was tried.
 */
export const left = { at: /** @type {number | null} */ (null), opened: "", position: "" };

/**
 * What the server tells of a position, asked for by what stands behind the `?` of a URL; null where it refused, and has said why.
 * @param {string} query
 * @returns {Promise<PositionForm | null>}
 */
async function told(query) {
  try {
    const response = await fetch(`/position?${query}&language=${given.page.language}`);
    if (response.ok) return await response.json();
    change({ complaint: { text: (await response.text()).trim(), urgent: true } });
  } catch {
    change({ complaint: { text: text("lost"), urgent: false } });
  }
  return null;
}

/** The position that is looked at, or that of now. */
function here() {
  const { before, turns } = given.story;
  return told(`after=${before + (state.viewing ?? turns.length)}${ofShown()}`);
}

/**
 * Show a position; one that is `sent` by a link may be played on from at any time, one of the game in hand once that is over.
 * @param {PositionForm | null} position
 * @param {boolean} sent
 */
function open(position, sent = false) {
  shown = position;
  if (!position) return;
  const { title, drawing, link, over } = position;
  element("share-title").textContent = title;
  element("share-told").textContent = position.told;
  refill(element("share-board"), readDrawing(drawing));
  find("#share-link", HTMLInputElement).value = `${location.origin}/?${link}`;
  element("share-near").hidden = Boolean(given.page.invite) || !given.page.may; // else others cannot open the link
  element("share-copy").textContent = text("share-copy");
  element("share-play").hidden = over || !mayAsk() || (inPlay() && !sent);
  element("share-drops").hidden = !(inPlay() && sent) || element("share-play").hidden;
  element("share-drops").textContent = text(given.table.record ? "drops-kept" : "drops-lost");
  void takeAway(sent && !state.opened);
  const dialog = find("#share", HTMLDialogElement);
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
}

/**
 * Play on from a position: whoever is to move there against the engine, which is as strong as it was.
 * @param {PositionForm | null} from
 */
function play(from) {
  if (!from) return;
  const { game, options, position, side } = from;
  const level = Math.max(...given.table.levels) || USUAL_LEVEL;
  Object.assign(left, { at: state.viewing, opened: state.opened, position });
  if (state.opened) void import("./back.js");
  letGo();
  ask({ do: "new", game, options, position, levels: side ? [level, 0] : [0, level] });
}

/** Keep the link where it can be pasted from: a browser that will not do so has it marked. */
async function copy() {
  const field = find("#share-link", HTMLInputElement);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    element("share-copy").textContent = text("share-copied");
  } catch {
    // the line is not secure: the link is marked, and the keys of the browser copy it
  }
}

/** Have the picture of the position drawn by the browser, and kept as a file. */
async function picture() {
  if (!shown) return;
  const drawing = readDrawing(shown.drawing);
  const { width, height } = find("#share-board svg", SVGSVGElement).viewBox.baseVal;
  const [wide, high] = [WIDE, Math.round((WIDE * height) / width)];
  drawing?.setAttribute("width", String(wide));
  drawing?.setAttribute("height", String(high));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing?.outerHTML ?? "")}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: wide, height: high });
  canvas.getContext("2d")?.drawImage(image, 0, 0, wide, high);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = `${shown.game}.png`;
  link.click();
}

/**
 * Offer the whole game, but for a position that came by itself.
 * @param {boolean} alone
 */
async function takeAway(alone) {
  if (!alone) (await import("./takeaway.js")).show(ofShown());
  document.getElementById("take-away")?.toggleAttribute("hidden", alone);
}

/** Share the position that is looked at. */
export async function share() {
  open(await here(), Boolean(state.opened));
}

/** Play on from there; where a game is in play that is asked first. */
export async function playOn() {
  const position = await here();
  if (inPlay()) open(position, true);
  else play(position);
}

/**
 * Show the position of a link.
 * @param {string} query
 */
export async function come(query) {
  history.replaceState(null, "", location.pathname);
  open(await told(query), true);
}

element("share-copy").addEventListener("click", () => void copy());
element("share-picture").addEventListener("click", () => void picture());
element("share").addEventListener("close", () => find("#share", HTMLDialogElement).returnValue === "play" && play(shown));
