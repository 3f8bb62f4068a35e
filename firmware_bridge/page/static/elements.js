/** Elements of the page: found, made, filled; and SVG texts of the server read as drawings, never as anything that runs. */

const SVG = "http://www.w3.org/2000/svg";
const LOUD = "script, foreignObject, a, iframe, animate, set";

/** The element with this id. */
export function element(id) {
  return document.getElementById(id);
}

/** An HTML element: `made("button", {type: "button"}, "Undo")`. */
export function made(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** An SVG element: `drawn("circle", {r: 3})`. */
export function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The drawing that `source` describes, hidden from screen readers; null if it is none. */
export function readDrawing(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return null;
  for (const loud of parsed.querySelectorAll(LOUD)) loud.remove();
  for (const each of [parsed, ...parsed.querySelectorAll("*")]) quieten(each);
  parsed.setAttribute("aria-hidden", "true");
  return document.importNode(parsed, true);
}

/** Without anything that would run, or that would give an id to the page a second time. */
function quieten(node) {
  for (const { name } of [...node.attributes]) {
    if (name.startsWith("on") || name === "id") node.removeAttribute(name);
  }
}

/** Replace what `node` holds. */
export function refill(node, ...children) {
  node.replaceChildren(...children.filter(Boolean));
}

/** A turn, or a list of sites joined by hyphens: lines would break behind these. */
const JOINED = /(\S*[A-Za-z]\d+-[A-Za-z]\d\S*)/;

/** Have `node` hold these words, with no line break inside of a turn. */
export function unbroken(node, words) {
  if (node.textContent === words) return;
  const parts = words.split(JOINED).filter(Boolean);
  node.replaceChildren(...parts.map((part) => (JOINED.test(part) ? made("span", { class: "whole" }, part) : part)));
}
