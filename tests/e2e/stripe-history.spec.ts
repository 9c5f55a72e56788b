import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { reachPayment, walkToPayment } from "./sign-up-steps.ts";
import { expect, hasStripe, payByFields, stripeField, test } from "./stripe-fixtures.ts";

/** Back, Forward and reloads on the payment step with Stripe's script, with the back/forward cache. */

test("Stripe's script stays on the payment step, with Back, Forward and links", async ({ page, site }) => {
  const plans = page.getByRole("heading", { level: 1, name: "Choose your plan" });
  const fields = stripeField(page, "number");
  await walkToPayment(page, site);
  await expect(fields).toBeVisible();
  await page.goBack();
  await expect(plans).toBeVisible();
  await page.waitForFunction(() => !("Stripe" in window) && document.documentElement.dataset.enhanced === "");
  await page.goForward();
  await expect(fields).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(plans).toBeVisible();
  expect(await hasStripe(page)).toBe(false);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(fields).toBeVisible();
  await page.getByRole("link", { name: "Log In", exact: true }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
  expect(await hasStripe(page)).toBe(false);
});

test("a reload and Back from the bank lose nothing and charge once", async ({ page, site, stripe }) => {
  const email = await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  await page.reload();
  await payByFields(page, "authentication");
  await expect(page.getByRole("heading", { level: 1, name: "Your bank asks" })).toBeVisible();
  await page.goBack();
  await expect(
    page.getByText("You started this payment but didn't finish it. You haven't been charged."),
  ).toBeVisible();
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await page.reload();
  await payByFields(page, "paid");
  await expect(page.getByText(`We've sent a receipt to ${email}.`)).toBeVisible();
  await page.goBack();
  await expect(
    page.getByRole("heading", { level: 1, name: new RegExp(`Payment Complete|${landingTexts.heading}`) }),
  ).toBeVisible();
  const paid = [...stripe.books.intents.values()].filter(
    ({ status, description }) => status === "succeeded" && description !== null,
  );
  expect(new Set(paid.map(({ customer }) => customer)).size).toBe(paid.length);
});

test("a payment step from the back-forward cache is loaded again", async ({ page, site }) => {
  await reachPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  await page.evaluate(() => {
    document.body.dataset.kept = "yes";
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await expect(page.locator("body[data-kept]")).toHaveCount(0);
  await expect(stripeField(page, "number")).toBeVisible();
});
