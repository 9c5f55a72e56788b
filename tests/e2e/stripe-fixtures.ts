import type { Page } from "@playwright/test";

import { serveStripeJs, type StripeJs, type StripeJsManner } from "../fakes/stripe-js.ts";
import { startStripeFake, type StripeFake } from "../fakes/stripe.ts";
import { startDemo } from "../helpers/demo-process.ts";
import { anyCard, paymentCards } from "../helpers/newcomer.ts";
import { expect, test as base } from "./fixtures.ts";

/** A demo with Stripe: a fake has its API and pages, and a stub its script. */
export const test = base.extend<
  { manner: StripeJsManner; stripeJs: StripeJs; violations: string[] },
  { stripe: StripeFake }
>({
  manner: ["there", { option: true }],
  isLedElsewhere: true,

  stripe: [
    async ({}, use) => {
      await using fake = await startStripeFake();
      const demo = await startDemo({
        STRIPE_SECRET_KEY: fake.keys.secretKey,
        STRIPE_PUBLISHABLE_KEY: fake.keys.publishableKey,
        STRIPE_WEBHOOK_SECRET: fake.keys.webhookSecret,
        STRIPE_API_BASE: fake.url,
      });
      const before = { url: process.env.SITE_URL, dataDir: process.env.SITE_DATA_DIR };
      process.env.SITE_URL = demo.url;
      process.env.SITE_DATA_DIR = demo.dataDir;
      await use(fake);
      process.env.SITE_URL = before.url;
      process.env.SITE_DATA_DIR = before.dataDir;
      await demo.stop();
    },
    { scope: "worker", auto: true, timeout: 300_000 },
  ],

  // The site's own guard allows requests to the fakes, and no others.
  stripeJs: [
    async ({ page, site, stripe, manner }, use) => {
      expect(site.url("/")).toContain("127.0.0.1");
      await page.route(`${stripe.url}/**`, (route) => route.continue());
      await use(await serveStripeJs(page, manner));
    },
    { auto: true },
  ],

  violations: [
    async ({ page, javaScriptEnabled }, use) => {
      const violations: string[] = [];
      if (javaScriptEnabled) {
        await page.exposeFunction("tellViolation", (text: string) => violations.push(text));
        await page.addInitScript(() => {
          const { tellViolation } = window as unknown as { tellViolation(text: string): void };
          document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
            tellViolation(`${effectiveDirective} ${blockedURI}`),
          );
        });
      }
      await use(violations);
      expect(violations, "violations of the page's policy").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from "./fixtures.ts";

export const hasStripe = (page: Page) => page.evaluate(() => "Stripe" in window);

const frames = {
  number: "Secure card number input frame",
  expiry: "Secure expiration date input frame",
  cvc: "Secure CVC input frame",
};

export function stripeField(page: Page, name: keyof typeof frames) {
  return page.frameLocator(`iframe[title="${frames[name]}"]`).getByRole("textbox");
}

export async function typeCard(page: Page, card: keyof typeof paymentCards): Promise<void> {
  await stripeField(page, "number").fill(paymentCards[card]);
  await stripeField(page, "expiry").fill(anyCard.expiry);
  await stripeField(page, "cvc").fill(anyCard.cvc);
}

export async function payByFields(page: Page, card: keyof typeof paymentCards): Promise<void> {
  await typeCard(page, card);
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
}

/** Pays on Stripe's own page, where browsers without card fields are led. */
export async function payOnStripe(page: Page, card: keyof typeof paymentCards): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Pay £60.00" })).toBeVisible();
  await page.getByLabel("Card number").fill(paymentCards[card]);
  await page.getByRole("button", { name: "Pay £60.00" }).click();
}
