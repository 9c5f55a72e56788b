/**
 * Shows kept pages (`keep.js`) when the network is gone, and erases them when they no longer belong to the member of this browser. With a
 * network every page comes from the server, so a deployment never meets an old one. It is registered when a member first keeps something.
 */

/** @typedef {Event & { request: Request, respondWith(answer: Promise<Response>): void, waitUntil(work: Promise<unknown>): void }} WorkerEvent */

/** @type {any} */
const worker = self;
const base = new URL(worker.registration.scope).pathname;
const CACHE = "dormouse-kept";
const OWNER = `${base}kept/owner`;
const MOST_DAYS = 30;
const DAY_IN_MS = 86_400_000;

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {WorkerEvent} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (/** @type {WorkerEvent} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin || !url.pathname.startsWith(base)) return;
  const path = url.pathname.slice(base.length);
  if (path === "kept" && request.mode === "navigate") event.respondWith(showKept(request));
  else if (request.mode === "navigate" && request.method === "GET") event.respondWith(navigate(request, url));
  else if (path.endsWith(".data")) event.respondWith(fetch(request).then(watch));
  else if (path.startsWith("media/")) event.respondWith(readFile(request));
});

/** @param {Request} request @param {URL} url */
async function navigate(request, url) {
  try {
    return await watch(await fetch(request));
  } catch (error) {
    await eraseIfOld();
    const page = await caches.match(`${base}kept/${keyOf(url)}`);
    const shell = await caches.match(`${base}kept`);
    if (!page && !shell) throw error;
    return page ?? listKept("You seem to be offline. ", /** @type {Response} */ (shell));
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
  if (isVisitors || known.owner !== owner) await caches.delete(CACHE);
  else await (await caches.open(CACHE)).put(OWNER, new Response(JSON.stringify({ owner, seenAt: Date.now() })));
  return response;
}

async function eraseIfOld() {
  const known = await (await caches.match(OWNER))?.json();
  if (known && Date.now() - known.seenAt > MOST_DAYS * DAY_IN_MS) await caches.delete(CACHE);
}

/**
 * What is kept of the page at an address.
 * @param {URL} url
 */
function keyOf({ pathname, searchParams }) {
  const path = pathname.slice(base.length);
  if (path.startsWith("kept/")) return path.slice("kept/".length);
  const view = searchParams.get("view");
  if (view === "awake") return "awake";
  return `${view === "favourites" ? searchParams.get("kind") : view}-${searchParams.get("item")}`;
}

/**
 * The list, after erasing all of it where its form was sent.
 * @param {Request} request
 */
async function showKept(request) {
  const last = await caches.match(`${base}kept`);
  if (request.method === "POST") await caches.delete(CACHE);
  await eraseIfOld();
  const shell = await fetch(`${base}kept`).catch(() => last);
  return shell ? listKept("", shell) : Response.error();
}

/**
 * @param {string} sentence before the list
 * @param {Response} shell the page around it
 */
async function listKept(sentence, shell) {
  const links = await listLinks();
  const list =
    links.length > 0
      ? `<p>${sentence}You can read and hear this without a network:</p><ul>${links.join("")}</ul>
         <form method="post" action="${base}kept"><button>Remove all of it</button></form>`
      : `<p>${sentence}Nothing is kept here.</p>`;
  const html = (await shell.text()).replace(/<!--kept-->.*<!--\/kept-->/s, () => list);
  return new Response(html, { headers: shell.headers });
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
 * A file of what is kept, where the network does not give it; in parts, as players ask for them.
 * @param {Request} request
 */
async function readFile(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request.url);
    if (!kept) throw error;
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
