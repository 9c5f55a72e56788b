import { budgets } from "../../tools/budgets.ts";
import { expectGoodLooks } from "./looks.ts";
import { arriveAtContent, confirmAtBank, reachPayment, walkToPayment } from "./sign-up-steps.ts";
import { expect, hasStripe, payByFields, stripeField, test, typeCard } from "./stripe-fixtures.ts";

test("only the payment step calls Stripe, with the details that the bank needs @core", async ({
  page,
  site,
  stripe,
  stripeJs,
}) => {
  await site.open("/signup?step=1");
  await site.open("/login");
  expect(stripeJs.requests).toEqual([]);
  const email = await walkToPayment(page, site);
  await expect(stripeField(page, "number")).toBeVisible();
  expect(await stripeJs.readOptions()).toMatchObject({
    key: stripe.keys.publishableKey,
    options: { locale: "en-GB" },
    elements: { cardNumber: { placeholder: "1234 1234 1234 1234" }, cardExpiry: {}, cardCvc: {} },
  });
  await payByFields(page, "paid");
  await arriveAtContent(page);
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
  expect(await hasStripe(page)).toBe(false);
  expect(await page.evaluate(() => document.querySelectorAll("iframe").length)).toBe(0);
  const hosts = new Set(stripeJs.requests.map((address) => new URL(address).host));
  expect([...hosts].toSorted()).toEqual(["api.stripe.com", "js.stripe.com"]);
  expect(stripe.calls.map(({ call }) => call)).toContain("POST /v1/payment_intents");
});

test("what was typed stays after a declined card and after the bank's refusal", async ({ page, site }) => {
  await reachPayment(page, site);
  await payByFields(page, "declined");
  const error = page.getByRole("group", { name: "Error" }).first();
  await expect(error).toContainText("Your bank declined this card");
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await expect(stripeField(page, "number")).not.toHaveValue("");
  await payByFields(page, "authentication");
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(error).toContainText("Your bank couldn't confirm it was you.");
  await payByFields(page, "authentication");
  await confirmAtBank(page);
  await arriveAtContent(page);
});

test("a card's errors are beside its fields, in our sentences, and the summary leads to them @core", async ({
  page,
  site,
}) => {
  await reachPayment(page, site);
  await stripeField(page, "number").fill("4242 4242 4242 4241");
  await stripeField(page, "expiry").fill("12 / 20");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
  const group = (name: string) => page.getByRole("group", { name, exact: true });
  await expect(group("Card number")).toHaveAccessibleDescription(/The card number isn't right/);
  await expect(group("Expiry")).toHaveAccessibleDescription(/This card has expired/);
  await expect(group("CVC")).toHaveAccessibleDescription(/Enter the CVC/);
  const summary = page.getByRole("group", { name: "Error" });
  await expect(summary).toBeFocused();
  await summary.getByRole("link", { name: "The card number isn't right. Please check the digits." }).click();
  await expect(stripeField(page, "number")).toBeFocused();
  await expect(page.getByText("Stripe's own words.")).toHaveCount(0);
  await typeCard(page, "paid");
  await expect(summary).toHaveCount(0);
  await page.getByText("Expiry", { exact: true }).click();
  await expect(stripeField(page, "expiry")).toBeFocused();
});

test("Stripe's refusal and silence are shown in our sentences, and nothing typed is lost", async ({
  page,
  site,
  stripeJs,
}) => {
  await reachPayment(page, site);
  stripeJs.answerWith({ error: { type: "card_error", code: "incorrect_cvc" } });
  await payByFields(page, "paid");
  await expect(page.getByRole("group", { name: "CVC" })).toHaveAccessibleDescription(/The CVC isn't right/);
  await page
    .getByRole("group", { name: "Error" })
    .getByRole("link", { name: /^The CVC/ })
    .click();
  await expect(stripeField(page, "cvc")).toBeFocused();
  stripeJs.answerWith("nothing");
  await payByFields(page, "paid");
  await expect(page.getByRole("group", { name: "Error" })).toContainText("We couldn't reach our payment provider.");
  await expect(stripeField(page, "number")).not.toHaveValue("");
  stripeJs.answerWith();
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
});

test("the fields follow the scheme, and the step passes every check, refused too", async ({ page, site, stripeJs }) => {
  await reachPayment(page, site);
  await typeCard(page, "paid");
  const colour = async () => (await stripeJs.readOptions()).elements.cardNumber?.style?.base?.color;
  for (const [preferred, expected] of [
    ["dark", "rgb(236, 230, 216)"],
    ["light", "rgb(29, 37, 48)"],
  ] as const) {
    await page.emulateMedia({ colorScheme: preferred });
    await expect.poll(colour).toBe(expected);
  }
  await expectGoodLooks(page, "payment by Stripe's fields");
  await page.getByRole("button", { name: "Submit payment of £60" }).click();
  await expect(page.getByText("Enter your postal code")).not.toHaveCount(0);
  await expectGoodLooks(page, "payment by Stripe's fields, refused");
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
    const button = document.querySelector("#pay button[value=pay]");
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

test("the payment step without Stripe's packages stays within the budget of forms", async ({ page, site }) => {
  await reachPayment(page, site);
  // On a busy machine script may come only after what Playwright takes for the network's end.
  await expect(stripeField(page, "number")).toBeVisible();
  await page.waitForLoadState("networkidle");
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
  expect(bytes).toBeLessThanOrEqual(budgets.scriptOfForms);
  const lazy = own.find(isStripe)?.encodedBodySize;
  test.info().annotations.push({ type: "script of the step", description: `${bytes} bytes, ${lazy} lazy` });
});
