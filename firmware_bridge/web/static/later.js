/** Parts of the page that are fetched once they are wanted: to open it and to play, a browser fetches no more than that takes. */

import { element } from "./elements.js";
import { change, on, state } from "./state.js";
import { text } from "./words.js";

/**
 * Use a part of the page that is fetched now; where the table is away, that is said.
 * @template T
 * @param {Promise<T>} part
 * @param {(part: T) => unknown} use
 */
export async function later(part, use) {
  try {
    await use(await part);
  } catch {
    change({ complaint: { text: text("lost"), urgent: false } });
  }
}

/** Whether what explains a game is there, or on its way. */
let explains = false;

/** A game that is over can be explained. */
async function explain() {
  if (explains || !state.story?.outcome) return;
  explains = true;
  try {
    await Promise.all([import("./review.js"), import("./curve.js"), import("./moments.js")]);
    change({ review: state.review }); // they have not heard of the game yet
  } catch {
    explains = false; // the table is away: it tells of the game again when it is back
  }
}

element("explain").addEventListener("click", () => void later(import("./review.js"), (part) => part.explain()));
on("story", () => void explain());
on("viewing", () => {
  if (state.viewing !== null) import("./replay.js").catch(() => {}); // without it nothing slides
});
on("table", () => {
  if (state.table?.lesson) void later(import("./lessons.js"), () => {});
});
