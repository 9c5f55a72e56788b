import { randomInt } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { landingTopics } from "../../server/content/items/item-facts.ts";
import { emailsTo, type Email } from "../helpers/mailbox.ts";
import { findEmbedded, readApp, readMail, type App, type AppName } from "./app.ts";
import { guardNetwork, holdScript, listenForStrangers, type ScriptMode } from "./network.ts";

export type SiteOptions = {
  script: ScriptMode;
  app: AppName;
  /** The embedded app under `/members/`, in place of the one at the root. */
  isUnderPath: boolean;
  /** The test answers for other hosts itself, by its own routes. */
  isLedElsewhere: boolean;
  /** The test makes React render pages again, which React reports as an error. */
  isRenderedAgain: boolean;
};

export type Site = Pick<App, "settings" | "cardGateway" | "debits"> & {
  /** The environment in which commands work on the desk. */
  deskSettings: Record<string, string>;
  /** Opens a path such as `/login`; where script is on or released, waits until the page is hydrated. */
  open(path: string): Promise<void>;
  url(path: string): string;
  /** Sends a form as its page would; returns the address that it leads to. */
  post(path: string, form: Record<string, string>): Promise<string>;
  /**
   * Sends the log-in form without its page (`log-in.journey.ts` and `keyboard.spec.ts` fill it in), then opens the
   * landing or `path`.
   */
  logIn(options?: { email?: string; path?: string }): Promise<void>;
  /** Releases late script; where there is script, waits until the page is hydrated. */
  letScriptArrive(): Promise<void>;
  /** Script runs, from the start or once it is released. */
  hasScript: boolean;
  /** The emails to an address so far, oldest first. */
  listEmails(email: string): Promise<Email[]>;
  /** Where the demo stores its data, for operators. */
  dataDir: string;
};

/**
 * Journeys fail on requests to other hosts (except for a player's frame, and Stripe's script on the payment step, which
 * a stub answers), on console errors and on uncaught errors of a page.
 */
export const test = base.extend<SiteOptions & { site: Site }>({
  script: ["on", { option: true }],
  app: ["embedded", { option: true }],
  isUnderPath: [false, { option: true }],
  isLedElsewhere: [false, { option: true }],
  isRenderedAgain: [false, { option: true }],

  // The demo trusts loopback peers, so each test can have its own address, as one of many people at once.
  extraHTTPHeaders: async ({}, use) => {
    await use({ "X-Forwarded-For": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` });
  },

  site: async ({ page, script, app: name, isUnderPath, isLedElsewhere, isRenderedAgain }, use) => {
    const app = name === "embedded" ? findEmbedded(isUnderPath) : readApp(name);
    const root = new URL(app.url);
    const url = (path: string) => root.href + path.slice(1);
    const complaints = watch(page);
    const isIntercepted = isLedElsewhere || app.cardGateway === "stripe";
    const strangers = isIntercepted ? await guardNetwork(page, app) : listenForStrangers(page, app);
    const hasScript = script === "on" || script === "late";
    const releaseScript = await holdScript(page, script);
    let isScriptExpected = script === "on";

    const open = async (path: string) => {
      // Do not wait until everything is loaded: late script may never come.
      await page.goto(url(path), { waitUntil: "domcontentloaded" });
      if (isScriptExpected) await waitForScript(page);
      await waitForLooks(page);
    };
    const post = async (path: string, form: Record<string, string>) => {
      const options = { form, headers: { Origin: root.origin }, maxRedirects: 0 };
      const answer = await page.request.post(url(path), options);
      expect(answer.status(), await answer.text()).toBe(303);
      return answer.headers()["location"] ?? "";
    };
    await use({
      url,
      open,
      post,
      async logIn({ email = "member@dormouse.example", path = "/" } = {}) {
        expect(await post("/login", { intent: "log-in", email, password: DEMO_PASSWORD })).toBe(root.pathname);
        await open(path);
      },
      letScriptArrive: async () => {
        await releaseScript();
        isScriptExpected = hasScript;
        if (hasScript) await page.locator("html[data-enhanced]").waitFor();
      },
      hasScript,
      listEmails: async (email) => emailsTo(email, await readMail(app)),
      dataDir: app.settings["DATA_DIR"] ?? "",
      settings: app.settings,
      deskSettings: app.deskSettings ?? app.settings,
      cardGateway: app.cardGateway,
      debits: app.debits,
    });
    await releaseScript();
    expect(strangers, "requests to other hosts").toEqual([]);
    const isExpected = (complaint: string) => isRenderedAgain && complaint.includes("React error #418");
    expect(
      complaints.filter((complaint) => !isExpected(complaint)),
      "errors of the page",
    ).toEqual([]);
  },
});

export { expect } from "@playwright/test";

/**
 * Waits until the page is hydrated, where script runs. Some pages have none, such as plain text that a server sends in
 * place of the app.
 */
export async function waitForScript(page: Page): Promise<void> {
  await page.locator("html[data-enhanced], html:not(:has(script))").waitFor();
}

/**
 * Waits for the style sheets and fonts of the page that is there, without which things are elsewhere and others are
 * shown. `site.open` does this; links and forms without script do not.
 */
export async function waitForLooks(page: Page): Promise<void> {
  // A document without script is complete before its style sheets are there.
  const listMissing = () =>
    page.evaluate(() => {
      const links = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
      return [...links].filter((link) => !link.sheet).map((link) => link.href);
    });
  await expect.poll(listMissing, "style sheets on their way").toEqual([]);
  await page.evaluate(async () => void (await document.fonts.ready));
}

/** Ends the session as time does. A page that still reads its data again, under its message of success, would lead to log-in at once. */
export async function loseSession(page: Page): Promise<void> {
  await expect(page.locator("[aria-live]").getByText("Loading", { exact: true })).toHaveCount(0);
  await page.context().clearCookies();
}

/** The landing's last tile, about shift work. */
export const [, , , , , LAST_TILE] = landingTopics;

export async function fillLogIn(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: /Log In|Please try again/ }).click();
}

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // The browser's own messages about a refused form or a blocked script are expected.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}
