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
 * Have the sentences over the board fit into their place, which is always as high, so that nothing below moves. They grow smaller
 * first; then what explains the lights does, and leaves them its room; on the smallest phones it scrolls.
 */
function fit() {
  const [voice, legend, tools] = [".voice", ".legend", ".tools"].map((name) => find(name, HTMLElement));
  const lacks = () => voice.scrollHeight - voice.clientHeight;
  /** @param {HTMLElement} each */
  const tall = (each) => each.getBoundingClientRect().height;
  voice.classList.remove("much");
  voice.style.removeProperty("--more");
  legend.classList.remove("cut");
  legend.style.maxHeight = "";
  voice.classList.toggle("much", lacks() > 0);
  if (lacks() > 0) {
    const before = tall(tools);
    const give = () => voice.style.setProperty("--more", `${before - tall(tools)}px`);
    legend.classList.add("cut");
    give();
    if (lacks() > 0) legend.style.maxHeight = `${tall(legend) - lacks()}px`; // then it scrolls
    give();
  }
  if (voice.scrollHeight > voice.clientHeight + 1) voice.setAttribute("tabindex", "0");
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
