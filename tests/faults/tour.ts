import { expect } from "vitest";

import { askFor } from "../helpers/reset-page.ts";
import { readTitle } from "../helpers/page.ts";
import type { Answer, Browser } from "../helpers/site.ts";
import type { TroubledSite } from "./troubled-site.ts";

/** Answers to a member and a visitor on every page and form, one line each. */
type Tour = Record<string, string>;

const MEMBER = "member@dormouse.example";

const memberPages = [
  "/",
  "/?view=watch",
  "/?view=read",
  "/?view=learn",
  "/?view=read&item=1001",
  "/?view=watch&item=2003",
  "/?view=watch&item=2003&play=1",
  "/?q=snoring",
  "/?q=snoring&type=reads&order=oldest",
  "/?q=",
  "/?view=favourites",
  "/?account=open",
  "/?account=membership",
  "/?account=password",
  "/?account=devices",
  "/?account=data",
  "/?account=close",
  "/account-data",
];

export const visitorPages = [
  "/",
  "/signup",
  "/signup?step=1",
  "/signup?step=4",
  "/login",
  "/login?reset=1",
  "/healthz",
];

/** `receiptPath`: of their own receipt. */
type Resident = { browser: Browser; receiptPath: string };

/** Records the answers of a healthy app; the answered function repeats the tour and expects the same. */
export async function openTours(site: TroubledSite): Promise<() => Promise<void>> {
  const resident = await welcomeResident(site);
  const usual = await takeTour(site, resident);
  return async () => expect(await takeTour(site, resident)).toEqual(usual);
}

/** Without a payment. */
async function takeTour(site: TroubledSite, resident: Resident): Promise<Tour> {
  const { browser, receiptPath } = resident;
  const tour: Tour = {};
  for (const path of [...memberPages, receiptPath]) tour[`member ${path}`] = describe(await browser.get(path));
  tour["member keeps"] = describe(await browser.post("/favourites", { save: "read-1001", from: "/?view=read" }));
  tour["member lets go"] = describe(await browser.post("/favourites", { remove: "read-1001", from: "/?view=read" }));

  const visitor = site.openNewcomer();
  for (const path of [...visitorPages, "/readyz"]) tour[`visitor ${path}`] = describe(await visitor.browser.get(path));
  tour["visitor tells details"] = describe(await visitor.enterDetails());
  tour["visitor sees step 2"] = describe(await visitor.browser.get("/signup?step=2"));
  tour["visitor tells a company's code"] = describe(
    await visitor.enterDetails({ accountType: "corporate", code: "DORMOUSE-DEMO" }),
  );
  const forgetful = site.openNewcomer();
  tour["member logs in"] = describe(await forgetful.browser.logIn(MEMBER));
  tour["member logs out"] = describe(await forgetful.browser.post("/", { intent: "log-out" }));
  tour["member has forgotten"] = describe(await askFor(forgetful.browser, forgetful.email));
  return tour;
}

/** Signed up and paid before the trouble. */
async function welcomeResident(site: TroubledSite): Promise<Resident> {
  const { browser, reachPayment, pay } = site.openNewcomer();
  await reachPayment();
  await pay({ fields: { methodId: "pm_card_visa" } });
  await browser.get("/signup?step=4");
  const { text } = await browser.get("/?account=membership");
  const [, path] = /href="(\/\?receipt=[^"]+)"/.exec(text) ?? [];
  if (path === undefined) throw new Error(`The resident has no receipt: ${text.slice(0, 2000)}`);
  return { browser, receiptPath: path };
}

export function describe({ status, location, text }: Answer): string {
  return `${status} ${location ?? readTitle(text)}`.trim();
}
