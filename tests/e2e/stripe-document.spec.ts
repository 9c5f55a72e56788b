import { arriveAtContent, reachPayment } from "./sign-up-steps.ts";
import { expect, hasStripe, payByFields, stripeField, test } from "./stripe-fixtures.ts";

/** The payment step is a document of its own: its policy lets Stripe in, and no other page keeps Stripe's script. */

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

test("what the payment step weighs without Stripe's packages stays within 128 kB", async ({ page, site }) => {
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
  expect(bytes).toBeLessThanOrEqual(128_000);
  const lazy = own.find(isStripe)?.encodedBodySize;
  test.info().annotations.push({ type: "script of the step", description: `${bytes} bytes, ${lazy} lazy` });
});
