import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { codeIn, linkIn, type Email } from "../helpers/mailbox.ts";
import { anyCard, paymentCards, nora, PASSWORD } from "../helpers/newcomer.ts";
import type { Site } from "./fixtures.ts";
import { typeCard } from "./stripe-fixtures.ts";

/** The steps of a sign-up; each ends where the next begins. */

export function makeEmail(): string {
  return `${randomUUID()}@example.org`;
}

export async function fillDetails(page: Page, email: string, code?: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Create your account" })).toBeVisible();
  if (code === undefined) await page.getByRole("radio", { name: "Individual" }).check();
  else await page.getByLabel("Dormouse code").fill(code);
  await page.getByLabel("First name").fill("Nora");
  await page.getByLabel("Surname").fill("Penn");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
}

export async function sendDetails(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /plan$/ })).toBeVisible();
}

/** The code and link that verify an address. */
export async function readVerification(site: Site, email: string): Promise<{ code: string; link: string }> {
  const mail = await waitForEmail(site, email, "Confirm your email address");
  return { code: codeIn(mail), link: linkIn(mail) };
}

export async function waitForEmail(site: Site, email: string, subject: string): Promise<Email | undefined> {
  const find = async () =>
    (await site.listEmails(email)).findLast((mail) => mail.subject.replace(/^\d{6}: /, "").startsWith(subject));
  // The app sends emails every second.
  await expect.poll(find, { message: `an email “${subject}”`, intervals: [100] }).toBeDefined();
  return find();
}

export async function typeCode(page: Page, site: Site, email: string): Promise<void> {
  const { code } = await readVerification(site, email);
  await page.getByLabel("Verification code").fill(code);
  await page.getByRole("button", { name: "Check code" }).click();
  await expect(page.getByText("Your email is verified.")).toBeVisible();
}

export async function choosePlan(page: Page, plan: string): Promise<void> {
  await page.getByRole("radio", { name: new RegExp(`^${plan} `) }).check();
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
}

/** Fills in the pages of steps 1 and 2. */
export async function walkToPayment(page: Page, site: Site): Promise<string> {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await sendDetails(page);
  await typeCode(page, site, email);
  await choosePlan(page, "Yearly");
  return email;
}

/** Sends the forms of steps 1 and 2 without their pages, then opens the payment step. */
export async function reachPayment(page: Page, site: Site): Promise<string> {
  const email = await earnPayment(site);
  await site.open("/signup?step=3");
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  return email;
}

/** Completes a paid sign-up in this browser without its pages; returns the address. */
export async function payUnseen(page: Page, site: Site): Promise<string> {
  const email = await earnPayment(site);
  const form = { number: paymentCards.paid, ...anyCard };
  const headers = { Origin: new URL(site.url("/")).origin };
  const answer = await page.request.post(site.url("/demo-gateway/methods"), { form, headers });
  const { methodId } = (await answer.json()) as { methodId: string };
  await site.post("/signup?step=3", { intent: "pay", plan: "3", postcode: "EX1 1AA", methodId });
  return email;
}

/** Steps 1 and 2 without their pages. */
async function earnPayment(site: Site): Promise<string> {
  const email = makeEmail();
  await site.post("/signup?step=1", { ...nora, email });
  const { code } = await readVerification(site, email);
  await site.post("/signup?step=2", { intent: "verify", oneTimeCode: code });
  await site.post("/signup?step=2", { intent: "plan", planType: "3" });
  return email;
}

export function payButton(page: Page) {
  return page.locator("form:has([name=postcode]) button").last();
}

/** Presses the button of step 3. Without card fields the card goes into the gateway's own page. */
export async function payBy(page: Page, site: Site, card: keyof typeof paymentCards): Promise<void> {
  if (site.hasScript) await (site.cardGateway === "stripe" ? typeCard : fillCard)(page, card);
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByRole("button", { name: /^Submit payment of £/ }).click();
  if (!site.hasScript) await payOnPage(page, site, card);
}

export async function payAgainBy(page: Page, site: Site, card: keyof typeof paymentCards): Promise<void> {
  await (site.hasScript ? payBy : payOnPage)(page, site, card);
}

/** On the gateway's own page. The fake of Stripe's requires only the number. */
async function payOnPage(page: Page, site: Site, card: keyof typeof paymentCards): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: /^Pay (?:by card|£\d+\.00)$/ })).toBeVisible();
  if (site.cardGateway === "stripe") await page.getByLabel("Card number").fill(paymentCards[card]);
  else await fillCard(page, card);
  await page.getByRole("button", { name: /^Pay £/ }).click();
}

/** Reads that a card was declined, in our words or, on Stripe's own page, in Stripe's. */
export async function readDecline(page: Page, site: Site): Promise<void> {
  const isOnStripe = site.cardGateway === "stripe" && !site.hasScript;
  if (isOnStripe) return expect(page.getByRole("alert")).toHaveText("Your card was declined.");
  await expect(page.getByRole("group", { name: "Error" })).toContainText("Your bank declined this card");
  await expect(page.getByRole("group", { name: "Error" })).toContainText("You haven't been charged.");
  await expect(page).toHaveTitle(/^Error: /);
}

export async function confirmAtBank(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: /^Your bank asks/ })).toBeVisible();
  await page.getByRole("button", { name: "Complete" }).click();
}

export async function fillCard(page: Page, card: keyof typeof paymentCards): Promise<void> {
  await page.getByLabel("Card number").fill(paymentCards[card]);
  await page.getByLabel("Expiry").fill(anyCard.expiry);
  await page.getByLabel("CVC").fill(anyCard.cvc);
}

export async function arriveAtContent(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await page.getByRole("link", { name: "Log In for Sleep Content" }).click();
  await expect(page.getByRole("heading", { level: 1, name: landingTexts.heading })).toBeVisible();
}

/** Counts the receipts to an address, once there is one. */
export async function countReceipts(site: Site, email: string): Promise<number> {
  await waitForEmail(site, email, "Your receipt");
  return (await site.listEmails(email)).filter(({ subject }) => subject.startsWith("Your receipt")).length;
}
