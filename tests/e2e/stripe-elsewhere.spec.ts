import type { Page } from "@playwright/test";

import { expectGoodLooks } from "./looks.ts";
import { arriveAtContent, reachPayment } from "./sign-up-steps.ts";
import { expect, payByFields, payOnStripe, stripeField, test, typeCard } from "./stripe-fixtures.ts";

/** Ways in which Stripe's fields do not come, and the page of Stripe's own that takes the card then. */

const submit = (page: Page) => page.getByRole("button", { name: "Submit payment of £60" });
const elsewhere = (page: Page) => page.getByRole("button", { name: "Pay £60 on the next page" });

test.describe("with Stripe.js blocked", () => {
  test.use({ manner: "blocked" });

  test("the way to Stripe's own page is offered at once, and pays", async ({ page, site }) => {
    await reachPayment(page, site);
    await expect(page.getByText("The card fields could not be loaded.")).toBeVisible();
    await expectGoodLooks(page, "payment without Stripe's fields");
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await elsewhere(page).click();
    await payOnStripe(page, "paid");
    await arriveAtContent(page);
  });
});

test.describe("with Stripe.js there and its frames away", () => {
  test.use({ manner: "frameless" });

  test("the way to Stripe's own page is offered, and a declined card can be followed by another", async ({
    page,
    site,
  }) => {
    await reachPayment(page, site);
    await expect(page.getByText("The card fields could not be loaded.")).toBeVisible();
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await elsewhere(page).click();
    await payOnStripe(page, "declined");
    await expect(page.getByRole("alert")).toContainText("declined");
    await payOnStripe(page, "authentication");
    await page.getByRole("button", { name: "Complete" }).click();
    await arriveAtContent(page);
  });
});

test.describe("with Stripe.js hanging", () => {
  test.use({ manner: "held" });

  test("the page says that it loads, then that there is another way; nothing moves, and the other way pays", async ({
    page,
    site,
  }) => {
    await page.clock.install();
    await reachPayment(page, site);
    await expect(page.getByText("The card fields are loading.")).toBeAttached();
    const top = async () => (await submit(page).or(elsewhere(page)).boundingBox())?.y;
    const before = await top();
    await page.clock.fastForward(6000);
    await expect(page.getByText("The card fields are slow to come.")).toBeVisible();
    expect(await top()).toBe(before);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await elsewhere(page).click();
    await payOnStripe(page, "paid");
    await arriveAtContent(page);
  });

  test("whoever presses before it is there goes to Stripe's own page, and comes back from it by Back", async ({
    page,
    site,
  }) => {
    await reachPayment(page, site);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await submit(page).click();
    await expect(page.getByRole("heading", { level: 1, name: "Pay £60.00" })).toBeVisible();
    await page.goBack();
    await expect(page.getByText("This payment was begun and not finished. Nothing was taken.")).toBeVisible();
    await page.getByRole("link", { name: "Continue" }).click();
    await payOnStripe(page, "paid");
    await arriveAtContent(page);
  });

  test("fields that come late are there to be used", async ({ page, site, stripeJs }) => {
    await page.clock.install();
    await reachPayment(page, site);
    await expect(page.getByText("The card fields are loading.")).toBeAttached();
    await page.clock.fastForward(6000);
    await expect(elsewhere(page)).toBeVisible();
    await page.clock.resume();
    stripeJs.release();
    await expect(stripeField(page, "number")).toBeVisible();
    await expect(submit(page)).toBeVisible();
    await payByFields(page, "paid");
    await arriveAtContent(page);
  });
});

for (const script of ["off", "blocked"] as const) {
  test.describe(`with our own script ${script}`, () => {
    test.use({ script, javaScriptEnabled: script !== "off" });

    test("the button leads to Stripe's own page and its bank, and Back leads to the form", async ({
      page,
      site,
      stripeJs,
    }) => {
      await reachPayment(page, site);
      await expect(page.getByText("You will enter your card on the next page")).toBeVisible();
      await page.getByLabel("Postal code").fill("EX1 1AA");
      await submit(page).click();
      await expect(page.getByRole("heading", { level: 1, name: "Pay £60.00" })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(site.url("/signup?step=3"));
      await page.reload();
      await page.getByRole("link", { name: "Continue" }).click();
      await payOnStripe(page, "authentication");
      await page.getByRole("button", { name: "Complete" }).click();
      await arriveAtContent(page);
      expect(stripeJs.requests).toEqual([]);
    });
  });
}

test.describe("with our own script late", () => {
  test.use({ script: "late" });

  test("a press before it is there leads to Stripe's own page", async ({ page, site }) => {
    await reachPayment(page, site);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await submit(page).click();
    await page.getByRole("link", { name: "Continue" }).click();
    await payOnStripe(page, "paid");
    await arriveAtContent(page);
  });

  test("the fields come with it, and take nothing typed", async ({ page, site }) => {
    await reachPayment(page, site);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await site.letScriptArrive();
    await typeCard(page, "paid");
    await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
    await submit(page).click();
    await arriveAtContent(page);
  });
});
