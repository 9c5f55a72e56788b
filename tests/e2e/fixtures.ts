import { randomInt } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";

import { DEMO_PASSWORD } from "../../server/cli/demo-data.ts";
import { landingTopics } from "../../server/content/catalogue/item-facts.ts";
import { emailsTo, type Email } from "../helpers/mailbox.ts";
import { findEmbedded, readApp, readMail, type App, type AppName } from "./app.ts";
import { guardNetwork, holdScript, listenForStrangers, type ScriptMode } from "./network.ts";

export type SiteOptions = {
  script: ScriptMode;
  app: AppName;
  /** The embedded app, served under `/members/` instead of the root. */
  isUnderPath: boolean;
  /** Whether the test itself answers for other hosts, by routes of its own. */
  isLedElsewhere: boolean;
  /** Whether the test makes React draw pages anew, which it reports as an error. */
  isDrawnAnew: boolean;
};

export type Site = Pick<App, "settings" | "cardGateway" | "debits"> & {
  /** The environment that commands need to work on the desk. */
  deskSettings: Record<string, string>;
  /** Opens a path of the site, such as `/login`; where script is on, the page has taken it in then. */
  open(path: string): Promise<void>;
  /** The address of a path. */
  url(path: string): string;
  /** Sends a form as its page would, and answers the address to which that leads. */
  post(path: string, form: Record<string, string>): Promise<string>;
  /** Logs in as the form would, which `log-in.journey.ts` and `keyboard.spec.ts` fill in, and opens the landing or another path. */
  logIn(options?: { email?: string; path?: string }): Promise<void>;
  /** Lets late script arrive; where there is script, waits until the page has taken it in. */
  letScriptArrive(): Promise<void>;
  /** Whether script runs from the start or will. */
  hasScript: boolean;
  /** The emails to an address so far, oldest first. */
  listEmails(email: string): Promise<Email[]>;
  /** Where the demo keeps its data, for operators. */
  dataDir: string;
};

/** Pages that a server writes where the app cannot, such as plain text, have no script. */
const ENHANCED_OR_SCRIPTLESS = "html[data-enhanced], html:not(:has(script))";

/**
 * Journeys fail on any request to a host that is not ours (but for a player's frame, and Stripe's script on the payment step, which a
 * stub answers), on anything a page writes to the console as an error, and on anything it throws.
 */
export const test = base.extend<SiteOptions & { site: Site }>({
  script: ["on", { option: true }],
  app: ["embedded", { option: true }],
  isUnderPath: [false, { option: true }],
  isLedElsewhere: [false, { option: true }],
  isDrawnAnew: [false, { option: true }],

  // Many people at once: the demo believes loopback peers, so each test has an address of its own.
  extraHTTPHeaders: async ({}, use) => {
    await use({ "X-Forwarded-For": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` });
  },

  site: async ({ page, script, app: name, isUnderPath, isLedElsewhere, isDrawnAnew }, use) => {
    const app = name === "embedded" ? findEmbedded(isUnderPath) : readApp(name);
    const root = new URL(app.url);
    const url = (path: string) => root.href + path.slice(1);
    const complaints = watch(page);
    const isIntercepted = isLedElsewhere || app.cardGateway === "stripe";
    const strangers = isIntercepted ? await guardNetwork(page, app) : listenForStrangers(page, app);
    const hasScript = script === "on" || script === "late";
    const releaseScript = await holdScript(page, script);

    const open = async (path: string) => {
      // Not until everything is loaded: late script would keep us waiting for ever.
      await page.goto(url(path), { waitUntil: "domcontentloaded" });
      if (script === "on") await page.locator(ENHANCED_OR_SCRIPTLESS).waitFor();
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
    const isExpected = (complaint: string) => isDrawnAnew && complaint.includes("React error #418");
    expect(
      complaints.filter((complaint) => !isExpected(complaint)),
      "errors of the page",
    ).toEqual([]);
  },
});

export { expect } from "@playwright/test";

/** The last tile of the landing, about shift work. */
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
    // The browser's own messages about a refused form or a blocked script are part of the journey.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}
