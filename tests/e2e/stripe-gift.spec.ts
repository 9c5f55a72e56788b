import { reachGiftPayment } from "./gift-steps.ts";
import { confirmAtBank } from "./sign-up-steps.ts";
import { expect, payByFields, payOnStripe, test } from "./stripe-fixtures.ts";

test("a gift is paid by Stripe's fields, after a declined card and the giver's bank", async ({ page, site }) => {
  await reachGiftPayment(page, site);
  await payByFields(page, "declined");
  await expect(page.getByRole("group", { name: "Error" }).first()).toContainText("Your bank declined this card");
  await payByFields(page, "authentication");
  await confirmAtBank(page);
  await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
});

test.describe("with Stripe's fields blocked", () => {
  test.use({ manner: "blocked" });

  test("a gift is paid on Stripe's own page", async ({ page, site }) => {
    await reachGiftPayment(page, site);
    await expect(page.getByText("The card fields didn't load.")).toBeVisible();
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await page.getByRole("button", { name: "Pay £60 on the next page" }).click();
    await payOnStripe(page, "paid");
    await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
  });
});

test.describe("without script", () => {
  test.use({ script: "off", javaScriptEnabled: false });

  test("a gift is paid on Stripe's own page", async ({ page, site }) => {
    await reachGiftPayment(page, site);
    await page.getByLabel("Postal code").fill("EX1 1AA");
    await page.getByRole("button", { name: "Submit payment of £60" }).click();
    await payOnStripe(page, "authentication");
    await confirmAtBank(page);
    await expect(page.getByRole("heading", { level: 1, name: "Thank you" })).toBeVisible();
  });
});
