import type { Page } from "@playwright/test";

import { createDormouse } from "../helpers/dormouse.ts";
import { expect, test, type Site } from "./fixtures.ts";
import { expectGoodLooks, expectNoShift } from "./looks.ts";
import {
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
} from "./sign-up-steps.ts";

/** What takes seconds to look at, in each state. */
test.describe.configure({ timeout: 120_000 });

function createOperator(site: Site) {
  return createDormouse({ DEMO: "true", DATA_DIR: site.dataDir, ORIGIN: new URL(site.url("/")).origin });
}

/** Presses a button, then looks at what it has brought. */
async function pressAndLook(page: Page, button: string, state: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectGoodLooks(page, state);
}

test("the steps up to the payment look right in every state", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup");
  await expectGoodLooks(page, "welcome");
  await site.open("/signup?step=1&expired=1");
  await expectGoodLooks(page, "details, expired");
  await pressAndLook(page, "Sign Up", "details, all errors");
  await fillDetails(page, "member@dormouse.example");
  await pressAndLook(page, "Sign Up", "details, registered");
  await fillDetails(page, email);
  await expectGoodLooks(page, "details, filled in");
  await sendDetails(page);
  await expectGoodLooks(page, "plan");
  await pressAndLook(page, "Confirm", "plan, none chosen");
  await pressAndLook(page, "Check code", "plan, no code");
  await pressAndLook(page, "Send a new code", "plan, asked too soon");
  await site.open("/signup?step=2&sent=1");
  await expectGoodLooks(page, "plan, code sent");
  await choosePlan(page, "Yearly");
  await expect(page.getByLabel("Card number")).toBeVisible();
  await expectGoodLooks(page, "payment, unverified");
  await payBy(page, site, "paid");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectGoodLooks(page, "payment, asked to verify");
});

test("the payment looks right in every state, and so does what comes of it", async ({ page, site }) => {
  await reachPayment(page, site);
  await expect(page.getByLabel("Card number")).toBeVisible();
  await expectGoodLooks(page, "payment");
  await fillCard(page, "declined");
  await page.getByLabel("CVC").fill("1");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await payButton(page).click();
  await expect(page.getByText("The CVC is the three or four digits on the card.")).toBeVisible();
  await expectGoodLooks(page, "payment, wrong CVC");
  await payBy(page, site, "declined");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectGoodLooks(page, "payment, declined");
  await payBy(page, site, "authentication");
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await expectGoodLooks(page, "bank");
  const bank = page.url();
  await site.open("/signup?step=3");
  await expect(page.getByLabel("Card number")).toBeVisible();
  await expectGoodLooks(page, "payment, unfinished");

  // A method that the gateway does not know: nobody can say yet what became of it.
  const answer = { body: JSON.stringify({ methodId: "pm_demo_unknown" }), contentType: "application/json" };
  await page.route("**/demo-gateway/methods", (route) => route.fulfill(answer));
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "One moment" })).toBeVisible();
  await expectGoodLooks(page, "checking");
  await page.goto(bank);
  await expect(page.getByRole("heading", { level: 1, name: "There is nothing to do here" })).toBeVisible();
  await expectGoodLooks(page, "bank, over");
});

test("the end looks right, and the receipt", async ({ page, site }) => {
  await site.open("/signup?step=4");
  await expectGoodLooks(page, "improve your sleep");
  await reachPayment(page, site);
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await expectGoodLooks(page, "confirmation");
  await page.getByRole("link", { name: "View receipt" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Receipt" })).toBeVisible();
  await expectGoodLooks(page, "receipt");
});

test("joining by a code looks right", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email, "DORMOUSE-DEMO");
  await expectGoodLooks(page, "details, corporate");
  await sendDetails(page);
  await typeCode(page, site, email);
  await expectGoodLooks(page, "plan, corporate");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  await pressAndLook(page, "Submit and join", "payment, corporate, no postal code");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await payButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await expectGoodLooks(page, "confirmation, corporate");
});

test("the pages behind the letters' links look right", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await sendDetails(page);
  await page.goto((await readVerification(site, email)).link);
  await expectGoodLooks(page, "verify link");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your email is verified." })).toBeVisible();
  await expectGoodLooks(page, "verified");
  for (const kind of ["verify", "renew"]) {
    await site.open(`/signup?${kind}=x`);
    await expectGoodLooks(page, `bad ${kind} link`);
  }
  const { url } = await createOperator(site).ask<{ url: string }>("member", "renewal-link", "lapsed@dormouse.example");
  await page.goto(url);
  await expectGoodLooks(page, "renewal");
  await page.getByRole("button", { name: "Renew my membership" }).click();
  await expect(page.getByText("You are renewing the membership of")).toBeVisible();
  await expectGoodLooks(page, "plan, renewal");
});

test("the demo gateway's pages look right", async ({ page, site }) => {
  const name = `Moss & Sons ${makeEmail().slice(0, 8)}`;
  const company = ["company", "create", "--name", name, "--email", "office@moss.example"];
  const create = [...company, "--accounts", "5", "--price", "99.00"];
  const debit = await createOperator(site).ask<{ authorisationUrl: string }>(...create);
  await page.goto(debit.authorisationUrl);
  await expectGoodLooks(page, "Direct Debit");
  await pressAndLook(page, "Set up Direct Debit", "Direct Debit, refused");
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your Direct Debit is not set up yet" })).toBeVisible();
  await expectGoodLooks(page, "company, left");

  await reachPayment(page, site);
  await page.getByLabel("Postal code").fill("EX1 1AA");
  // As a browser without card fields sends it.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>("form:has([name=postcode])");
    form?.insertAdjacentHTML("beforeend", '<input type="hidden" name="intent" value="pay">');
    form?.submit();
  });
  await expect(page.getByRole("heading", { level: 1, name: "Pay by card" })).toBeVisible();
  await expectGoodLooks(page, "card page");
  await pressAndLook(page, "Pay £60", "card page, refused");
});

test("nothing on a step of sign-up moves once it is there, fonts late or not", async ({ page, site }) => {
  await page.route("**/*.woff2", async (route) => {
    await page.waitForLoadState("domcontentloaded");
    await route.continue();
  });
  await reachPayment(page, site);
  for (const path of ["/signup", "/signup?verify=x", "/signup?step=1", "/signup?step=2", "/signup?step=3"]) {
    await site.open(path);
    if (path.endsWith("3")) await expect(page.getByLabel("Card number")).toBeVisible();
    await expectNoShift(page, path);
  }
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  for (const path of ["/signup?step=4", "/"]) {
    await site.open(path);
    await expectNoShift(page, path);
  }
});
