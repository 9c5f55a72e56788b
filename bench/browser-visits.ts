import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from "@playwright/test";

import { findShell } from "../tests/helpers/chromium.ts";
import type { App } from "./stage.ts";

/** Lighthouse's settings for a mid-range phone on slow 4G. */
const telephone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const SLOWDOWN = 4;
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** One visit with an empty cache: times in milliseconds since the request, sizes in transferred bytes. */
export type Look = {
  firstPaint: number;
  largestPaint: number;
  /** The time of long tasks beyond 50 ms each. */
  blocking: number;
  shift: number;
  otherHosts: number;
  bytes: TravelledBytes;
};

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findShell(), args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
}

/** A phone with nothing stored but the member's cookie. */
export async function openTelephone(browser: Browser, { server, cookie }: Partial<App> & Pick<App, "server">) {
  const context = await browser.newContext(telephone);
  if (cookie) {
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: server.origin }]);
  }
  return context;
}

/** Opens a page on the slow phone and waits until it loads nothing more. */
export async function lookAt(context: BrowserContext, address: string): Promise<Look> {
  const page = await context.newPage();
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  await slowDown(session, true);
  const bytes = countBytes(session);
  const hosts: string[] = [];
  page.on("request", (request) => hosts.push(new URL(request.url()).origin));
  await page.goto(address, { waitUntil: "networkidle" });
  const look = await page.evaluate(readLook);
  await page.close();
  const { origin } = new URL(address);
  return { ...look, bytes, otherHosts: hosts.filter((host) => host.startsWith("http") && host !== origin).length };
}

/** Transferred bytes by type: compressed, with the headers of each response. */
type TravelledBytes = { document: number; script: number; style: number; font: number; picture: number };

const typeNames: Record<string, keyof TravelledBytes> = {
  Document: "document",
  Script: "script",
  Stylesheet: "style",
  Font: "font",
  Image: "picture",
};

/** Counts what a page receives from now on. */
function countBytes(session: CDPSession): TravelledBytes {
  const bytes = { document: 0, script: 0, style: 0, font: 0, picture: 0 };
  const types = new Map<string, keyof TravelledBytes | undefined>();
  session.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, typeNames[type]));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (type) bytes[type] += encodedDataLength;
  });
  return bytes;
}

/** The control to click, and the element whose change shows the response; `attribute` where its words stay the same. */
export type Press = { click: string; change: string; attribute?: string };

/**
 * Milliseconds from a click until the browser has drawn the change, on the slow processor with an unlimited connection.
 */
export async function measureDelay(page: Page, { click, change, attribute = "" }: Press): Promise<number> {
  await page.locator("html[data-enhanced]").waitFor();
  await page.waitForLoadState("networkidle");
  const session = await page.context().newCDPSession(page);
  await slowDown(session, false);
  const element = page.locator(`${click}:visible`).first();
  await element.scrollIntoViewIfNeeded();
  await page.evaluate(awaitChange, { change, attribute });
  await element.click();
  const drawn = await page.waitForFunction(() => (window as unknown as { drawnAfter?: number }).drawnAfter);
  const delay = (await drawn.jsonValue()) ?? Number.NaN;
  await session.detach();
  return delay;
}

async function slowDown(session: CDPSession, isLineSlow: boolean): Promise<void> {
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  if (!isLineSlow) return;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", line);
}

type Seen = { largestPaint: number; shift: number; tasks: { start: number; end: number }[] };
type ShiftEntry = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** Runs in the page before anything else: records the browser's performance entries. */
function observe(): void {
  const seen: Seen = { largestPaint: 0, shift: 0, tasks: [] };
  Object.assign(window, { seen });
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("largest-contentful-paint", ({ startTime }) => (seen.largestPaint = startTime));
  watch("longtask", ({ startTime, duration }) => seen.tasks.push({ start: startTime, end: startTime + duration }));
  watch("layout-shift", (entry) => {
    if (!(entry as ShiftEntry).hadRecentInput) seen.shift += (entry as ShiftEntry).value;
  });
}

/** Runs in the page at the end. */
function readLook(): Omit<Look, "otherHosts" | "bytes"> {
  const { seen } = window as unknown as { seen: Seen };
  const firstPaint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
  const { largestPaint, shift, tasks } = seen;
  return {
    largestPaint,
    shift,
    firstPaint,
    // As Lighthouse counts: from the first paint on, because before it there is nothing to press.
    blocking: tasks.reduce((total, { start, end }) => total + Math.max(0, end - Math.max(start, firstPaint) - 50), 0),
  };
}

/** Runs in the page: after the next click, waits for the frame in which the selected element has changed. */
function awaitChange({ change, attribute }: { change: string; attribute: string }): void {
  const read = () =>
    [...document.querySelectorAll(change)]
      .map((each) => (attribute ? String(each.getAttribute(attribute)) : each.textContent))
      .join();
  const before = read();
  const { port1, port2 } = new MessageChannel();
  document.addEventListener(
    "click",
    ({ timeStamp }) => {
      // The message arrives once the requested frame has been drawn.
      port2.addEventListener("message", () => Object.assign(window, { drawnAfter: performance.now() - timeStamp }));
      port2.start();
      new MutationObserver((_, observer) => {
        if (read() === before) return;
        observer.disconnect();
        requestAnimationFrame(() => port1.postMessage(undefined));
      }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    },
    { capture: true, once: true },
  );
}
