import type { Page } from "@playwright/test";

import { readTravelledBytes, type TravelledBytes } from "../helpers/travelled-bytes.ts";
import { expect, test } from "./fixtures.ts";
import { payBy, reachPayment } from "./sign-up-steps.ts";

/** Budgets of bytes as they travel, compressed; no times. */
const KB = 1000;

/** What each screen weighs for a browser that has nothing of it yet. */
test.beforeEach(async ({ context, page }) => {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
});

async function weigh(page: Page, address: string): Promise<TravelledBytes> {
  await page.goto(address, { waitUntil: "networkidle" });
  return page.evaluate(readTravelledBytes);
}

const screens = [
  "/",
  "/?view=watch",
  "/?view=read",
  "/?view=learn",
  "/?view=read&item=1001",
  "/?view=watch&item=2001",
  "/?q=snoring",
];

const signUpScreens = ["/signup", "/signup?step=1", "/signup?step=2", "/signup?verify=x", "/signup?renew=x"];

test("script stays within 128 kB on every step of sign-up, also where a card is typed", async ({ page, site }) => {
  await reachPayment(page, site);
  for (const path of signUpScreens) await expectLightness(page, site.url(path), 128);
  const payment = await weigh(page, site.url("/signup?step=3"));
  await expect(page.getByLabel("Card number")).toBeVisible();
  expect(payment.script).toBeLessThanOrEqual(128 * KB);
  expect(payment.document + payment.style + payment.font).toBeLessThanOrEqual(100 * KB);
  test.info().annotations.push({ type: "script where a card is typed", description: `${payment.script} bytes` });

  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  const receipt = await page.getByRole("link", { name: "View receipt" }).getAttribute("href");
  await expectLightness(page, site.url("/signup?step=4"), 128);
  await expectLightness(page, site.url(receipt ?? ""), 112);
});

test("script stays within 112 kB where one reads and within 128 kB on forms, and page, style and fonts within 100 kB", async ({
  page,
  site,
}) => {
  await expectLightness(page, site.url("/login"), 128);
  await site.logIn();
  for (const path of screens) await expectLightness(page, site.url(path), 112);
  await expectLightness(page, site.url("/?account=open"), 128);
});

/** Something of each must have come: a browser that has it all already weighs nothing. */
async function expectLightness(page: Page, address: string, scriptInKB: number): Promise<void> {
  const { script, document, style, font } = await weigh(page, address);
  expect(script, address).toBeGreaterThan(50 * KB);
  expect(script, address).toBeLessThanOrEqual(scriptInKB * KB);
  expect(font, address).toBeGreaterThan(50 * KB);
  expect(document + style + font, address).toBeLessThanOrEqual(100 * KB);
}

test("the pictures of a list's first view on a phone stay within 250 kB", async ({ page, site }) => {
  await site.logIn();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of screens) {
    const { picture } = await weigh(page, site.url(path));
    expect(picture, path).toBeGreaterThan(0);
    expect(picture, path).toBeLessThanOrEqual(250 * KB);
  }
});
