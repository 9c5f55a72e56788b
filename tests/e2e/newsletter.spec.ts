import { readConfig } from "../../server/config.ts";
import { createEndLinks } from "../../server/operations/newsletter/newsletter.ts";
import { createKeyedHash } from "../../server/platform/seal.ts";
import { createDormouse } from "../helpers/dormouse.ts";
import { expect, loseSession, type Site, test } from "./fixtures.ts";
import { expectGoodLooks } from "./looks.ts";
import { findAccount } from "./my-account.ts";
import { addMember } from "./new-member.ts";
import { payBy, reachPayment } from "./sign-up-steps.ts";

/** The path of the link in a member's email, as the demo makes it. */
async function makeEndPath(site: Site, email: string): Promise<string> {
  const { sessionSecret } = readConfig({ DEMO: "true" });
  const operator = createDormouse({ DEMO: "true", DATA_DIR: site.dataDir });
  const { id } = await operator.ask<{ id: number }>("member", "show", email);
  const links = createEndLinks({ keyedHash: (purpose) => createKeyedHash(sessionSecret, purpose) });
  return `/newsletter?end=${links.make(id)}`;
}

test("it is switched on in My Account, and ended by the button behind an email's link", async ({ page, site }) => {
  const email = await addMember(site);
  await site.logIn({ email, path: "/?account=newsletter" });
  await site.letScriptArrive();
  const account = findAccount(page);
  await account.getByRole("button", { name: "Email me once a month" }).click();
  await expect(account.getByText("New this month is on.")).toBeFocused();
  await expect(account.getByText(`we email ${email}`)).toBeVisible();
  await expectGoodLooks(page, "New this month, switched on");

  const path = await makeEndPath(site, email);
  await loseSession(page);
  await page.goto(site.url(path));
  await expectGoodLooks(page, "the link of an email");
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "You're unsubscribed" })).toBeVisible();
  await site.logIn({ email, path: "/?account=newsletter" });
  await expect(findAccount(page).getByRole("button", { name: "Email me once a month" })).toBeVisible();
});

test("the end of sign-up offers it in place, and takes it back", async ({ page, site }) => {
  await reachPayment(page, site);
  await payBy(page, site, "paid");
  await page.getByRole("button", { name: "Email me once a month" }).click();
  await expect(page.getByRole("button", { name: "Stop these emails" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Payment Complete" })).toBeVisible();
  await expectGoodLooks(page, "the end of sign-up, New this month switched on");
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("button", { name: "Email me once a month" })).toBeVisible();
});
