import type { Page, Request } from "@playwright/test";

import { serveStripeJs } from "../fakes/stripe-js.ts";
import type { House } from "./house.ts";

/** What a journey's browser asks for, and of whom. */

/** What becomes of the page's script: it runs, is switched off, never arrives, or arrives when the test lets it. */
export type ScriptMode = "on" | "off" | "blocked" | "late";

const players = ["https://www.youtube-nocookie.com/", "https://player.vimeo.com/"];

/**
 * Most journeys have no business elsewhere, and other hosts cannot be found (`playwright.config.ts`). So it is enough to listen: where
 * requests are intercepted, a browser keeps nothing of what it has fetched.
 */
export function listenForStrangers(page: Page, origin: string): string[] {
  const strangers: string[] = [];
  page.context().on("request", (request) => {
    const address = request.url();
    if (isElsewhere(new URL(address), origin) && !isPlayer(address)) strangers.push(address);
  });
  return strangers;
}

/** Where a journey is led to another host, or Stripe's script is wanted, each request is looked at before it leaves. */
export async function guardNetwork(page: Page, { url, cards, pages }: House): Promise<string[]> {
  const { origin } = new URL(url);
  const strangers: string[] = [];
  if (cards === "stripe") await serveStripeJs(page);
  await page.route(
    (address) => isElsewhere(address, origin),
    async (route) => {
      const address = route.request().url();
      if (cards === "stripe" && isForCardFields(page, address)) return route.fallback();
      if (pages.includes(new URL(address).origin) && (isVisit(page, route.request()) || isThere(page, address))) {
        return route.continue();
      }
      if (!isPlayer(address)) strangers.push(address);
      return route.abort();
    },
  );
  return strangers;
}

function isElsewhere(address: URL, origin: string): boolean {
  return address.origin !== origin && address.protocol.startsWith("http");
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

/** Keeps script from the page, or holds it until what is answered is called. */
export async function holdScript(page: Page, script: ScriptMode): Promise<() => void> {
  if (script === "blocked") await page.route("**/*.js", (route) => route.abort());
  if (script !== "late") return () => {};
  let isHeld = true;
  const waiting: (() => void)[] = [];
  await page.route("**/*.js", async (route) => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    // A page that was left in the meantime no longer wants it.
    await route.continue().catch(() => {});
  });
  return () => {
    isHeld = false;
    for (const resume of waiting.splice(0)) resume();
  };
}
