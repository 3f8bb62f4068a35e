/**
 * One position by itself: that looked at, to be shared as a link or a picture and to be played on from, or that of a link which
 * somebody has opened. What it is the server tells, by the rules.
 */

import { element, find, readDrawing, refill } from "./elements.js";
import { letGo } from "./hand.js";
import { ask } from "./live.js";
import { change, given, mayAsk, on, state } from "./state.js";
import { text } from "./words.js";

/** @import { PositionForm } from "../types.d.ts" */

/** The level of the engine where it has not played. */
const USUAL_LEVEL = 3;
/** Pixels that a picture is wide. */
const WIDE = 1000;

/** @type {PositionForm | null} */
let shown = null;

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
  return told(`after=${before + (state.viewing ?? turns.length)}`);
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
  element("share-copy").textContent = text("share-copy");
  const inPlay = Boolean(state.story?.turns.length && !state.story.outcome);
  element("share-play").hidden = over || !mayAsk() || (inPlay && !sent);
  element("share-drops").hidden = !(inPlay && sent) || element("share-play").hidden;
  element("share-drops").textContent = text(given.table.record ? "drops-kept" : "drops-lost");
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
  letGo();
  ask({ do: "new", game, options, position, levels: side ? [level, 0] : [0, level] });
}

function offer() {
  const { story, viewing, table } = state;
  const last = story?.turns.length ?? 0;
  element("try").hidden = !(story?.outcome && viewing !== null && viewing < last && table && mayAsk());
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

/** Share the position that is looked at. */
export async function shareThis() {
  open(await here());
}

let opened = false;

/** The page was opened by a link that holds a position: it is shown once there are words for it. */
async function come() {
  const query = location.search.slice(1);
  if (opened || !state.connected || !state.page || !state.table) return;
  opened = true;
  if (!new URLSearchParams(query).has("position")) return;
  history.replaceState(null, "", location.pathname);
  open(await told(query), true);
}

element("try").addEventListener("click", async () => play(await here()));
element("share-copy").addEventListener("click", () => void copy());
element("share-picture").addEventListener("click", () => void picture());
element("share").addEventListener("close", () => find("#share", HTMLDialogElement).returnValue === "play" && play(shown));
on("viewing story table page connected alone", offer);
on("connected page table", () => void come());
offer();
void come(); // this module may come later than all it wants to hear of
