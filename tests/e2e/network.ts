import type { Page, Request } from "@playwright/test";

import { serveStripeJs } from "../fakes/stripe-js.ts";
import type { App } from "./app.ts";

/** The requests of a journey's browser, and their hosts. */

/** The fate of the page's script: it runs, is switched off, never arrives, or arrives when the test lets it. */
export type ScriptMode = "on" | "off" | "blocked" | "late";

const players = ["https://www.youtube-nocookie.com/", "https://player.vimeo.com/"];

/**
 * Other hosts cannot be found (`playwright.config.ts`), so it is enough to listen: where requests are intercepted, all of them come by here,
 * and a browser keeps nothing of what it has fetched.
 */
export function listenForStrangers(page: Page, app: App): string[] {
  const strangers: string[] = [];
  page.context().on("request", (request) => {
    if (isStranger(page, request, app)) strangers.push(request.url());
  });
  return strangers;
}

/** Where Stripe's script is wanted, or the test answers for other hosts, each request is looked at before it leaves. */
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

/** Whether it goes to a host on which people neither are nor pay nor look at a film. */
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

/** Puts a page into the frames of players on other hosts. */
export async function answerPlayers(page: Page): Promise<void> {
  await page.route(
    (address) => isPlayer(address.href),
    (route) => route.fulfill({ contentType: "text/html", body: "<title>Player</title><p>The player</p>" }),
  );
}

/** Stripe's fields are on the payment step and nowhere else. */
function isForCardFields(page: Page, address: string): boolean {
  const { pathname, searchParams } = new URL(page.url());
  const isPaymentStep = pathname.endsWith("/signup") && searchParams.get("step") === "3";
  return isPaymentStep && new URL(address).hostname.endsWith(".stripe.com");
}

/** Whether the browser itself goes there, and not something on a page. */
function isVisit(page: Page, request: Request): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

/** Whether it is asked by a page of that very host. */
function isThere(page: Page, address: string): boolean {
  return new URL(page.url()).origin === new URL(address).origin;
}

/**
 * Keeps script from the page, or holds it until what is answered is called. The browser does that by itself: what Playwright intercepts
 * comes by here.
 */
export async function holdScript(page: Page, script: ScriptMode): Promise<() => Promise<void>> {
  if (script === "on" || script === "off") return async () => {};
  const session = await page.context().newCDPSession(page);
  if (script === "blocked") {
    await session.send("Network.enable");
    await session.send("Network.setBlockedURLs", { urls: ["*.js"] });
    return async () => {};
  }
  // A paused request that is not answered here goes on when nothing is paused any more.
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*.js" }] });
  return async () => void (await session.send("Fetch.disable"));
}

/** Requests of script to the app. */
const DATA = "**/*.data*";

/** Loses the connection for what script asks for; answers how it comes back. */
export async function loseConnection(page: Page): Promise<() => Promise<void>> {
  await page.route(DATA, (route) => route.abort("internetdisconnected"));
  return () => page.unroute(DATA);
}

/** Holds back what script asks for, or only the forms that it sends, until `release`; counts the forms. */
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
