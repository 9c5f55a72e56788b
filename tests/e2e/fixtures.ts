import { randomInt } from "node:crypto";
import { join } from "node:path";
import { test as base, expect, type Page, type Request } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-members.ts";
import { serveStripeJs } from "../fakes/stripe-js.ts";
import { lettersTo, readMailFolder, type Letter } from "../helpers/mailbox.ts";

/** What becomes of the page's script: it runs, is switched off, never arrives, or arrives when the test lets it. */
export type ScriptMode = "on" | "off" | "blocked" | "late";

/** Whose parts a house has: a demo's own, or those that a provider runs. */
export type HouseName = "embedded" | "real" | "remote";

export type House = {
  url: string;
  /** The environment that commands need to work on it. */
  settings: Record<string, string>;
  cards: "demo" | "stripe";
  debits: "demo" | "gocardless";
  /** Hosts on which people pay or agree: a browser may be led there, and no page of ours asks them for anything. */
  pages: string[];
  /** Where its letters can be read as JSON; without one they lie in its outbox. */
  postUrl?: string;
};

export type SiteOptions = {
  script: ScriptMode;
  house: HouseName;
  /** The embedded house, served under `/members/` instead of the root. */
  isUnderPath: boolean;
  /** Whether the test itself answers for other hosts, by routes of its own. */
  isLedElsewhere: boolean;
};

export type Site = Pick<House, "settings" | "cards" | "debits"> & {
  /** Opens a path of the site, such as `/login`. */
  open(path: string): Promise<void>;
  /** The address of a path. */
  url(path: string): string;
  /** Logs in as the form would, which `log-in.journey.ts` and `keyboard.spec.ts` fill in, and opens the landing. */
  logIn(email?: string): Promise<void>;
  /** Lets late script arrive; where there is script, waits until the page has taken it in. */
  letScriptArrive(): Promise<void>;
  /** Whether script runs from the start or will. */
  hasScript: boolean;
  /** The letters to somebody so far, oldest first. */
  listLetters(email: string): Promise<Letter[]>;
  /** Where the demo keeps its data, for operators. */
  dataDir: string;
};

const players = ["https://www.youtube-nocookie.com/", "https://player.vimeo.com/"];

/**
 * Journeys fail on any request to a host that is not ours (but for a player's frame, and Stripe's script on the payment step, which a
 * stub answers), on anything a page writes to the console as an error, and on anything it throws.
 */
export const test = base.extend<SiteOptions & { site: Site }>({
  script: ["on", { option: true }],
  house: ["embedded", { option: true }],
  isUnderPath: [false, { option: true }],
  isLedElsewhere: [false, { option: true }],

  // Many people at once: the demo believes loopback peers, so each test has an address of its own.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads which fixtures are wanted from the pattern
  extraHTTPHeaders: async ({}, use) => {
    await use({ "X-Forwarded-For": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` });
  },

  site: async ({ page, script, house: name, isUnderPath, isLedElsewhere }, use) => {
    const house = name === "embedded" ? findEmbedded(isUnderPath) : readHouse(name);
    const root = new URL(house.url);
    const url = (path: string) => root.href + path.slice(1);
    const complaints = watch(page);
    const mayLeave = isLedElsewhere || name !== "embedded";
    const strangers = mayLeave ? await guardNetwork(page, house) : listenForStrangers(page, root.origin);
    const hasScript = script === "on" || script === "late";
    const releaseScript = await holdScript(page, script);

    // Not until everything is loaded: late script would keep us waiting for ever.
    const open = async (path: string) => void (await page.goto(url(path), { waitUntil: "domcontentloaded" }));
    await use({
      url,
      open,
      async logIn(email = "member@dormouse.example") {
        const form = { intent: "log-in", email, password: DEMO_PASSWORD };
        const answer = await page.request.post(url("/login"), {
          form,
          headers: { Origin: root.origin },
          maxRedirects: 0,
        });
        expect(answer.headers()["location"]).toBe(root.pathname);
        await open("/");
      },
      letScriptArrive: async () => {
        releaseScript();
        if (hasScript) await page.locator("html[data-enhanced]").waitFor();
      },
      hasScript,
      listLetters: async (email) => lettersTo(email, await readPost(house)),
      dataDir: house.settings["DATA_DIR"] ?? "",
      settings: house.settings,
      cards: house.cards,
      debits: house.debits,
    });
    releaseScript();
    expect(strangers, "requests to other hosts").toEqual([]);
    expect(complaints, "errors of the page").toEqual([]);
  },
});

export { expect } from "@playwright/test";

export async function fillLogIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: /Log In|Please try again/ }).click();
}

function findEmbedded(isUnderPath: boolean): House {
  const url = (isUnderPath ? process.env.MEMBERS_SITE_URL : process.env.SITE_URL) ?? "";
  const dataDir = (isUnderPath ? process.env.MEMBERS_SITE_DATA_DIR : process.env.SITE_DATA_DIR) ?? "";
  const settings = { DEMO: "true", DATA_DIR: dataDir, ORIGIN: new URL(url).origin };
  return { url, settings, cards: "demo", debits: "demo", pages: [] };
}

function readHouse(name: HouseName): House {
  return JSON.parse(process.env[`${name.toUpperCase()}_HOUSE`] ?? "") as House;
}

async function readPost({ postUrl, settings }: House): Promise<Letter[]> {
  if (postUrl === undefined) return readMailFolder(join(settings["DATA_DIR"] ?? "", "outbox"));
  return (await (await fetch(postUrl)).json()) as Letter[];
}

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // What the browser itself says of a refused form or a blocked script is part of the journey.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}

/**
 * Most journeys have no business elsewhere, and other hosts cannot be found (`playwright.config.ts`). So it is enough to listen: where
 * requests are intercepted, a browser keeps nothing of what it has fetched.
 */
function listenForStrangers(page: Page, origin: string): string[] {
  const strangers: string[] = [];
  page.context().on("request", (request) => {
    const address = request.url();
    if (isElsewhere(new URL(address), origin) && !isPlayer(address)) strangers.push(address);
  });
  return strangers;
}

/** Where a journey is led to another host, or Stripe's script is wanted, each request is looked at before it leaves. */
async function guardNetwork(page: Page, { url, cards, pages }: House): Promise<string[]> {
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

async function holdScript(page: Page, script: ScriptMode): Promise<() => void> {
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
