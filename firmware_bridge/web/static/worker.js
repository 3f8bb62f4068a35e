/**
 * The page without its table: a service worker that keeps the files of the page, and answers with them when the table
 * does not. While it does answer, all comes from there, so that no old page stays.
 */

const KEPT = "page";
/** Milliseconds after which a table that says nothing counts as away; a guess. */
const PATIENCE = 4000;
/** What is kept: the page, that for a screen beside the board, and their files; no record and no report. */
const OURS = /^\/($|beside$|static\/)/;

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok) await kept.put(request, response.clone());
    return response;
  } catch (fault) {
    const known = await kept.match(request, { ignoreSearch: true });
    if (known) return known;
    throw fault;
  }
}

/**
 * What the worker hears: the types that browsers have for it are not those of a page.
 * @typedef {Event & { request: Request, data: string[], respondWith: (answer: Promise<Response>) => void,
 *   waitUntil: (work: Promise<unknown>) => void }} Heard
 */
const worker = /** @type {{ skipWaiting: () => void, clients: { claim: () => Promise<void> },
  addEventListener: (name: string, hear: (event: Heard) => void) => void }} */ (/** @type {unknown} */ (self));

worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !OURS.test(pathname)) return;
  event.respondWith(answer(event.request));
});
worker.addEventListener("message", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(event.data)));
});
worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
