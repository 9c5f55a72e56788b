import type { Page } from "@playwright/test";

import { createDormouse } from "../helpers/dormouse.ts";
import { linkIn } from "../helpers/mailbox.ts";
import { expect, loseSession, type Site, test } from "./fixtures.ts";
import type { AppName } from "./app.ts";
import { pressOn, typeInto } from "./keyboard.ts";
import { arriveAtContent, fillDetails, makeEmail, sendDetails, typeCode, waitForEmail } from "./sign-up-steps.ts";

const apps: AppName[] = ["embedded", "real"];

for (const app of apps) {
  test.describe(`in the ${app} app`, () => {
    test.use({ app });

    test("a company is added and agrees; its code fills a seat, and is revoked", async ({ page, site }) => {
      const dormouse = createDormouse(site.settings);
      const office = makeEmail();
      const name = `Pillow Works ${office.slice(0, 8)}`;
      const create = ["company", "create", "--name", name, "--email", office, "--accounts", "50", "--price", "1500.00"];
      const created = await dormouse.ask<{ code: string; authorisationUrl: string }>(...create);
      const mailed = await waitForEmail(site, office, "Direct Debit");
      expect(linkIn(mailed)).toBe(created.authorisationUrl);

      await page.goto(created.authorisationUrl);
      await agree(page, site, name);
      await expect(page.getByRole("heading", { level: 1, name: "Your Direct Debit is set up" })).toBeVisible();
      await expect.poll(() => dormouse.ask("company", "show", name)).toMatchObject({ state: "live", seatsTaken: 0 });

      const email = makeEmail();
      await site.open("/signup?step=1");
      await fillDetails(page, email, created.code);
      await sendDetails(page);
      await typeCode(page, site, email);
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByLabel("Postal code").fill("EX1 1AA");
      await page.getByRole("button", { name: "Submit and join" }).click();
      await arriveAtContent(page);
      expect(await dormouse.ask("company", "show", name)).toMatchObject({ seatsTaken: 1, accounts: 50 });

      await dormouse.ask("code", "revoke", created.code);
      await loseSession(page);
      await site.open("/signup?step=1");
      await fillDetails(page, makeEmail(), created.code);
      await page.getByRole("button", { name: "Sign Up" }).click();
      await expect(page.getByRole("group", { name: "Error" })).toContainText("This code is no longer in use.");
    });
  });
}

/** Agrees to a Direct Debit on the gateway's page; on the demo's by keyboard alone. */
async function agree(page: Page, site: Site, name: string): Promise<void> {
  if (site.debits === "gocardless") return page.getByRole("button", { name: "Set up this Direct Debit" }).click();
  await expect(page.getByText(`For ${name}.`)).toBeVisible();
  await site.letScriptArrive();
  const setUp = page.getByRole("button", { name: "Set up Direct Debit" });
  await pressOn(page, setUp);
  await expect(page.getByRole("group", { name: "Error" })).toContainText("Please enter the name on the account.");
  await expect(page.getByRole("group", { name: "Error" })).toBeFocused();
  await typeInto(page, page.getByLabel("Account holder name"), name);
  await typeInto(page, page.getByLabel("Account number"), "55779911");
  await typeInto(page, page.getByLabel("Sort code"), "20-00-00");
  await pressOn(page, setUp);
}
