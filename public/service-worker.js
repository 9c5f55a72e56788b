/**
 * Shows kept pages (`keep.js`) when the network is gone or silent, and erases them when they no longer belong to the member of this browser.
 * With a network every page comes from the server, so a deployment never meets an old one. Where nothing is kept, a page of ours says that
 * the network is gone, and not the browser's. It is registered on a member's first screen with script.
 */

/**
 * @typedef {Event & { request: Request, clientId: string,
 *   respondWith(answer: Promise<Response>): void, waitUntil(work: Promise<unknown>): void }} WorkerEvent
 */

/** @type {any} */
const worker = self;
const base = new URL(worker.registration.scope).pathname;
const CACHE = "dormouse-kept";
/** Has the page around the list, which names no member. It stays when what was kept is erased. */
const OFFLINE_CACHE = "dormouse-offline";
/** Has what was just removed, under addresses that nothing else asks for, until the next page. */
const REMOVED_CACHE = "dormouse-removed";
const REMOVED = `${base}kept?removed=`;
const OWNER = `${base}kept/owner`;
/** Why a page did not come. */
const OFFLINE = "You seem to be offline";
const UNANSWERED = "This site isn't answering";
const MOST_DAYS = 30;
const DAY_IN_MS = 86_400_000;
/** A line that is silent for this long counts as gone where there is a kept copy. */
const SILENCE_IN_MS = 3000;
const INSTALL_IN_MS = 5000;

worker.addEventListener("install", (/** @type {WorkerEvent} */ event) => {
  worker.skipWaiting();
  // No longer than the page that waits for the worker does (`keep.js`).
  event.waitUntil(unlessSilent(storeOfflinePage(), INSTALL_IN_MS).catch(() => undefined));
});
worker.addEventListener("activate", () => {
  // Not waited for: WebKit on a busy CPU now and then does not answer, and would hold back each page of the site for 70 seconds.
  void worker.clients.claim().catch(() => undefined);
  // Workers of ours before this one enabled it. Where a preload fails Firefox shows its own error page, whatever the worker answers.
  void worker.registration.navigationPreload?.disable().catch(() => undefined);
});

/** True from a page that found nothing kept to the next that keeps something: the browser then fetches data and files by itself. */
let isEmpty = false;

worker.addEventListener("message", (/** @type {WorkerEvent} */ event) => {
  isEmpty = false;
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (/** @type {WorkerEvent} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin || !url.pathname.startsWith(base)) return;
  const path = url.pathname.slice(base.length);
  if (path === "kept" && request.mode === "navigate") event.respondWith(showKept(request));
  else if (request.mode === "navigate" && request.method === "GET") event.respondWith(navigate(request, url));
  else if (path === "positions" && request.method === "POST") event.respondWith(sendPosition(request));
  else if (isEmpty) return;
  else if (path.endsWith(".data")) event.respondWith(readData(event, url));
  else if (path.startsWith("media/")) event.respondWith(readFile(request));
});

/** Without it the worker works all the same, and the browser's own page is shown offline. */
async function storeOfflinePage() {
  const cache = await caches.open(OFFLINE_CACHE);
  await cache.add(new Request(`${base}kept`, { cache: "reload" })).catch(() => undefined);
}

/** The line is there, and our server is not. */
class ServerError extends Error {}

/**
 * Sends a member's place. Left to the browser it is lost with a page that goes to another of ours: Chromium sends what a worker does not
 * answer from the page itself. It is a request of the worker's own, because the page's is aborted with the page.
 * @param {Request} request
 */
async function sendPosition(request) {
  const { url, method, headers } = request;
  return fetch(url, { method, headers, body: await request.text() });
}

/** The address of a kept page whose data did not come: its document is not waited for again. */
let lostPage = "";

/** @param {Request} request @param {URL} url */
async function navigate(request, url) {
  await caches.delete(REMOVED_CACHE);
  isEmpty = !(await caches.has(CACHE));
  const address = `${base}kept/${toKey(url)}`;
  const isKept = (await caches.match(address)) !== undefined;
  try {
    if (url.href === lostPage) throw new TypeError("The line was lost just now.");
    return await watch(await (isKept ? fetchUnlessSilent(request) : fetchOurs(request)));
  } catch (error) {
    lostPage = "";
    await eraseIfOld();
    const page = await caches.match(address);
    const shell = await caches.match(`${base}kept`);
    if (!page && !shell) throw error;
    return page ?? listKept(/** @type {Response} */ (shell), error instanceof ServerError ? UNANSWERED : OFFLINE);
  }
}

/**
 * Data of a screen that script leads to. Without it the document of a kept page comes instead, unless that screen is shown already and was
 * only read anew.
 * @param {WorkerEvent} event @param {URL} url
 */
async function readData({ request, clientId }, url) {
  const page = new URL(base + url.search, url);
  page.searchParams.delete("_routes");
  const isKept = request.method === "GET" && (await caches.match(`${base}kept/${toKey(page)}`)) !== undefined;
  if (!isKept) return watch(await fetch(request));
  try {
    return await watch(await fetchUnlessSilent(request));
  } catch (error) {
    const client = await worker.clients.get(clientId);
    if (client && client.url !== page.href) {
      lostPage = page.href;
      await client.navigate(lostPage);
    }
    throw error;
  }
}

/**
 * The answer of the network: all of it, but for the parts of a file, which a player plays while they come.
 * @param {Request} request
 * @throws when the line is gone or falls silent, or with any error of a server, because a kept copy is better: the request is then aborted,
 * because hung requests would hold later ones back
 */
async function fetchUnlessSilent({ url, headers, redirect }) {
  const ending = new AbortController();
  try {
    // Not the request itself: a copy of a navigation cannot be aborted, and a copy of a request for a file loses its range.
    const response = await unlessSilent(fetch(url, { headers, redirect, signal: ending.signal }));
    if (response.status >= 500) throw new ServerError();
    const reader = response.clone().body?.getReader();
    if (!reader || headers.has("Range")) return response;
    let end = "";
    for (;;) {
      const { done, value } = await unlessSilent(reader.read());
      if (done) break;
      end = (end + new TextDecoder().decode(value.subarray(-20))).slice(-20);
    }
    // Firefox takes the end of the connection for the end of a page.
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
    if (isPage && !end.trimEnd().endsWith("</html>")) throw new TypeError("The line was cut.");
    return response;
  } catch (error) {
    ending.abort();
    throw error;
  }
}

/**
 * The answer of the network, which may be an error page of ours.
 * @param {Request} request
 * @throws when the line is gone, or what stands before our server answers with an error of its own
 */
async function fetchOurs(request) {
  const response = await fetch(request);
  if (response.status >= 500 && !response.headers.has("X-Dormouse")) throw new ServerError();
  return response;
}

/**
 * @template Answer
 * @param {Promise<Answer>} work
 * @throws when nothing comes of it in time
 */
async function unlessSilent(work, ms = SILENCE_IN_MS) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TypeError("The line is silent.")), ms);
  });
  try {
    return /** @type {Answer} */ (await Promise.race([work, silence]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Looks at whose page it is: another member's, one of a member without access, or the log-in page, which only visitors get.
 * @param {Response} response
 */
async function watch(response) {
  const path = new URL(response.url || base, worker.location.href).pathname.slice(base.length);
  const isVisitors = response.ok && /^(?:login|signup)(?:\.data)?$/.test(path);
  const owner = response.headers.get("X-Kept-For");
  if (!isVisitors && !owner) return response;
  const known = await (await caches.match(OWNER))?.json();
  if (!known) return response;
  if (isVisitors || known.owner !== owner) await erase();
  else await (await caches.open(CACHE)).put(OWNER, new Response(JSON.stringify({ owner, seenAt: Date.now() })));
  return response;
}

async function eraseIfOld() {
  const known = await (await caches.match(OWNER))?.json();
  if (known && Date.now() - known.seenAt > MOST_DAYS * DAY_IN_MS) await erase();
}

async function erase() {
  await caches.delete(CACHE);
  await caches.delete(REMOVED_CACHE);
}

/** Takes all that is kept out of the cache, from where `bringBack` gets it. */
async function remove() {
  const [from, to] = [await caches.open(CACHE), await caches.open(REMOVED_CACHE)];
  for (const request of await from.keys()) {
    const response = await from.match(request);
    if (response) await to.put(REMOVED + encodeURIComponent(request.url), response);
  }
  await caches.delete(CACHE);
}

async function bringBack() {
  const [from, to] = [await caches.open(REMOVED_CACHE), await caches.open(CACHE)];
  for (const request of await from.keys()) {
    const response = await from.match(request);
    const url = new URL(request.url).searchParams.get("removed");
    if (response && url) await to.put(url, response);
  }
  await caches.delete(REMOVED_CACHE);
}

/**
 * The kept copy of the page at an address.
 * @param {URL} url
 */
function toKey({ pathname, searchParams }) {
  const path = pathname.slice(base.length);
  if (path.startsWith("kept/")) return path.slice("kept/".length);
  const view = searchParams.get("view");
  // Awake now had an address with `view` until November 2026, which history may still have.
  if (path === "awake" || view === "awake") return "awake";
  return `${view === "favourites" ? searchParams.get("kind") : view}-${searchParams.get("item")}`;
}

/**
 * The list, after removing all of it or bringing it back where one of its forms was sent.
 * @param {Request} request
 */
async function showKept(request) {
  const last = await caches.match(`${base}kept`);
  const isUndo = new URL(request.url).search === "?undo";
  if (request.method !== "POST") await caches.delete(REMOVED_CACHE);
  else await (isUndo ? bringBack() : remove());
  await eraseIfOld();
  const list = new Request(`${base}kept`);
  const shell = await (last ? fetchUnlessSilent(list) : fetch(list)).catch(() => last);
  return shell ? listKept(shell) : Response.error();
}

/**
 * @param {Response} shell the page around the list
 * @param {string} [reason] why a page did not come, for which it stands
 */
async function listKept(shell, reason) {
  const page = await shell.text();
  const [, heading = ""] = /<h1>([^<]*)<\/h1>/.exec(page) ?? [];
  const links = await listLinks();
  const list =
    links.length > 0
      ? `<h1>${heading}</h1><p>${reason ? `${reason}. ` : ""}Saved for offline:</p>
         <ul>${links.join("")}</ul>
         <form method="post" action="${base}kept"><button>Remove all</button></form>`
      : emptyText(heading, reason) + (await undoForm());
  const html = page.replace(/<!--kept-->.*<!--\/kept-->/s, () => list);
  return new Response(html, { headers: shell.headers });
}

/**
 * One sentence, one way on and one suggestion, where nothing is kept.
 * @param {string} heading such as "On this phone" @param {string} [reason]
 */
function emptyText(heading, reason) {
  const suggestion = `Open an article or sound and tap “Keep ${heading.toLowerCase()}”.`;
  return reason
    ? `<h1>${reason}</h1><p>We couldn't reach the page, and nothing is saved ${heading.toLowerCase()} yet. ${suggestion}</p>
       <p><a class="another" href="">Try again</a></p>`
    : `<h1>${heading}</h1><p>Nothing saved yet. ${suggestion}</p>`;
}

async function undoForm() {
  const isThere = await caches.has(REMOVED_CACHE);
  return isThere ? `<form method="post" action="${base}kept?undo"><button>Undo</button></form>` : "";
}

async function listLinks() {
  if (!(await caches.has(CACHE))) return [];
  const cache = await caches.open(CACHE);
  /** @type {string[]} */
  const links = [];
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(`${base}kept/`) || pathname === OWNER) continue;
    const html = (await (await cache.match(request))?.text()) ?? "";
    const [, title] = /<title>(.*?) – [^–]*<\/title>/.exec(html) ?? [];
    links.push(`<li><a href="${pathname}">${title ?? "Untitled"}</a></li>`);
  }
  return links;
}

/**
 * A kept file, where the network does not give it; in parts, as players request them.
 * @param {Request} request
 */
async function readFile(request) {
  const kept = await caches.match(request.url);
  if (!kept) return fetch(request);
  try {
    return endWithKept(await fetchUnlessSilent(request), kept);
  } catch {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("Range") ?? "") ?? [];
    if (from === undefined) return kept;
    const whole = await kept.blob();
    const end = Math.min(to ? Number(to) : whole.size - 1, whole.size - 1);
    return new Response(whole.slice(Number(from), end + 1), {
      status: 206,
      headers: {
        "Content-Type": kept.headers.get("Content-Type") ?? "",
        "Content-Range": `bytes ${from}-${end}/${whole.size}`,
        "Content-Length": String(end + 1 - Number(from)),
      },
    });
  }
}

/**
 * A part of a file, which goes on from the kept copy where the line breaks or falls silent, as long as both are the same file.
 * @param {Response} response @param {Response} kept
 */
function endWithKept(response, kept) {
  const { status, headers, body } = response;
  const [, from, to] = /^bytes (\d+)-(\d+)/.exec(headers.get("Content-Range") ?? "") ?? [];
  if (!body || from === undefined || !headers.has("ETag") || headers.get("ETag") !== kept.headers.get("ETag"))
    return response;
  const reader = body.getReader();
  let at = Number(from);
  /** @param {ReadableStreamDefaultController} controller */
  async function pull(controller) {
    try {
      const { done, value } = await unlessSilent(reader.read());
      if (done && at > Number(to)) return controller.close();
      if (done) throw new TypeError("The line was cut.");
      at += value.length;
      controller.enqueue(value);
    } catch {
      const rest = (await kept.blob()).slice(at, Number(to) + 1);
      controller.enqueue(new Uint8Array(await rest.arrayBuffer()));
      controller.close();
      await reader.cancel().catch(() => undefined);
    }
  }
  return new Response(new ReadableStream({ pull, cancel: () => reader.cancel() }), { status, headers });
}
