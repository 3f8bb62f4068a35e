/**
 * What the device lends the page: the whole screen, a screen that stays on, a place among its programs, and a memory of
 * the last position. Each is left out where the browser does not give it: most only where the line is secure.
 */

import { element } from "./elements.js";
import { change, on, state } from "./state.js";

/** @import { NowForm, PageForm, StoryForm, TableForm } from "../types.d.ts" */

/** Milliseconds without news after which a position is kept. */
const CALM = 600;
/** Characters that are kept at most: browsers give some five million. */
const MOST = 1_000_000;

// The whole screen ----------------------------------------------------------------------------------------

function wholeScreen() {
  const asked = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  asked.catch(() => {}); // a browser that will not: the page stays as it is
}

element("full-screen").hidden = !document.fullscreenEnabled;
element("full-screen").addEventListener("click", wholeScreen);

// A place among the programs of the device ------------------------------------------------------------------

/** @type {(Event & { prompt?: () => Promise<void> }) | null} */
let offer = null;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer = event;
  element("install").hidden = false;
});
element("install").addEventListener("click", () => {
  element("install").hidden = true;
  void offer?.prompt?.();
});

/** Have the files of the page kept, for a start without the table. */
async function keepFiles() {
  if (!isSecureContext || !navigator.serviceWorker) return;
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const files = loaded.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
  active?.postMessage([location.pathname, ...new Set(files.map(({ pathname }) => pathname))]);
}

addEventListener("load", () => keepFiles().catch(() => {})); // a browser that keeps nothing: then the page needs its table

// A screen that stays on while a game is in play --------------------------------------------------------------

/** @type {WakeLockSentinel | null} */
let awake = null;

async function stayAwake() {
  if (!isSecureContext || !navigator.wakeLock) return;
  const plays = state.connected && Boolean(state.table?.game) && !state.story?.outcome && !document.hidden;
  if (plays && (!awake || awake.released)) awake = await navigator.wakeLock.request("screen");
  else if (!plays) await awake?.release();
}

const tryAwake = () => void stayAwake().catch(() => {}); // a device that saves its battery

document.addEventListener("visibilitychange", tryAwake);
on("connected story", tryAwake);

// The last position ----------------------------------------------------------------------------------------

let calm = 0;

function keep() {
  const { page, table, story, now } = state;
  const last = JSON.stringify({ page, table, story, now });
  if (!state.connected || !page || !table?.board || !story || !now || last.length > MOST) return;
  try {
    localStorage.setItem("last", last);
  } catch {
    // a browser that keeps nothing
  }
}

function keepSoon() {
  clearTimeout(calm);
  calm = setTimeout(keep, CALM);
}

/** The page is open, and its table has never answered: show how it stood. */
function remember() {
  if (state.connected || state.page) return;
  try {
    /** @type {{ page: PageForm, table: TableForm, story: StoryForm, now: NowForm } | null} */
    const last = JSON.parse(localStorage.getItem("last") ?? "null");
    if (!last) return;
    const { page, table, story, now } = last;
    for (const part of [{ page }, { table }, { story }, { now: { ...now, cues: {} }, away: true }]) change(part); // as they come
  } catch {
    // nothing was kept, or by a page of another form
  }
}

on("story now quarters", keepSoon);
on("connected", () => (state.connected ? state.away && change({ away: false }) : remember()));
