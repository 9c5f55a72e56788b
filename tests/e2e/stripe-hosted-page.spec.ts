import type { Page } from "@playwright/test";

import { expectGoodLooks } from "./looks.ts";
import { arriveAtContent, confirmAtBank, reachPayment } from "./sign-up-steps.ts";
import { expect, payByFields, payOnStripe, stripeField, test, typeCard } from "./stripe-fixtures.ts";

/** Stripe's fields do not load, and Stripe's own page takes the card. */

const submit = (page: Page) => page.getByRole("button", { name: "Submit payment of £60" });
const elsewhere = (page: Page) => page.getByRole("button", { name: "Pay £60 on the next page" });

for (const manner of ["blocked", "frameless"] as const) {
  test.describe(`with Stripe's fields ${manner}`, () => {
    test.use({ manner });

    test("Stripe's page is offered at once, and accepts another card after a declined one", async ({ page, site }) => {
      await reachPayment(page, site);
      await expect(page.getByText("The card fields didn't load.")).toBeVisible();
      if (manner === "blocked") await expectGoodLooks(page, "payment without Stripe's fields");
      await page.getByLabel("Postal code").fill("EX1 1AA");
      await elsewhere(page).click();
      await payOnStripe(page, "declined");
      await expect(page.getByRole("alert")).toContainText("declined");
      await payOnStripe(page, "authentication");
      await confirmAtBank(page);
      await arriveAtContent(page);
    });
  });
}

test.describe("with Stripe.js hanging", () => {
  test.use({ manner: "held" });

  test("a press before it arrives leads to Stripe's page, and Back to the form", async ({ page, site }) => {
    await reachPayment(page, site);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await submit(page).click();
    await expect(page.getByRole("heading", { level: 1, name: "Pay £60.00" })).toBeVisible();
    await page.goBack();
    await expect(
      page.getByText("You started this payment but didn't finish it. You haven't been charged."),
    ).toBeVisible();
    await page.getByRole("link", { name: "Continue" }).click();
    await payOnStripe(page, "paid");
    await arriveAtContent(page);
  });

  test("the page offers another way after a while, nothing moves, and late fields work", async ({
    page,
    site,
    stripeJs,
  }) => {
    await page.clock.install();
    await reachPayment(page, site);
    await expect(page.getByText("The card fields are loading.")).toBeAttached();
    const top = async () => (await submit(page).or(elsewhere(page)).boundingBox())?.y;
    const before = await top();
    await page.clock.fastForward(6000);
    await expect(page.getByText("The card fields are slow to load.")).toBeVisible();
    await expect(elsewhere(page)).toBeVisible();
    expect(await top()).toBe(before);
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

    test("the button leads to Stripe's page and the bank, and Back to the form", async ({ page, site, stripeJs }) => {
      await reachPayment(page, site);
      await expect(page.getByText("You'll enter your card on our payment provider's page")).toBeVisible();
      await page.getByLabel("Postal code").fill("EX1 1AA");
      await submit(page).click();
      await expect(page.getByRole("heading", { level: 1, name: "Pay £60.00" })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(site.url("/signup?step=3"));
      await page.reload();
      await page.getByRole("link", { name: "Continue" }).click();
      await payOnStripe(page, "authentication");
      await confirmAtBank(page);
      await arriveAtContent(page);
      expect(stripeJs.requests).toEqual([]);
    });
  });
}

test.describe("with our own script late", () => {
  test.use({ script: "late" });

  test("the fields come with it, and keep what was typed", async ({ page, site }) => {
    await reachPayment(page, site);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await site.letScriptArrive();
    await typeCard(page, "paid");
    await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
    await submit(page).click();
    await arriveAtContent(page);
  });
});
