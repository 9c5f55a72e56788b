import type { Page } from "@playwright/test";

import { landingTexts } from "../../app/routes/member/dashboard/landing-texts.ts";
import { PASSWORD } from "../helpers/newcomer.ts";
import { expect, loseSession, test } from "./fixtures.ts";
import { stopClock } from "./playing.ts";
import {
  arriveAtContent,
  countReceipts,
  fillCard,
  payBy,
  payButton,
  payUnseen,
  reachPayment,
  walkToPayment,
} from "./sign-up-steps.ts";

/** Holds the answers to sign-up's forms, and to the pages after them, by a gate each. */
async function holdAnswers(page: Page) {
  const form = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  const posts: string[] = [];
  await page.route("**/signup.data*", async (route) => {
    const isForm = route.request().method() === "POST";
    if (isForm) posts.push(route.request().postData() ?? "");
    await (isForm ? form.promise : next.promise);
    await route.continue();
  });
  return { posts, answerForm: () => form.resolve(), answerNext: () => next.resolve() };
}

test("the pay button says what is happening, keeps its width and cannot be pressed twice @core", async ({
  page,
  site,
}) => {
  await page.clock.install();
  const email = await reachPayment(page, site);
  // Otherwise a busy machine may miss the first of two sentences, which stays for a second and a half.
  await stopClock(page);
  await fillCard(page, "paid");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  const held = await holdAnswers(page);
  const button = payButton(page);
  const width = (await button.boundingBox())?.width;
  await button.dblclick();
  await expect(button).toHaveText("Processing...");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.click({ force: true });
  await page.getByLabel("Postal code").press("Enter");
  held.answerForm();
  await expect(button).toHaveText("Sign up successful, logging you in...");
  expect((await button.boundingBox())?.width).toBe(width);
  await page.clock.resume();
  await expect(button).toHaveText("Please wait...");
  expect((await button.boundingBox())?.width).toBe(width);
  held.answerNext();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeFocused();
  expect(held.posts).toHaveLength(1);
  expect(await countReceipts(site, email)).toBe(1);
});

test("the outcome of a checked payment appears without a press, with the focus @core", async ({ page, site }) => {
  await page.clock.install();
  await reachPayment(page, site);
  // The next page asks again by a timer, which must not fire before the other payment exists.
  await stopClock(page);
  // The gateway does not know this payment method, so the outcome is unknown.
  const answer = { body: JSON.stringify({ methodId: "pm_demo_unknown" }), contentType: "application/json" };
  await page.route("**/demo-gateway/methods", (route) => route.fulfill(answer));
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "One moment" })).toBeFocused();
  const address = page.url();
  // The page now asks about this browser's other sign-up, which was paid.
  await loseSession(page);
  await payUnseen(page, site);
  await page.clock.fastForward(6000);
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeFocused();
  expect(page.url()).toBe(address);
});

test("the card goes to the gateway alone, and nothing stays in the browser's storage", async ({ page, site }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (!request.url().includes("/demo-gateway/")) sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  await walkToPayment(page, site);
  await payBy(page, site, "paid");
  await arriveAtContent(page);
  expect(sent.some((request) => request.includes("pm_demo_"))).toBe(true);
  expect(sent.join(" ")).not.toMatch(/4242|cvc/i);
  const stored = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, window.history.state, document.cookie]),
  );
  expect(stored).not.toMatch(/4242|@example|Penn|EX1/);
  expect(stored).not.toContain(PASSWORD);
});

test("a card's error is beside its field, and the other fields stay @core", async ({ page, site }) => {
  await reachPayment(page, site);
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByLabel("Card number").fill("4242 4242 4242 4242");
  await page.getByLabel("Expiry").fill("01 / 20");
  await page.getByLabel("CVC").fill("123");
  await payButton(page).click();
  const expiry = page.getByLabel("Expiry");
  await expect(expiry).toHaveAccessibleDescription(/This card has expired\. Please use another one\.$/);
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await page.route("**/demo-gateway/methods", (route) => route.abort());
  await payButton(page).click();
  await expect(page.getByRole("group", { name: "Error" })).toContainText(
    "We couldn't reach our payment provider. You haven't been charged.",
  );
  await page.unroute("**/demo-gateway/methods");
  await fillCard(page, "poor");
  await payButton(page).click();
  await expect(page.getByRole("group", { name: "Error" })).toContainText(
    "there isn't enough money in this account. You haven't been charged.",
  );
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  await expect(page.getByLabel("Card number")).toHaveValue("4000 0000 0000 9995");
  await fillCard(page, "paid");
  await payButton(page).click();
  await arriveAtContent(page);
});

test("a bank's refusal and Back lead to the payment step, which says so and works", async ({ page, site }) => {
  const email = await reachPayment(page, site);
  await payBy(page, site, "authentication");
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page.getByRole("group", { name: "Error" })).toContainText(
    "Your bank couldn't confirm it was you. You haven't been charged.",
  );
  await expect(page).toHaveTitle("Error: Payment – Dormouse");

  await payBy(page, site, "authentication");
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  await expect(payButton(page)).toHaveText("Submit payment of £60");
  await page.reload();
  await expect(page.getByRole("group", { name: "Error" })).toContainText(
    "You started this payment but didn't finish it. You haven't been charged.",
  );
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.goBack();
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  expect(await countReceipts(site, email)).toBe(1);
});

test("after payment Back and a reload never show the card fields again", async ({ page, site }) => {
  const email = await walkToPayment(page, site);
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  for (let count = 0; count < 3; count += 1) {
    await page.goBack();
    await expect(
      page.getByRole("heading", { level: 1, name: new RegExp(`Payment Complete|${landingTexts.heading}`) }),
    ).toBeVisible();
    await expect(page.getByLabel("Card number")).toHaveCount(0);
  }
  expect(await countReceipts(site, email)).toBe(1);
});
