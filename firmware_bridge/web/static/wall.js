/**
 * The wall: all boards at a broker, and the results of an evening. It asks for nothing and changes nothing; what it shows comes
 * over one WebSocket, which comes back by itself.
 */

import { shown, told as written } from "./counting.js";
import { all, drawn, element, find, made, readDrawing, refill, tell } from "./elements.js";
import { fit } from "./geometry.js";
import { heap, seeds, shades, stone } from "./pieces.js";
import { change, clock, state } from "./state.js";
import { fillWords, text } from "./words.js";

/** @import { BoardForm, ClocksForm, GroundsForm, PageForm, RoundForm, RowForm, SeenForm, WallForm } from "../types.d.ts" */

/** Seconds before the line is opened again, at first and at most. */
const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 8;
/** How narrow a board may become, in sizes of the type: below that they are scrolled. */
const NARROWEST = 9;

/** @type {Record<string, BoardForm>} */
let grounds = {};
/** @type {WallForm | null} */
let wall = null;
/** Whether the line stands. */
let connected = false;
/** When the wall was told last, by the clock of this page; when the line was lost: clocks stand then. */
let received = 0;
let left = 0;
let wait = FIRST_WAIT;
/** What is drawn, by who plays: from what, and the element. @type {Map<string, { from: string, board: SeenForm, node: HTMLElement }>} */
let tiles = new Map();

// The line -------------------------------------------------------------------------------------------------

function connect() {
  const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live${location.search}`);
  line.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  line.addEventListener("close", () => {
    if (connected) left = clock();
    connected = false;
    draw();
    setTimeout(connect, wait * (750 + Math.random() * 500));
    wait = Math.min(LONGEST_WAIT, wait * 2);
  });
}

/** @param {PageForm | GroundsForm | WallForm} told */
function hear(told) {
  if (told.kind === "page") {
    change({ page: told });
    document.documentElement.lang = told.language;
    fillWords();
  } else if (told.kind === "grounds") grounds = told.boards;
  else {
    [wall, connected, wait, received] = [told, true, FIRST_WAIT, clock()];
    draw();
  }
}

// The boards -----------------------------------------------------------------------------------------------

function draw() {
  if (!state.page) return;
  drawNotice();
  if (!wall) return;
  const { title, round, over, rounds, boards, table } = wall;
  tell(element("title"), title);
  document.title = ["Tablelight", title].filter(Boolean).join(" ");
  tell(element("round"), over ? text("done") : round ? text("round", { number: round, count: rounds.length }) : "");
  element("beside").hidden = !rounds.length;
  /** @type {typeof tiles} */
  const next = new Map();
  for (const [place, board] of boards.entries()) {
    const key = [...board.names, board.round, board.round ? "" : place, board.key].join("\n");
    const from = JSON.stringify([board, state.page.language]);
    const before = tiles.get(key);
    next.set(key, before?.from === from ? before : { from, board, node: tile(board) });
  }
  tiles = next;
  countDown();
  refill(element("boards"), ...[...tiles.values()].map(({ node }) => node));
  const near = over || !round ? [] : [round, round + 1].filter((number) => number <= rounds.length);
  const lists = near.flatMap((number) => [made("h2", {}, text("round", { number, count: rounds.length })), roundList(rounds[number - 1])]);
  refill(element("rounds"), ...lists);
  refill(element("cross"), ...(table.length ? [crossTable(table)] : []));
  arrange();
}

function drawNotice() {
  const lost = connected ? (wall?.lost ?? "") : text(wall ? "unserved" : "connecting");
  const waits = wall && !wall.boards.length && !wall.over ? text("waiting") : "";
  const late = wall?.delay ? text("delayed", { seconds: wall.delay }) : "";
  const notice = element("notice");
  tell(notice, [lost, waits, late].filter(Boolean).join(" "));
  notice.hidden = !notice.textContent;
  notice.classList.toggle("lost", Boolean(lost));
}

/** @param {SeenForm} board */
function tile(board) {
  const { names, told, result, fault, turns, last } = board;
  const [first, second] = [0, 1].map((side) => called(board, side));
  const seen = drawBoard(board);
  seen.setAttribute("aria-label", text("board", { first, second, told }));
  const how = made("p", { class: "told" }, ...(result ? [made("b", {}, result), " "] : []), told);
  const more = made("p", { class: "small" }, fault || (result ? text("turns", { count: turns }) : last && text("last", { turn: last })));
  const node = made("article", { class: "seen", "data-names": names.join("\n") }, player(board, 1), seen, player(board, 0), how, more);
  node.classList.toggle("over", Boolean(result));
  node.classList.toggle("fault", Boolean(fault));
  return node;
}

/**
 * Who plays a side: by name, else what the side is called.
 * @param {SeenForm} board
 * @param {number} side
 */
function called({ names, sides }, side) {
  return names[side] || sides[side];
}

/**
 * A player's line: a lamp that is lit while it is their turn, their stone, name, time, and whether their table has gone.
 * @param {SeenForm} board
 * @param {number} side
 */
function player(board, side) {
  const { own, side: moves, clocks, flag, away, names, sides } = board;
  const colour = own[side];
  const line = made("p", { class: "plays" }, made("span", { class: "lamp" }));
  if (colour) line.append(drawn("svg", { viewBox: "-36 -36 72 72", "aria-hidden": "true" }, stone(colour, 100)));
  line.append(made("span", { class: "who" }, called(board, side)));
  if (names[side] && !colour) line.append(made("span", { class: "small" }, sides[side]));
  if (moves === side) line.append(made("span", { class: "unseen" }, text("to-move")));
  if (away[side]) line.append(made("span", { class: "gone" }, text("away")));
  if (flag === side) line.append(made("span", { class: "gone flag" }, text("flag")));
  if (clocks) line.append(made("span", { class: "clock", "data-side": side }));
  line.classList.toggle("turn", moves === side);
  return line;
}

let ticking = 0;

/** Have the clocks show what is left now, and go on while one of them runs. */
function countDown() {
  clearTimeout(ticking);
  if (!wall) return;
  const at = wall.clock + (connected ? clock() : left) - received;
  let runs = false;
  for (const { board: { clocks }, node } of tiles.values()) {
    if (!clocks) continue;
    for (const each of all(".clock", HTMLElement, node)) drawClock(each, clocks, at);
    runs ||= clocks.since !== null;
  }
  if (runs && connected) ticking = setTimeout(countDown, 100);
}

/**
 * @param {HTMLElement} each
 * @param {ClocksForm} clocks
 * @param {number} at seconds of the wall's clock
 */
function drawClock(each, clocks, at) {
  const side = Number(each.dataset.side);
  const [seconds, periods] = shown(clocks, side, at);
  const key = `${written(seconds)} ${periods}`;
  if (each.dataset.told === key) return;
  each.dataset.told = key;
  each.classList.toggle("runs", clocks.since !== null && clocks.side === side);
  refill(each, made("b", {}, written(seconds)), periods ? made("small", {}, text("periods", { count: periods, seconds: clocks.period })) : null);
}

/**
 * A board in its own geometry, with what lies on it.
 * @param {SeenForm} board
 */
function drawBoard({ key, pieces, levels, marks, changed, beside }) {
  const board = grounds[key];
  const [, , width, height] = board.box;
  const size = board.pitch * fit(board);
  const stage = drawn("svg", { viewBox: board.box.join(" "), role: "img", class: "stage" });
  stage.style.setProperty("--ratio", String(width / height));
  const ground = readDrawing(board.ground);
  if (ground) stage.append(drawn("g", { class: "ground" }, ...ground.children));
  (board.stores ?? []).forEach(([x, y, wide, high], side) => {
    const count = beside?.[side] ?? 0;
    if (pieces === "stones") stage.append(...heap([x, y, wide, high], side, count));
    else {
      const number = drawn("text", { x: x + wide / 2, y: y + high / 2, "font-size": 0.5 * board.pitch, class: "count" });
      number.textContent = String(count);
      stage.append(number);
    }
  });
  Object.entries(board.at).forEach(([name, [x, y]], place) => {
    const level = levels[place];
    const group = drawn("g", { class: "site", transform: `translate(${x} ${y})`, "data-site": name, "data-level": level });
    if (level || pieces === "seeds") group.append(pieces === "seeds" ? seeds(level, size) : stone(level, size, true, marks[name] ?? ""));
    if (changed.includes(place)) group.append(drawn("circle", { r: 0.45 * size, class: "fresh" }));
    stage.append(group);
  });
  return stage;
}

/** Have the boards as large as their place has room for: so many beside each other as makes them largest. */
function arrange() {
  const place = element("boards");
  for (let pass = 0; pass < 2; pass += 1) { // what is written under a board takes more lines where that is narrow
    const { columns, size } = largest(place);
    place.style.setProperty("--columns", String(columns));
    place.style.setProperty("--board", `${size}px`);
  }
}

/**
 * How many boards stand beside each other so that they are largest, and how wide they are then.
 * @param {HTMLElement} place
 */
function largest(place) {
  const { fontSize, columnGap } = getComputedStyle(place);
  const [type, gap] = [parseFloat(fontSize), parseFloat(columnGap) || 0];
  const { clientWidth: wide, clientHeight: high } = place;
  const nodes = [...place.children].map((node) => /** @type {HTMLElement} */ (node));
  const boards = nodes.map((node) => find(".stage", SVGSVGElement, node));
  const words = Math.max(0, ...nodes.map((node, number) => node.offsetHeight - boards[number].getBoundingClientRect().height));
  const ratio = Math.min(...boards.map(({ viewBox: { baseVal: box } }) => box.width / box.height));
  const ways = nodes.map((_, number) => {
    const [columns, rows] = [number + 1, Math.ceil(nodes.length / (number + 1))];
    const across = (wide - (columns - 1) * gap) / columns;
    return { columns, size: Math.min(across, ((high - (rows - 1) * gap) / rows - words - gap) * ratio) };
  });
  const best = ways.reduce((one, other) => (other.size > one.size ? other : one), { columns: 1, size: 0 });
  return { columns: best.columns, size: Math.max(best.size, NARROWEST * type) };
}

// The evening ----------------------------------------------------------------------------------------------

/** @param {RoundForm} round */
function roundList({ games, bye }) {
  const lines = games.map(({ names: [first, second], result, told }) =>
    made("li", {}, made("span", {}, `${first} – ${second}`), " ", result ? made("b", {}, result) : made("span", { class: "small" }, told)));
  if (bye) lines.push(made("li", { class: "small" }, text("bye", { player: bye })));
  return made("ol", {}, ...lines);
}

/** @param {RowForm[]} rows */
function crossTable(rows) {
  const head = made("tr", {}, made("th", { scope: "col" }, made("span", { class: "unseen" }, text("place"))), made("th", { scope: "col" }, text("player")));
  for (const each of rows.keys()) head.append(made("th", { scope: "col", class: "part" }, String(each + 1)));
  head.append(made("th", { scope: "col", class: "sum" }, text("points")), made("th", { scope: "col", class: "sum" }, text("tie")));
  const lines = rows.map(({ place, name, results, points, tie }, line) => {
    const cells = results.map((each, other) => made("td", { class: other === line ? "part self" : "part" }, other === line ? "" : each));
    return made("tr", {}, made("td", {}, String(place)), made("th", { scope: "row" }, name), ...cells, made("td", { class: "sum" }, made("b", {}, points)), made("td", { class: "sum" }, tie));
  });
  return made("table", {}, made("caption", {}, text("cross")), made("thead", {}, head), made("tbody", {}, ...lines));
}

document.body.append(drawn("svg", { width: 0, height: 0, class: "shades", "aria-hidden": "true" }, shades()));
new ResizeObserver(arrange).observe(element("boards"));
connect();
