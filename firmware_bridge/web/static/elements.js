/**
 * Elements of the page: found, made, filled; and SVG texts of the server read as drawings, never as anything that runs.
 */

const SVG = "http://www.w3.org/2000/svg";
const LOUD = "script, foreignObject, a, iframe, animate, set";

/**
 * `node`, if it is a `kind`; else an Error that says what `name` should have been.
 * @template {EventTarget} T
 * @param {EventTarget | null} node
 * @param {new () => T} kind
 * @param {string} name
 * @returns {T}
 */
export function being(node, kind, name) {
  if (node instanceof kind) return node;
  throw new Error(`${name} is ${node ? "no" : "missing, a"} ${kind.name}`);
}

/**
 * The element with this id; an Error if there is none.
 * @param {string} id
 */
export function element(id) {
  return being(document.getElementById(id), HTMLElement, `#${id}`);
}

/**
 * The first element under `within` that a selector matches; an Error if there is none, or if it is no `kind`.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} within
 * @returns {T}
 */
export function find(selector, kind, within = document) {
  return being(within.querySelector(selector), kind, selector);
}

/**
 * All elements that a selector matches; an Error if one is no `kind`.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} within
 * @returns {T[]}
 */
export function all(selector, kind, within = document) {
  return [...within.querySelectorAll(selector)].map((each) => being(each, kind, selector));
}

/**
 * An HTML element: `made("button", {type: "button"}, "Undo")`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function made(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * An SVG element: `drawn("circle", {r: 3})`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * The drawing that `source` describes, hidden from screen readers; null if it is none.
 * @param {string} source
 */
export function readDrawing(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return null;
  for (const loud of parsed.querySelectorAll(LOUD)) loud.remove();
  for (const each of [parsed, ...parsed.querySelectorAll("*")]) quieten(each);
  parsed.setAttribute("aria-hidden", "true");
  return document.importNode(parsed, true);
}

/**
 * Without anything that would run, or that would give an id to the page a second time.
 * @param {Element} node
 */
function quieten(node) {
  for (const { name } of [...node.attributes]) {
    if (name.startsWith("on") || name === "id") node.removeAttribute(name);
  }
}

/**
 * Replace what `node` holds; of what is null nothing is seen.
 * @param {Element} node
 * @param {...(Node | string | null)} children
 */
export function refill(node, ...children) {
  node.replaceChildren(...children.filter((each) => each !== null));
}

/**
 * Have `node` hold these words. Writing the same ones again would have the browser lay the page out for nothing.
 * @param {Element} node
 * @param {string} words
 */
export function tell(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/** A turn, or a list of sites joined by hyphens: lines would break behind these. */
const JOINED = /(\S*[A-Za-z]\d+-[A-Za-z]\d\S*)/;

/**
 * Have `node` hold these words, with no line break inside of a turn.
 * @param {Element} node
 * @param {string} words
 */
export function unbroken(node, words) {
  if (node.textContent === words) return;
  const parts = words.split(JOINED).filter(Boolean);
  node.replaceChildren(...parts.map((part) => (JOINED.test(part) ? made("span", { class: "whole" }, part) : part)));
}
