/**
 * Keeps pages in this browser for use without a network. Its file name never changes, so a page from before a deployment finds it too.
 */

const base = new URL(".", import.meta.url).pathname;
const CACHE = "dormouse-kept";
const OWNER = `${base}kept/owner`;
const LEAST_ROOM = 5_000_000;
/** How long a worker may take to start. */
const PATIENCE_IN_MS = 10_000;
/** The second one gets longer: on a busy CPU, where a page takes 20 s to load, a worker may only be slow. */
const LAST_PATIENCE_IN_MS = 30_000;

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
    const wanted = [`${base}kept`, ...files.map(choose)].map((file) => new Request(file, { cache: "reload" }));
    await cache.addAll(wanted);
    await cache.put(OWNER, new Response(JSON.stringify({ owner, seenAt: Date.now() })));
    await cache.put(`${base}kept/${key}`, page);
    // Lets it show this page, too, which may have begun to load before there was a worker.
    const worker = await startWorker();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
    worker.postMessage("claim");
  } catch (error) {
    await forget(key);
    throw error;
  }
}

/**
 * Starts the worker that shows what is kept. One that hangs is begun anew: WebKit on a busy CPU now and then never tells a worker to go on.
 * @returns {Promise<ServiceWorker>}
 * @throws when it does not start either way; nothing kept would be shown then.
 */
async function startWorker() {
  try {
    return await unlessSlow(register("service-worker.js"));
  } catch {
    // One that hangs may not end, either: it is then left behind.
    await unlessSlow(unregister()).catch(() => undefined);
    // By its own address a browser would go on with the one that hangs (Service Workers, “Register” and “Try Clear Registration”).
    return unlessSlow(register("service-worker.js?again"), LAST_PATIENCE_IN_MS);
  }
}

/** @param {string} file */
async function register(file) {
  const options = /** @type {const} */ ({ updateViaCache: "none" });
  const { active, waiting, installing } = await navigator.serviceWorker.register(base + file, options);
  const worker = active ?? waiting ?? installing;
  if (!worker || !(await isActivated(worker))) throw new Error("The worker cannot start.");
  return worker;
}

async function unregister() {
  await (await navigator.serviceWorker.getRegistration(base))?.unregister();
}

/**
 * @template Answer
 * @param {Promise<Answer>} work
 * @returns {Promise<Answer>}
 * @throws when nothing comes of it in time
 */
function unlessSlow(work, ms = PATIENCE_IN_MS) {
  const end = new Promise((_, reject) => setTimeout(reject, ms, new Error("The worker hangs.")));
  return Promise.race([work, end]);
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
 * One of the two files that a recording may have: the one that the player tries first (`app/player/core/sources.ts`), where it is AAC.
 * @param {string} file or two, with a bar between them
 */
function choose(file) {
  const [first = "", second] = file.split("|");
  return second && new Audio().canPlayType("audio/mp4; codecs=mp4a.40.2") === "" ? second : first;
}

/**
 * Erases a page, and the files that no other page needs.
 * @param {string} key
 * @returns {Promise<() => Promise<void>>} brings all of it back, also without a network, as long as this page is open
 */
export async function forget(key) {
  const cache = await caches.open(CACHE);
  /** @type {[Request | string, Response][]} */
  const erased = [];
  /** @param {string} address */
  const erase = async (address) => {
    const response = await cache.match(address);
    if (response) erased.unshift([address, response]);
    await cache.delete(address);
  };
  await erase(`${base}kept/${key}`);
  const pages = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  const needed = new Set(pages.flatMap((page) => page?.headers.get("X-Kept-Files")?.split(/[,|]/) ?? []));
  for (const { url } of await cache.keys()) {
    const path = new URL(url).pathname;
    const file = url.slice(url.indexOf(path));
    if (path.startsWith(`${base}media/`) && !needed.has(file)) await erase(url);
  }
  return async () => {
    const again = await caches.open(CACHE);
    // The page is last, as it is when it is kept: then its files are there.
    for (const [address, response] of erased) await again.put(address, response.clone());
  };
}

/**
 * Puts buttons into a toolbar of the page: one keeps and erases the item that it names, where this browser can keep pages, and one
 * shares it.
 * @param {HTMLElement} toolbar
 */
export async function offer(toolbar) {
  // It is not kept with a page, and without a network there is nothing to share by.
  const share = await import("./share.js").then(({ makeShareButton }) => makeShareButton(toolbar)).catch(() => []);
  const keeping = (await canKeep()) ? await makeKeepButtons(toolbar) : [];
  toolbar.replaceChildren(...keeping, ...share);
}

/**
 * @param {HTMLElement} toolbar
 * @returns {Promise<Node[]>}
 */
async function makeKeepButtons(toolbar) {
  const { keep: key = "", look = "" } = toolbar.dataset;
  const [button, undo] = [document.createElement("button"), document.createElement("button")];
  for (const each of [button, undo]) Object.assign(each, { type: "button", className: look });
  undo.textContent = "Undo";
  let kept = await isKept(key);
  /** @type {(() => Promise<void>) | undefined} */
  let bringBack;
  /** @param {string} [label] */
  const say = (label = kept ? "Saved. Remove it" : `Keep on ${THIS}`) => {
    button.textContent = label;
    if (bringBack) button.after(" ", undo);
    else undo.remove();
  };
  /** @param {string} label @param {() => Promise<(() => Promise<void>) | undefined>} work what it answers takes it back */
  const change = async (label, work) => {
    say(label);
    try {
      bringBack = await work();
      kept = !kept;
      say();
    } catch (error) {
      say("We couldn't save it. Try again");
      // For the report of a test that fails.
      button.dataset.fault = String(error);
    }
  };
  const toggle = () =>
    kept ? change("Removing…", () => forget(key)) : change("Saving…", () => keep(key).then(() => undefined));
  say();
  button.addEventListener("click", () => void toggle());
  const takeBack = async () => {
    await change("Saving…", async () => {
      await bringBack?.();
      return undefined;
    });
    // It is gone, and may not take the focus with it.
    button.focus();
  };
  undo.addEventListener("click", () => void takeBack());
  return [button, document.createTextNode(" ")];
}

// Awake now and kept pages; the dashboard calls `offer` for the toolbars in its own.
for (const toolbar of document.querySelectorAll("body > footer [data-keep]")) {
  if (toolbar instanceof HTMLElement) void offer(toolbar).catch(() => undefined);
}

// Tells automated tests that script handles clicks from now on.
document.documentElement.dataset.enhanced = "";
