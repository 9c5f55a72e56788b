import type { Page } from "@playwright/test";

import { arriveAtContent, reachPayment } from "./sign-up-steps.ts";
import { expect, payByFields, stripeField, test } from "./stripe-fixtures.ts";

/** The payment step is a document of its own: its policy lets Stripe in, and no other page keeps Stripe's script. */

const hasStripe = (page: Page) => page.evaluate(() => "Stripe" in window);

test("whoever leaves the payment step by a link leaves Stripe's script behind, and finds the fields again", async ({
  page,
  site,
}) => {
  await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Choose your plan" })).toBeVisible();
  expect(await hasStripe(page)).toBe(false);
  await page.getByRole("button", { name: "Confirm" }).click();
  await payByFields(page, "paid");
  await arriveAtContent(page);
  expect(await hasStripe(page)).toBe(false);
});

test("so does whoever goes back and forward in history, or logs in instead", async ({ page, site }) => {
  await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Choose your plan" })).toBeVisible();
  await page.waitForFunction(() => !("Stripe" in window) && document.documentElement.dataset.enhanced === "");
  await page.goForward();
  await expect(stripeField(page, "number")).toBeVisible();
  await page.getByRole("link", { name: "Log In", exact: true }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
  expect(await hasStripe(page)).toBe(false);
});

test("a reload in the middle, and Back from the bank, lose nothing and charge nothing twice", async ({
  page,
  site,
  stripe,
}) => {
  const email = await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  await page.reload();
  await payByFields(page, "authentication");
  await expect(page.getByRole("heading", { level: 1, name: "Your bank asks" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("This payment was begun and not finished. Nothing was taken.")).toBeVisible();
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await page.reload();
  await payByFields(page, "paid");
  await expect(page.getByText(`A receipt has been sent to ${email}.`)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: /Payment Complete|Let's Get Started/ })).toBeVisible();
  const paid = [...stripe.books.intents.values()].filter(
    ({ status, description }) => status === "succeeded" && description !== null,
  );
  expect(new Set(paid.map(({ customer }) => customer)).size).toBe(paid.length);
});

test("a page that the browser kept while the bank's was looked at is loaded again", async ({ page, site }) => {
  await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  await page.evaluate(() => {
    document.body.dataset.kept = "yes";
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await expect(page.locator("body[data-kept]")).toHaveCount(0);
  await expect(stripeField(page, "number")).toBeVisible();
});

test("on success the button says so while the next page comes", async ({ page, site }) => {
  await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  const labels: string[] = [];
  const isLast = Promise.withResolvers<void>();
  await page.exposeFunction("tellLabel", (label: string) => {
    labels.push(label);
    if (label === "Please wait...") isLast.resolve();
  });
  await page.evaluate(() => {
    const button = document.querySelector("form[aria-busy]:last-of-type button:last-of-type");
    const { tellLabel } = window as unknown as { tellLabel(label: string): void };
    new MutationObserver(() => tellLabel(button?.textContent ?? "")).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.route(/\/signup\?step=4$/, async (route) => {
    await isLast.promise;
    await route.continue();
  });
  await payByFields(page, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  const words = ["Processing...", "Sign up successful, logging you in...", "Please wait..."];
  expect([...new Set(labels)].filter((label) => !label.startsWith("Submit"))).toEqual(words);
});

test("what the payment step weighs without Stripe's packages stays within 112 kB", async ({ page, site }) => {
  await reachPayment(page, site);
  await page.goto(site.url("/signup?step=3"), { waitUntil: "networkidle" });
  const own = await page.evaluate(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const scripts = entries.filter(({ name }) => name.startsWith(location.origin) && name.endsWith(".js"));
    return scripts.map(({ name, encodedBodySize }) => ({ name: name.split("/").at(-1) ?? "", encodedBodySize }));
  });
  const isStripe = ({ name }: { name: string }) => name.startsWith("stripe-card-fields");
  expect(own.filter(isStripe)).toHaveLength(1);
  const bytes = own
    .filter((script) => !isStripe(script))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(112_000);
  const lazy = own.find(isStripe)?.encodedBodySize;
  test.info().annotations.push({ type: "script of the step", description: `${bytes} bytes, ${lazy} lazy` });
});
