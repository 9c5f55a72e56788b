/**
 * Keeps pages in this browser for use without a network. Its file name never changes, so a page from before a deployment finds it too.
 */

const base = new URL(".", import.meta.url).pathname;
const CACHE = "dormouse-kept";
const OWNER = `${base}kept/owner`;
const LEAST_ROOM = 5_000_000;

/** Browsers of phones, and no others, say that they are mobile (MDN, “Browser detection using the user agent”). */
const THIS = /\bMobi/.test(navigator.userAgent) ? "this phone" : "this device";

/** Whether this browser can keep pages, and has space as far as it says: Safari before 17 and WebKitGTK do not say. */
export async function canKeep() {
  if (!("serviceWorker" in navigator && "caches" in window)) return false;
  const { quota = LEAST_ROOM, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota - usage >= LEAST_ROOM;
}

/** @param {string} key such as `read-1001`, or `awake` */
export async function isKept(key) {
  return (await caches.match(`${base}kept/${key}`)) !== undefined;
}

/**
 * Keeps a page with its files.
 * @param {string} key
 * @throws when it cannot be fetched, or there is no space; then nothing of it stays.
 */
export async function keep(key) {
  const registration = await navigator.serviceWorker.register(`${base}service-worker.js`, { updateViaCache: "none" });
  const page = await fetch(`${base}kept/${key}`, { redirect: "error" });
  const owner = page.headers.get("X-Kept-For");
  if (!page.ok || !owner) throw new Error("This cannot be kept.");
  // Erase another member's kept pages first.
  const known = await (await caches.match(OWNER))?.json();
  if (known && known.owner !== owner) await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  try {
    const files = (page.headers.get("X-Kept-Files") ?? "").split(",").filter((file) => file !== "");
    // Past the browser's own cache, which may have parts of a played file: Firefox answers with one of them (206), which is refused here.
    const wanted = [`${base}kept`, ...withoutSpare(files)].map((file) => new Request(file, { cache: "reload" }));
    await cache.addAll(wanted);
    await cache.put(OWNER, new Response(JSON.stringify({ owner, seenAt: Date.now() })));
    await cache.put(`${base}kept/${key}`, page);
    await claimWith(registration);
  } catch (error) {
    await forget(key);
    throw error;
  }
}

/**
 * Lets the worker show this page, too, which may have begun to load before there was one.
 * @param {ServiceWorkerRegistration} registration
 * @throws when its worker cannot start; nothing kept would be shown then.
 */
async function claimWith({ active, waiting, installing }) {
  const worker = active ?? waiting ?? installing;
  if (!worker || !(await isActivated(worker))) throw new Error("The worker cannot start.");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  worker.postMessage("claim");
}

/**
 * Waits until the worker has started, or has failed to.
 * @param {ServiceWorker} worker
 * @returns {Promise<boolean>}
 */
async function isActivated(worker) {
  if (worker.state === "activated" || worker.state === "redundant") return worker.state === "activated";
  await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
  return isActivated(worker);
}

/**
 * A recording may come in two formats, of which one is enough.
 * @param {string[]} files
 */
function withoutSpare(files) {
  if (!files.some((file) => file.endsWith(".opus"))) return files;
  const spare = new Audio().canPlayType("audio/ogg; codecs=opus") === "" ? ".opus" : ".m4a";
  return files.filter((file) => !file.endsWith(spare));
}

/**
 * Erases a page, and the files that no other page needs.
 * @param {string} key
 */
export async function forget(key) {
  const cache = await caches.open(CACHE);
  await cache.delete(`${base}kept/${key}`);
  const pages = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  const needed = new Set(pages.flatMap((page) => page?.headers.get("X-Kept-Files")?.split(",") ?? []));
  for (const { url } of await cache.keys()) {
    const path = new URL(url).pathname;
    const file = url.slice(url.indexOf(path));
    if (path.startsWith(`${base}media/`) && !needed.has(file)) await cache.delete(url);
  }
}

/**
 * Puts a button into a place of the page, which keeps and erases the item that the place names. Where this browser cannot keep pages, the
 * place stays empty.
 * @param {HTMLElement} place
 */
export async function offer(place) {
  const { keep: key = "", look = "" } = place.dataset;
  if (!(await canKeep())) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = look;
  let kept = await isKept(key);
  /** @param {string} [label] */
  const say = (label = kept ? "Kept. Remove it" : `Keep on ${THIS}`) => (button.textContent = label);
  const toggle = async () => {
    say(kept ? "Removing…" : "Keeping…");
    try {
      await (kept ? forget(key) : keep(key));
      kept = !kept;
      say();
    } catch {
      say("It could not be kept. Try again");
    }
  };
  say();
  button.addEventListener("click", () => void toggle());
  place.replaceChildren(button);
}

// Awake now and kept pages; the dashboard calls `offer` for the places in its own.
for (const place of document.querySelectorAll("body > footer [data-keep]")) {
  if (place instanceof HTMLElement) void offer(place).catch(() => undefined);
}

// Tells automated tests that script handles clicks from now on.
document.documentElement.dataset.enhanced = "";
