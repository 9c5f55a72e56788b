import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";

import { codeAt, OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { expect, waitForLooks, type Site } from "./fixtures.ts";
import { openServices } from "./new-member.ts";

export type NewOperator = {
  email: string;
  secret: string;
  invitation: string;
};

export async function addOperator(site: Site): Promise<NewOperator> {
  const { operators } = await openServices({ settings: site.deskSettings });
  const email = `${randomUUID()}@desk.example`;
  const added = await operators.add({ email, name: "Olive", role: "owner" });
  const found = added && (await operators.showSecret(added.invitation));
  if (!added || !found) throw new Error(`${email} could not be added`);
  return {
    email,
    secret: found.secret,
    invitation: `/desk?invitation=${added.invitation}`,
  };
}

/** The present code of the operator's app. */
export const toCode = ({ secret }: NewOperator): string => codeAt(secret, new Date());

/** Opens the invitation and sets the account up; the recovery codes are on the page then. */
export async function begin(page: Page, site: Site, operator: NewOperator): Promise<void> {
  await site.open(operator.invitation);
  await expect(page.getByRole("heading", { level: 1, name: "Welcome to the desk" })).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(OPERATOR_PASSWORD);
  await page.getByLabel("Confirm password").fill(OPERATOR_PASSWORD);
  await page.getByLabel("One-time code", { exact: true }).fill(toCode(operator));
  await page.getByRole("button", { name: "Set up my account" }).click();
  await expect(page.getByText("Write them down now")).toBeVisible();
}

export async function openDesk(page: Page, site: Site, path = "/desk"): Promise<NewOperator> {
  const operator = await addOperator(site);
  const form = {
    intent: "accept-invitation",
    password: OPERATOR_PASSWORD,
    passwordConfirmation: OPERATOR_PASSWORD,
    code: toCode(operator),
  };
  const { origin } = new URL(site.url("/"));
  const answer = await page.request.post(site.url(operator.invitation), { form, headers: { Origin: origin } });
  expect(answer.status()).toBe(200);
  await site.open(path);
  return operator;
}

/** Opens the desk's menu, which has the log-out, and on a phone the other screens. */
export async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
}

/** By the row of tabs on a desktop, by the menu on a phone. */
export async function goToTab(page: Page, label: string): Promise<void> {
  const tabs = page.getByRole("navigation", { name: "Desk" });
  // Without its style sheet a phone shows the row, too.
  await waitForLooks(page);
  if (!(await tabs.isVisible())) await openMenu(page);
  await page
    .getByRole("navigation", { name: /^(?:Desk|Menu)$/ })
    .getByRole("link", { name: label, exact: true })
    .click();
}

export async function logOut(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole("button", { name: "Log Out", exact: true }).click();
}

export async function endDeskSessions(site: Site, { email }: NewOperator): Promise<void> {
  const { operators, transact } = await openServices({ settings: site.deskSettings });
  const operator = await operators.find(email);
  if (operator) await transact((trx) => operators.endSessions(operator.id, undefined, trx));
}

/** Adds a company with two years of contract, three counted months, and a contact. */
export async function addCompany(site: Site): Promise<{ name: string; contact: string }> {
  const services = await openServices(site);
  const { companies, companyPage, transact, clock } = services;
  const name = `Pillow Works ${randomUUID().slice(0, 8)}`;
  const contact = `${randomUUID()}@pillow.example`;
  const links = { returnUrl: services.site, exitUrl: services.site };
  const made = await companies.create({ name, contactEmail: contact, accounts: 60, priceInPence: 180_000 }, links);
  if (!made.ok) throw new Error(`${name} could not be added: ${made.reason}`);
  const companyId = made.company.id;
  const at = clock();
  const year = { companyId, amountInPence: 180_000, dueAt: at, createdAt: at, updatedAt: at };
  const month = { companyId, joined: 5 };
  await transact(async (trx) => {
    await trx.updateTable("companies").set({ state: "live" }).where("id", "=", companyId).execute();
    await trx
      .insertInto("collections")
      .values([
        { ...year, period: 0, state: "paid-out" },
        { ...year, period: 1, state: "due" },
      ])
      .execute();
    await trx
      .insertInto("companyMonths")
      .values([
        { ...month, month: "2026-08", seatsTaken: 0 },
        { ...month, month: "2026-09", seatsTaken: 5 },
        { ...month, month: "2026-10", seatsTaken: 10 },
      ])
      .execute();
    const invited = await companyPage.invite({ companyId, email: contact, site: site.url("/") }, trx);
    if (!invited.ok) throw new Error(`${contact} could not be invited: ${invited.reason}`);
  });
  return { name, contact };
}
