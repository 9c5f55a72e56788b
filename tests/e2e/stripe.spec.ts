import { expectGoodLooks } from "./looks.ts";
import { arriveAtContent, reachPayment, walkToPayment } from "./sign-up-steps.ts";
import { expect, hasStripe, payByFields, stripeField, test, typeCard } from "./stripe-fixtures.ts";

test("somebody pays through Stripe's fields, and only the payment step asks Stripe for anything", async ({
  page,
  site,
  stripe,
  stripeJs,
}) => {
  await walkToPayment(page, site);
  await payByFields(page, "paid");
  await arriveAtContent(page);
  expect(await hasStripe(page)).toBe(false);
  expect(await page.evaluate(() => document.querySelectorAll("iframe").length)).toBe(0);
  const hosts = new Set(stripeJs.requests.map((address) => new URL(address).host));
  expect([...hosts].toSorted()).toEqual(["api.stripe.com", "js.stripe.com"]);
  expect(stripe.calls.map(({ call }) => call)).toContain("POST /v1/payment_intents");
});

test("Stripe is asked for nothing before the payment step, and told what the payer's bank wants to know", async ({
  page,
  site,
  stripe,
  stripeJs,
}) => {
  await site.open("/signup?step=1");
  await site.open("/login");
  expect(stripeJs.requests).toEqual([]);
  const email = await walkToPayment(page, site);
  await typeCard(page, "paid");
  expect(await stripeJs.readOptions()).toMatchObject({
    key: stripe.keys.publishableKey,
    options: { locale: "en-GB" },
    elements: { cardNumber: { placeholder: "1234 1234 1234 1234" }, cardExpiry: {}, cardCvc: {} },
  });
  await payByFields(page, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  expect(stripeJs.methods).toEqual([
    {
      type: "card",
      key: stripe.keys.publishableKey,
      "card[token]": "pm_card_visa",
      "billing_details[name]": "Nora Penn",
      "billing_details[email]": email,
      "billing_details[address][postal_code]": "EX1 1AA",
      "billing_details[address][country]": "GB",
    },
  ]);
});

test("a declined card is told in words, what was typed stays, and the next one pays", async ({ page, site }) => {
  await reachPayment(page, site);
  await payByFields(page, "declined");
  await expect(page.getByRole("group", { name: "Error" }).first()).toContainText("Your bank declined this card");
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await expect(stripeField(page, "number")).not.toHaveValue("");
  await payByFields(page, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
});

test("a bank that asks who pays is answered, first wrongly, then rightly", async ({ page, site }) => {
  await reachPayment(page, site);
  await payByFields(page, "authentication");
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page.getByRole("group", { name: "Error" }).first()).toContainText(
    "Your bank could not confirm that it was you.",
  );
  await payByFields(page, "authentication");
  await expect(page.getByRole("heading", { level: 1, name: "Your bank asks" })).toBeVisible();
  await page.getByRole("button", { name: "Complete" }).click();
  await arriveAtContent(page);
});

test("what is wrong with a card is said beside its field, in our words, and the first such field has the focus", async ({
  page,
  site,
}) => {
  await reachPayment(page, site);
  await stripeField(page, "number").fill("4242 4242 4242 4241");
  await stripeField(page, "expiry").fill("12 / 20");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
  const group = (name: string) => page.getByRole("group", { name, exact: true });
  await expect(group("Card number")).toHaveAccessibleDescription(/The card number is not right/);
  await expect(group("Expiry")).toHaveAccessibleDescription(/This card has expired/);
  await expect(group("CVC")).toHaveAccessibleDescription(/Please enter the CVC/);
  await expect(stripeField(page, "number")).toBeFocused();
  await expect(page.getByText("Stripe's own words.")).toHaveCount(0);
  await typeCard(page, "paid");
  await expect(page.getByText("This card has expired")).toHaveCount(0);
  await page.getByText("Expiry", { exact: true }).click();
  await expect(stripeField(page, "expiry")).toBeFocused();
});

test("Stripe's own refusal of a card, and its silence, are told in our words, and nothing typed is lost", async ({
  page,
  site,
  stripeJs,
}) => {
  await reachPayment(page, site);
  stripeJs.answerWith({ error: { type: "card_error", code: "incorrect_cvc" } });
  await payByFields(page, "paid");
  await expect(page.getByRole("group", { name: "CVC" })).toHaveAccessibleDescription(/The CVC is not right/);
  await expect(stripeField(page, "cvc")).toBeFocused();
  stripeJs.answerWith("nothing");
  await payByFields(page, "paid");
  await expect(page.getByText("Error: Our payment provider could not be reached. Nothing was taken.")).toBeVisible();
  await expect(stripeField(page, "number")).not.toHaveValue("");
  stripeJs.answerWith();
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
});

test("the fields follow the scheme, and the step with them looks good, refused too", async ({
  page,
  site,
  stripeJs,
}) => {
  await reachPayment(page, site);
  await typeCard(page, "paid");
  const colour = async () => (await stripeJs.readOptions()).elements.cardNumber?.style?.base?.color;
  for (const [preferred, expected] of [
    ["dark", "#ece6d8"],
    ["light", "#1d2530"],
  ] as const) {
    await page.emulateMedia({ colorScheme: preferred });
    await expect.poll(colour).toBe(expected);
  }
  await expectGoodLooks(page, "payment by Stripe's fields");
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
  await expect(page.getByText("Please enter your postal code")).not.toHaveCount(0);
  await expectGoodLooks(page, "payment by Stripe's fields, refused");
});
