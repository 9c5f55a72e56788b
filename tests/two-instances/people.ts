import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { readHeading, linkNamed } from "../helpers/page.ts";
import { nora, PASSWORD } from "../helpers/newcomer.ts";
import type { Page, Visit } from "./browser.ts";

/** By card fields, on Stripe's page, with a bank's authentication, or with a declined card first. */
export const manners = ["card", "card", "page", "bank", "declined"] as const;

export type Person = { email: string; manner: (typeof manners)[number]; visit: Visit };

export type Around = {
  /** A new emailed code as soon as it comes; `undefined` if that takes too long. */
  nextCode(email: string, tried: Set<string>): Promise<string | undefined>;
  /**
   * Waits for everybody before the trouble begins: a code that a dying instance was sending comes again only after two
   * minutes.
   */
  gather(): Promise<void>;
  onPaying(): void;
};

/** Becomes a member by plain forms, with retries; resolves at "Payment Complete". */
export async function join({ email, manner, visit }: Person, { nextCode, gather, onPaying }: Around): Promise<void> {
  await visit.get("/signup?step=1");
  await visit.send("/signup?step=1", { ...nora, email }, /^\/signup\?step=2/);
  const tried = new Set<string>();
  while (await wantsCode(visit)) {
    const oneTimeCode = await nextCode(email, tried);
    if (oneTimeCode === undefined) await visit.send("/signup?step=2", { intent: "resend" });
    else await visit.send("/signup?step=2", { intent: "verify", oneTimeCode });
    tried.add(oneTimeCode ?? "");
  }
  await visit.send("/signup?step=2", { intent: "plan", planType: "3" }, /^\/signup\?step=3/);
  await gather();
  onPaying();
  if (manner === "declined") await pay(visit, "pm_card_chargeDeclined");
  let end: Page;
  do {
    const { location } = await pay(visit, manner === "page" ? undefined : methods[manner]);
    if (location?.includes("leaving=1")) await payAtGateway(visit, location);
    end = await visit.until("/signup?step=4", (page) => isComplete(page) || page.location === "/signup?step=3");
  } while (!isComplete(end));
}

const methods = { card: "pm_card_visa", declined: "pm_card_visa", bank: "pm_card_authenticationRequired" };

/** The page still needs an emailed code. */
async function wantsCode(visit: Visit): Promise<boolean> {
  const { text } = await visit.get("/signup?step=2");
  return text.includes('name="oneTimeCode"');
}

function isComplete({ text }: Page): boolean {
  return readHeading(text) === "Payment Complete";
}

function pay(visit: Visit, methodId: string | undefined): Promise<Page> {
  return visit.send("/signup?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA", ...(methodId && { methodId }) });
}

/** Through the page that leads on, the page behind it, and back. */
async function payAtGateway(visit: Visit, path: string): Promise<void> {
  const page = linkNamed((await visit.get(path)).text, "Continue");
  // An earlier press, whose answer was lost, has paid.
  if (!page) return;
  const choice = page.includes("/bank/") ? "complete" : "pay";
  const form = new URLSearchParams({ number: "4242424242424242", choice });
  const back = (await fetch(page, { method: "POST", body: form, redirect: "manual" })).headers.get("Location");
  if (back) await visit.get(new URL(back).pathname + new URL(back).search);
}

/** Without a session cookie the person logs in first. */
export async function isIn({ email, visit }: Person, door: string): Promise<boolean> {
  const there = visit.at(door);
  if (readHeading((await there.get("/")).text) === landingTexts.heading) return true;
  await there.send("/login", { intent: "log-in", email, password: PASSWORD }, /^\/$/);
  return readHeading((await there.get("/")).text) === landingTexts.heading;
}
