/** What is fetched once it is wanted: games are shared, brought, looked back at, played with another table. */

import { all, element } from "./elements.js";
import { later } from "./later.js";
import { afterwards, mayAsk, on, state } from "./state.js";

element("open-share").addEventListener("click", () => later(import("./share.js"), ({ share }) => share()));
element("try").addEventListener("click", () => later(import("./share.js"), ({ playOn }) => playOn()));
element("open-bring").addEventListener("click", () => later(import("./bring.js"), (bring) => bring.offer()));
const pairs = all("[data-text=pair]", HTMLElement);
for (const each of pairs) each.addEventListener("click", () => later(import("./pair.js"), (pair) => pair.offer()));
addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && mayAsk() && event.preventDefault());
addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file || !mayAsk()) return;
  event.preventDefault();
  void later(import("./bring.js"), (bring) => bring.offer(file));
});

/** What the address asks for, until it is shown. */
let asked = location.search.slice(1);

function come() {
  const { connected, page, table } = state;
  if (!(connected && page && table)) return;
  const query = asked;
  asked = "";
  if (/^(name|brought)=/.test(query)) void later(import("./opened.js"), ({ open }) => open(query));
  else if (query.startsWith("pair=")) void later(import("./pair.js"), (pair) => pair.offer(query));
  else if (new URLSearchParams(query).has("position")) void later(import("./share.js"), (share) => share.come(query));
}

function offer() {
  const { opened, story, table, viewing } = state;
  if (table?.left) void later(import("./back.js"), () => {});
  const ended = story?.outcome ?? null;
  const last = story?.turns.length ?? 0;
  const whence = viewing !== null && (viewing < last || ended === null);
  element("try").hidden = !((ended !== null || opened) && whence && table && mayAsk());
  for (const each of [element("open-bring"), ...pairs]) each.hidden = !mayAsk();
}

afterwards("viewing story table page connected alone opened", offer);
on("connected page table", come);
