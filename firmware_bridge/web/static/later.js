/** Parts of the page that are fetched once they are wanted: to open it and to play, a browser fetches no more than that takes. */

import { element } from "./elements.js";
import { change, on, state } from "./state.js";
import { text } from "./words.js";

/** Whether what explains a game is there, or on its way. */
let explains = false;

/** A game that is over can be explained, and played on from. */
async function explain() {
  if (explains || !state.story?.outcome) return;
  explains = true;
  try {
    await Promise.all([import("./review.js"), import("./curve.js"), import("./moments.js"), import("./share.js")]);
    change({ review: state.review }); // they have not heard of the game yet
  } catch {
    explains = false; // the table is away: it tells of the game again when it is back
  }
}

async function share() {
  try {
    await (await import("./share.js")).shareThis();
  } catch {
    change({ complaint: { text: text("lost"), urgent: false } });
  }
}

element("open-share").addEventListener("click", () => void share());
on("story", () => void explain());
if (new URLSearchParams(location.search).has("position")) void import("./share.js");
