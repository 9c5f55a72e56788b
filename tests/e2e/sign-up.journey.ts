import { circumstances } from "./circumstances.ts";
import { expect, test } from "./fixtures.ts";
import {
  arriveAtContent,
  choosePlan,
  confirmAtBank,
  fillDetails,
  makeEmail,
  payAgainBy,
  payBy,
  readDecline,
  sendDetails,
  typeCode,
  walkToPayment,
} from "./sign-up-steps.ts";

for (const { name, use } of circumstances) {
  test.describe(name, () => {
    test.use(use);

    test("an individual goes from the welcome to an article; late script keeps what was typed", async ({
      page,
      site,
    }) => {
      const email = makeEmail();
      await site.open("/?view=read&item=1003");
      await expect(page.getByRole("heading", { level: 1, name: "A quiet place for bad nights" })).toBeVisible();
      await page.getByRole("link", { name: "Next" }).click();
      await fillDetails(page, email);
      await site.letScriptArrive();
      await expect(page.getByLabel("Email")).toHaveValue(email);
      await expect(page.getByRole("radio", { name: "Individual" })).toBeChecked();
      await expect(page.getByLabel("Confirm password")).not.toHaveValue("");
      await expect(page.getByLabel("Dormouse code")).toBeHidden();
      await sendDetails(page);
      await choosePlan(page, "1 Month");
      await typeCode(page, site, email);
      await payBy(page, site, "paid");
      await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
      await expect(page).toHaveTitle("Payment Complete – Dormouse");
      await expect(page.getByText(`We've sent a receipt to ${email}.`)).toBeVisible();
      await page.getByRole("link", { name: "View receipt" }).click();
      await expect(page.getByText("£15.00")).toBeVisible();
      await site.open("/?view=read&item=1003");
      await expect(page.getByRole("heading", { level: 1, name: /Waking at 3 am/ })).toBeVisible();
    });

    test("joining by a company's code costs nothing", async ({ page, site }) => {
      const email = makeEmail();
      await site.open("/signmeup");
      await fillDetails(page, email, "dormouse-full");
      await page.getByRole("button", { name: "Sign Up" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("All the places on this code are used.");
      await expect(page.getByLabel("Email")).toHaveValue(email);
      await fillDetails(page, email, "DORMOUSE-DEMO");
      await sendDetails(page);
      await site.letScriptArrive();
      await expect(page.getByText("12 Month Subscription")).toBeVisible();
      await page.getByRole("button", { name: "Confirm" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Payment" })).toBeVisible();
      await typeCode(page, site, email);
      await expect(page.getByLabel("Card number")).toHaveCount(0);
      await page.getByLabel("Postal code").fill("EX1 1AA");
      await page.getByRole("button", { name: "Submit and join" }).click();
      await arriveAtContent(page);
    });

    test("a declined card is followed by one with a bank's page; what was typed stays", async ({ page, site }) => {
      await walkToPayment(page, site);
      await page.getByLabel("Postal code").fill("EX1 1AA");
      await site.letScriptArrive();
      await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
      await payBy(page, site, "declined");
      await readDecline(page, site);
      if (site.hasScript) await expect(page.getByLabel("Postal code")).toHaveValue("EX1 1AA");
      await payAgainBy(page, site, "authentication");
      await confirmAtBank(page);
      await arriveAtContent(page);
    });
  });
}
