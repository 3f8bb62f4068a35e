/** Games that are brought, taken away, and looked back at beside the one in play: what that needs is fetched when somebody wants it. */

import { element } from "./elements.js";
import { mayAsk, on, state } from "./state.js";

element("open-bring").addEventListener("click", async () => (await import("./bring.js")).offer());
addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && mayAsk() && event.preventDefault());
addEventListener("drop", async (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file || !mayAsk()) return;
  event.preventDefault();
  (await import("./bring.js")).offer(file);
});

/** The game that the address asks for, until it is opened. */
let asked = location.search.slice(1);

on("connected page table alone", async () => {
  element("open-bring").hidden = !mayAsk();
  const { connected, page, table } = state;
  if (!/^(name|brought)=/.test(asked) || !(connected && page && table)) return;
  const query = asked;
  asked = "";
  (await import("./opened.js")).open(query);
});
