import { reachPayment, walkToPayment } from "./sign-up-steps.ts";
import { expect, hasStripe, payByFields, stripeField, test } from "./stripe-fixtures.ts";

/** Back, Forward and reloads on the payment step with Stripe's script, in a browser that keeps pages. */

test("whoever goes back and forward, or logs in instead, leaves Stripe's script behind", async ({ page, site }) => {
  await walkToPayment(page, site);
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
