/** What is too long for its place: it scrolls, and a sign stands where it goes on; sentences grow smaller first. */

import { find } from "./elements.js";

/**
 * Mark where an element with this class goes on below, and let keys scroll it.
 * @param {Element} each
 */
function mark(each) {
  const below = each.scrollHeight - each.clientHeight - each.scrollTop;
  each.toggleAttribute("data-more", below > 4);
}

function markAll() {
  document.querySelectorAll(".scrolls").forEach(mark);
}

/**
 * Have the sentences and what explains the lights under them fit into their places, which are always as high together, so
 * that nothing below moves. Sentences grow smaller first; then what explains the lights does, and leaves them room of its
 * own, where it scrolls.
 */
function fit() {
  const [voice, legend] = [".voice", ".legend"].map((name) => find(name, HTMLElement));
  /** @param {HTMLElement} each */
  const lacks = (each) => each.scrollHeight - each.clientHeight;
  voice.classList.remove("much");
  legend.classList.remove("cut");
  voice.style.removeProperty("--more");
  legend.style.height = "";
  voice.classList.toggle("much", lacks(voice) > 0);
  if (lacks(voice) > 0 || lacks(legend) > 0) {
    const room = legend.getBoundingClientRect().height;
    const more = Math.min(room, lacks(voice));
    legend.classList.add("cut");
    legend.style.height = `${room - more}px`;
    voice.style.setProperty("--more", `${more}px`);
  }
  if (lacks(voice) > 1) voice.setAttribute("tabindex", "0");
  else voice.removeAttribute("tabindex");
}

/** Bring what the table says into sight: it is about to answer. */
export function reveal() {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  find(".voice", HTMLElement).scrollIntoView({ block: "nearest", behavior: still ? "instant" : "smooth" });
}

let waiting = 0;

/** Once for all changes of a frame: to measure has the browser lay the page out. */
function changed() {
  waiting ||= requestAnimationFrame(() => {
    waiting = 0;
    fit();
    markAll();
  });
}

const changes = new MutationObserver(changed);
const watched = { childList: true, characterData: true, subtree: true, attributeFilter: ["hidden", "open"] };
for (const each of document.querySelectorAll(".voice, #legend, .scrolls, dialog")) changes.observe(each, watched);
addEventListener("scroll", markAll, { capture: true, passive: true });
addEventListener("resize", changed);
new ResizeObserver(changed).observe(find(".voice", HTMLElement)); // a lesson leaves it less room
