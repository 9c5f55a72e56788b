import { expect } from "../fixtures.ts";
import { addMember } from "../new-member.ts";
import {
  choosePlan,
  confirmAtBank,
  fillCard,
  fillDetails,
  makeEmail,
  payBy,
  payButton,
  reachPayment,
  sendDetails,
  typeCode,
} from "../sign-up-steps.ts";
import { pressAndBeRefused, type Tour } from "./tour.ts";

/** Steps 1 to 3, up to the unverified address. */
export const walkSteps: Tour = async function* ({ page, site }) {
  await site.open("/signup?step=1&expired=1");
  await site.letScriptArrive();
  yield "details, expired";
  await pressAndBeRefused(page, "Sign Up");
  yield "details, all errors";
  await fillDetails(page, "member@dormouse.example");
  await pressAndBeRefused(page, "Sign Up");
  yield "details, registered";
  await fillDetails(page, makeEmail());
  yield "details, filled in";
  await sendDetails(page);
  // A minute later it would be sent, and the checks of a few states may take as long.
  await pressAndBeRefused(page, "Send a new code");
  yield "plan, asked too soon";
  await site.open("/signup?step=2");
  yield "plan";
  await pressAndBeRefused(page, "Confirm");
  yield "plan, none chosen";
  await pressAndBeRefused(page, "Check code");
  yield "plan, no code";
  await site.open("/signup?step=2&sent=1");
  yield "plan, code sent";
  await choosePlan(page, "Yearly");
  await expect(page.getByLabel("Card number")).toBeVisible();
  yield "payment, unverified";
  await payBy(page, site, "paid");
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "payment, asked to verify";
};

export const walkThroughPayment: Tour = async function* ({ page, site }) {
  await reachPayment(page, site);
  await expect(page.getByLabel("Card number")).toBeVisible();
  yield "payment";
  await fillCard(page, "declined");
  await page.getByLabel("CVC").fill("1");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await payButton(page).click();
  await expect(page.getByText("The CVC is the three or four digits on the card.").first()).toBeVisible();
  yield "payment, wrong CVC";
  await payBy(page, site, "declined");
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "payment, declined";
  await payBy(page, site, "authentication");
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  yield "bank";
  const bank = page.url();
  await site.open("/signup?step=3");
  await expect(page.getByLabel("Card number")).toBeVisible();
  yield "payment, unfinished";

  // The gateway does not know this payment method, so the outcome is unknown.
  const answer = { body: JSON.stringify({ methodId: "pm_demo_unknown" }), contentType: "application/json" };
  await page.route("**/demo-gateway/methods", (route) => route.fulfill(answer));
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "One moment" })).toBeVisible();
  yield "checking";
  await page.goto(bank);
  await expect(page.getByRole("heading", { level: 1, name: "There is nothing to do here" })).toBeVisible();
  yield "bank, over";
};

/** Another person registers the visitor's address during authentication, so the payment is refunded. */
export const walkToARefund: Tour = async function* ({ page, site }) {
  const email = await reachPayment(page, site);
  await payBy(page, site, "authentication");
  await expect(page.getByRole("heading", { level: 1, name: /^Your bank asks/ })).toBeVisible();
  await addMember(site, email);
  await confirmAtBank(page);
  await expect(page.getByRole("heading", { level: 1, name: "We're refunding your payment" })).toBeVisible();
  yield "payment, returned";
};

/** All forms of step 4, and the receipt. */
export const walkToTheEnd: Tour = async function* ({ page, site }) {
  await site.open("/signup?step=4");
  yield "improve your sleep";
  await reachPayment(page, site);
  await payBy(page, site, "paid");
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  yield "confirmation";
  await page.getByRole("link", { name: "View receipt" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Receipt" })).toBeVisible();
  yield "receipt";
};

export const walkWithCode: Tour = async function* ({ page, site }) {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await site.letScriptArrive();
  await fillDetails(page, email, "DORMOUSE-FULL");
  await pressAndBeRefused(page, "Sign Up");
  yield "details, corporate, no seat left";
  await fillDetails(page, email, "DORMOUSE-DEMO");
  await sendDetails(page);
  await typeCode(page, site, email);
  yield "plan, corporate";
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  await pressAndBeRefused(page, "Submit and join");
  yield "payment, corporate, no postal code";
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await payButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  yield "confirmation, corporate";
};
