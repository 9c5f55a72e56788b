import { expect, test } from "./fixtures.ts";
import { loseConnection } from "./network.ts";
import {
  arriveAtContent,
  choosePlan,
  countReceipts,
  fillCard,
  fillDetails,
  makeEmail,
  payBy,
  payButton,
  readVerification,
  sendDetails,
  typeCode,
} from "./sign-up-steps.ts";

test("the link opened on a phone lets the waiting window pay", async ({ page, site, browser }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await sendDetails(page);
  await choosePlan(page, "3 Monthly");
  const { link } = await readVerification(site, email);
  await using phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const mail = await phone.newPage();
  await mail.goto(link);
  await expect(mail.getByText(email)).toBeVisible();
  await mail.getByRole("button", { name: "Verify my email" }).click();
  await expect(mail.getByRole("heading", { level: 1, name: "Your email is verified." })).toBeVisible();
  await mail.goto(link);
  await expect(mail.getByRole("heading", { level: 1, name: "This link doesn't work" })).toBeVisible();

  // The other window still asks for the code: paying is enough. A wrong card is refused here, and never leads to the
  // gateway's page.
  await fillCard(page, "paid");
  await page.getByLabel("Expiry").fill("01 / 20");
  await page.getByLabel("Postal code").fill("EX1 1AA");
  await payButton(page).click();
  await expect(page.getByRole("group", { name: "Error" })).toContainText("This card has expired.");
  await payBy(page, site, "paid");
  await arriveAtContent(page);
});

test("paying before the address is verified asks for it, and keeps card and postal code", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await sendDetails(page);
  // Enter confirms the plan, although the form's first button checks the code.
  await page.getByRole("radio", { name: /^Yearly / }).press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
  await payBy(page, site, "paid");
  await expect(page.getByRole("group", { name: "Error" })).toContainText("Please verify your email");
  await page.getByRole("group", { name: "Error" }).getByRole("link").click();
  await expect(page.getByLabel("Verification code")).toBeFocused();
  const { code } = await readVerification(site, email);
  await page.keyboard.type(code);
  // The form is sent by one press at a time, and under way until its page is read again.
  await expect(page.locator("form[aria-busy=true]")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your email is verified.")).toBeVisible();
  await expect(page.getByLabel("Card number")).toHaveValue("4242 4242 4242 4242");
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await payButton(page).click();
  await arriveAtContent(page);
});

test("without a connection a form says so, keeps what was typed, and is sent once @core", async ({ page, site }) => {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await fillDetails(page, email);
  await expect(page.getByRole("button", { name: "Show password" }).first()).toBeVisible();
  const reconnect = await loseConnection(page);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("group", { name: "Error" })).toContainText(
    "You seem to be offline. What you typed is still here.",
  );
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByRole("radio", { name: "Individual" })).toBeChecked();
  await reconnect();
  await sendDetails(page);
  await typeCode(page, site, email);
  await choosePlan(page, "1 Month");

  // The payment arrives; its answer is lost.
  await page.route("**/signup.data*", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort("internetdisconnected");
  });
  await payBy(page, site, "paid");
  await expect(page.getByRole("group", { name: "Error" })).toContainText(
    "we don't know yet whether you've paid. Try again",
  );
  await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
  await expect(payButton(page)).toHaveText("Submit payment of £15");
  await page.unroute("**/signup.data*");
  await payButton(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  expect(await countReceipts(site, email)).toBe(1);
});

test("typed details survive a visit to log-in and Back, except for the passwords", async ({ page, site }) => {
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

test("every error is in a summary that has the focus, and its links lead to the fields @core", async ({
  page,
  site,
}) => {
  await site.open("/signup?step=1");
  await page.getByRole("button", { name: "Sign Up" }).click();
  const summary = page.getByRole("group", { name: "Error" });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link")).toHaveText([
    "Enter the code from your employer, or choose Individual.",
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
