import type { Page } from "@playwright/test";

import { PASSWORD } from "../helpers/newcomer.ts";
import { expect, test, type Site } from "./fixtures.ts";
import {
  arriveAtContent,
  choosePlan,
  fillCard,
  fillDetails,
  makeEmail,
  payBy,
  payButton,
  reachPayment,
  readVerification,
  sendDetails,
  typeCode,
  waitForLetter,
} from "./sign-up-steps.ts";

/** Holds back answers to what script asks of sign-up, one gate for forms and one for the pages after them. */
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

async function countReceipts(site: Site, email: string): Promise<number> {
  await waitForLetter(site, email, "Your receipt");
  return (await site.listLetters(email)).filter(({ subject }) => subject.startsWith("Your receipt")).length;
}

test("the pay button says what is happening, keeps its width and cannot be pressed twice", async ({ page, site }) => {
  const email = await reachPayment(page, site);
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
  await expect(button).toHaveText("Please wait...");
  expect((await button.boundingBox())?.width).toBe(width);
  held.answerNext();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeFocused();
  expect(held.posts).toHaveLength(1);
  expect(await countReceipts(site, email)).toBe(1);
});

test("the card goes to the gateway alone, and nothing of a sign-up stays in the browser's storage", async ({
  page,
  site,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (!request.url().includes("/demo-gateway/")) sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  await reachPayment(page, site);
  await payBy(page, site, "paid");
  await arriveAtContent(page);
  expect(sent.some((request) => request.includes("pm_demo_"))).toBe(true);
  expect(sent.join(" ")).not.toMatch(/4242|cvc/i);
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, window.history.state, document.cookie]),
  );
  expect(kept).not.toMatch(/4242|@example|Penn|EX1/);
  expect(kept).not.toContain(PASSWORD);
});

test("what is wrong with a card is said beside its field, and the rest stays", async ({ page, site }) => {
  await reachPayment(page, site);
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await page.getByLabel("Card number").fill("4242 4242 4242 4242");
  await page.getByLabel("Expiry").fill("01 / 20");
  await page.getByLabel("CVC").fill("123");
  await payButton(page).click();
  const expiry = page.getByLabel("Expiry");
  await expect(expiry).toHaveAccessibleDescription(/This card has expired\. Please use another one\.$/);
  await expect(expiry).toBeFocused();
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await page.route("**/demo-gateway/methods", (route) => route.abort());
  await payButton(page).click();
  await expect(page.getByRole("alert")).toContainText("Our payment provider could not be reached. Nothing was taken.");
  await page.unroute("**/demo-gateway/methods");
  await fillCard(page, "poor");
  await payButton(page).click();
  await expect(page.getByRole("alert")).toContainText("there is not enough money in this account. Nothing was taken.");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel("Card number")).toHaveValue("4000 0000 0000 9995");
  await fillCard(page, "paid");
  await payButton(page).click();
  await arriveAtContent(page);
});

test("a bank's page that fails, or is left by Back, ends at the payment step with words and a button that works", async ({
  page,
  site,
}) => {
  const email = await reachPayment(page, site);
  await payBy(page, site, "authentication");
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "Your bank could not confirm that it was you. Nothing was taken.",
  );
  await expect(page).toHaveTitle("Error: Payment – Dormouse");

  await payBy(page, site, "authentication");
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  await expect(payButton(page)).toHaveText("Submit payment of £60");
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("This payment was begun and not finished. Nothing was taken.");
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.goBack();
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  expect(await countReceipts(site, email)).toBe(1);
});

test("after it is paid Back and a reload show the confirmation, or the dashboard, and never the card again", async ({
  page,
  site,
}) => {
  const email = await reachPayment(page, site);
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  for (let count = 0; count < 3; count += 1) {
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: /Payment Complete|Let's Get Started/ })).toBeVisible();
    await expect(page.getByLabel("Card number")).toHaveCount(0);
  }
  expect(await countReceipts(site, email)).toBe(1);
});

test("the link opened on a phone lets the waiting window pay", async ({ page, site, browser }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await sendDetails(page);
  await choosePlan(page, "3 Monthly");
  const { link } = await readVerification(site, email);
  await using phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const letter = await phone.newPage();
  await letter.goto(link);
  await expect(letter.getByText(email)).toBeVisible();
  await letter.getByRole("button", { name: "Verify my email" }).click();
  await expect(letter.getByRole("heading", { level: 1, name: "Your email is verified." })).toBeVisible();
  await letter.goto(link);
  await expect(letter.getByRole("heading", { level: 1, name: "This link does not work" })).toBeVisible();

  // The window still asks for the code: paying is enough.
  await payBy(page, site, "paid");
  await arriveAtContent(page);
});

test("paying before the address is verified asks for it, and keeps card and postal code", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await sendDetails(page);
  await choosePlan(page, "Yearly");
  await payBy(page, site, "paid");
  await expect(page.getByRole("alert")).toContainText("Please verify your email");
  await page.getByRole("alert").getByRole("link").click();
  await expect(page.getByLabel("Verification code")).toBeFocused();
  const { code } = await readVerification(site, email);
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your email is verified.")).toBeVisible();
  await expect(page.getByLabel("Card number")).toHaveValue("4242 4242 4242 4242");
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await payButton(page).click();
  await arriveAtContent(page);
});

test("two tabs with two plans: the one that shows the old plan is told, not charged", async ({ page, site }) => {
  const email = await reachPayment(page, site);
  const other = await page.context().newPage();
  await other.goto(site.url("/signup?step=2"));
  await choosePlan(other, "1 Month");
  await payBy(page, site, "paid");
  await expect(page.getByRole("alert")).toContainText("Your plan was changed in another window.");
  await expect(payButton(page)).toHaveText("Submit payment of £15");
  await payBy(other, site, "paid");
  await expect(other.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await payButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  expect(await countReceipts(site, email)).toBe(1);
});

test("without a connection a form stays as it was typed, says so, and goes out once when it is back", async ({
  page,
  site,
}) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await expect(page.getByRole("button", { name: "Show password" }).first()).toBeVisible();
  await page.route("**/*.data*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("alert")).toContainText("You seem to be offline. What you typed is still here:");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByRole("radio", { name: "Individual" })).toBeChecked();
  await page.unroute("**/*.data*");
  await sendDetails(page);
  await typeCode(page, site, email);
  await choosePlan(page, "1 Month");

  // The payment arrives, and its answer is lost.
  await page.route("**/signup.data*", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort("internetdisconnected");
  });
  await payBy(page, site, "paid");
  await expect(page.getByRole("alert")).toContainText("we cannot say yet whether you have paid. Press again");
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await expect(payButton(page)).toHaveText("Submit payment of £15");
  await page.unroute("**/signup.data*");
  await payButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  expect(await countReceipts(site, email)).toBe(1);
});

test("what was typed into the details survives a look at log-in and back, but for the passwords", async ({
  page,
  site,
}) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await expect(page.getByRole("button", { name: "Show password" }).first()).toBeVisible();
  await page.getByRole("link", { name: "Log In", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Surname")).toHaveValue("Penn");
  await expect(page.getByRole("radio", { name: "Individual" })).toBeChecked();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  await expect(page.getByLabel("Confirm password")).toHaveValue("");
});

test("every error stands in a summary that has the focus, and its links lead to the fields", async ({ page, site }) => {
  await site.open("/signup?step=1");
  await page.getByRole("button", { name: "Sign Up" }).click();
  const summary = page.getByRole("alert");
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link")).toHaveText([
    "Please enter the code from your employer. If you have none, ask them for it.",
    "You need to enter a first name.",
    "You need to enter a surname.",
    "You must use a valid email address",
    "Password must be 8 characters or more.",
  ]);
  for (const [label, sentence] of [
    ["Surname", "You need to enter a surname."],
    ["Password", "Password must be 8 characters or more."],
  ] as const) {
    await summary.getByRole("link", { name: sentence }).click();
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(new RegExp(`Error: ${sentence}$`));
  }
});
