import type { Page, Request } from "@playwright/test";

import { serveStripeJs } from "../fakes/stripe-js.ts";
import type { App } from "./app.ts";

/** The fate of the page's script: it runs, is off, never arrives, or arrives when the test releases it. */
export type ScriptMode = "on" | "off" | "blocked" | "late";

const players = ["https://www.youtube-nocookie.com/", "https://player.vimeo.com/"];

/**
 * Only listens, because other hosts cannot be found (`playwright.config.ts`): with interception the browser would cache
 * nothing.
 */
export function listenForStrangers(page: Page, app: App): string[] {
  const strangers: string[] = [];
  page.context().on("request", (request) => {
    if (isStranger(page, request, app)) strangers.push(request.url());
  });
  return strangers;
}

/** Checks each request before it leaves, for tests with Stripe's script or with their own answers for other hosts. */
export async function guardNetwork(page: Page, app: App): Promise<string[]> {
  const strangers: string[] = [];
  if (app.cardGateway === "stripe") await serveStripeJs(page);
  await page.route(
    (address) => isElsewhere(address, app),
    async (route) => {
      const address = route.request().url();
      if (app.cardGateway === "stripe" && isForCardFields(page, address)) return route.fallback();
      const isStrange = isStranger(page, route.request(), app);
      if (isStrange) strangers.push(address);
      return isStrange || isPlayer(address) ? route.abort() : route.continue();
    },
  );
  return strangers;
}

/** Whether it goes to a host that serves no page of ours, no payment page and no player. */
function isStranger(page: Page, request: Request, app: App): boolean {
  const address = request.url();
  if (!isElsewhere(new URL(address), app) || isPlayer(address)) return false;
  const mayVisit = app.pages.includes(new URL(address).origin);
  return !(mayVisit && (isVisit(page, request) || isThere(page, address)));
}

function isElsewhere(address: URL, { url }: App): boolean {
  return address.origin !== new URL(url).origin && address.protocol.startsWith("http");
}

function isPlayer(address: string): boolean {
  return players.some((player) => address.startsWith(player));
}

/** Puts a page into the frames of other hosts' players. */
export async function answerPlayers(page: Page): Promise<void> {
  await page.route(
    (address) => isPlayer(address.href),
    (route) => route.fulfill({ contentType: "text/html", body: "<title>Player</title><p>The player</p>" }),
  );
}

/** Only the payment step may load Stripe's fields. */
function isForCardFields(page: Page, address: string): boolean {
  const { pathname, searchParams } = new URL(page.url());
  const isPaymentStep = pathname.endsWith("/signup") && searchParams.get("step") === "3";
  return isPaymentStep && new URL(address).hostname.endsWith(".stripe.com");
}

/** Whether the browser itself navigates there. */
function isVisit(page: Page, request: Request): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

/** Whether a page of that host requests it. */
function isThere(page: Page, address: string): boolean {
  return new URL(page.url()).origin === new URL(address).origin;
}

/**
 * Keeps script from the page, or holds it until the returned function is called. Uses the browser's own protocol,
 * because Playwright's interception has side effects.
 */
export async function holdScript(page: Page, script: ScriptMode): Promise<() => Promise<void>> {
  if (script === "on" || script === "off") return async () => {};
  const session = await page.context().newCDPSession(page);
  if (script === "blocked") {
    await session.send("Network.enable");
    await session.send("Network.setBlockedURLs", { urls: ["*.js"] });
    return async () => {};
  }
  // A paused request that gets no answer here continues once nothing is paused any more.
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*.js" }] });
  return async () => void (await session.send("Fetch.disable"));
}

/** Script's requests to the app. */
const DATA = "**/*.data*";

/** Breaks script's connection; returns the function that mends it. */
export async function loseConnection(page: Page): Promise<() => Promise<void>> {
  await page.route(DATA, (route) => route.abort("internetdisconnected"));
  return () => page.unroute(DATA);
}

/** Holds script's requests, or only its forms, until `release`; counts the forms. */
export async function holdRequests(page: Page, held: "everything" | "forms" = "everything") {
  const gate = Promise.withResolvers<void>();
  const requests = { forms: 0, release: () => gate.resolve() };
  await page.route(DATA, async (route) => {
    const isForm = route.request().method() === "POST";
    if (isForm) requests.forms += 1;
    if (isForm || held === "everything") await gate.promise;
    await route.continue();
  });
  return requests;
}
