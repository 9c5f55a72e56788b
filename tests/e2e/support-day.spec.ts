import type { Locator, Page } from "@playwright/test";

import { OPERATOR_PASSWORD } from "../helpers/desk.ts";
import { codeIn } from "../helpers/mailbox.ts";
import { expect, loseSession, type Site, test } from "./fixtures.ts";
import { addCompany, openDesk } from "./operators.ts";
import { addMember } from "./new-member.ts";
import { payUnseen, waitForEmail } from "./sign-up-steps.ts";

/** The requests of docs/operating/support.md, one after another, by an operator with the desk alone. */
test("a day of support needs no shell", async ({ page, site }) => {
  test.setTimeout(180_000);
  page.setDefaultTimeout(20_000);
  const paid = await payElsewhere(site, page);
  const [misspelt, moving, doubled] = [await addMember(site), await addMember(site), await addMember(site)];
  const { name: company } = await addCompany(site);
  await openDesk(page, site);

  await test.step("1. “My name is spelt wrong”", async () => {
    await findMember(page, misspelt);
    await act(page, "Correct the name", { says: "name", fields: { "First name": "Inés", Surname: "Marlowe" } });
    await expect(page.getByRole("heading", { level: 1, name: "Inés Marlowe" })).toBeVisible();
  });

  await test.step("2. “I forgot my password, and no email comes”", async () => {
    await act(page, "Send a code for a new password", { says: "A code for a new password" });
    await waitForEmail(site, misspelt, "Choose a new password");
  });

  await test.step("3. “I lost my phone”", async () => {
    await act(page, "Log them out everywhere", { says: "Sessions ended" });
  });

  await test.step("4. “The site was broken all week”", async () => {
    await act(page, "Add a free term", { says: "Free term added." });
    await act(page, "Leave a note", { says: "note", fields: { Note: "Lost a week to a bad line." } });
    await expect(page.getByText("Lost a week to a bad line.")).toBeVisible();
  });

  await test.step("5. “I have another address now, and cannot log in”", async () => {
    await findMember(page, moving);
    await act(page, "Start a change of address", { says: "address", fields: { "New email": `new.${moving}` } });
    await waitForEmail(site, moving, "Is this your new");
  });

  await test.step("6. “I want a part of my money back”", async () => {
    await findMember(page, paid);
    await act(page, /^Refund part of £60/, { says: "£10", fields: { "Amount in pounds": "10" } });
  });

  await test.step("7. “What do you hold about me?”", async () => {
    const form = await openForm(page, "Export their data");
    await fillOwn(form);
    const [file] = await Promise.all([page.waitForEvent("download"), form.getByRole("button").last().click()]);
    expect(file.suggestedFilename()).toMatch(/\.json$/);
  });

  await test.step("8. “I want all of it back”", async () => {
    await page.reload();
    await act(page, /^Refund £50/, { says: "£50" });
  });

  await test.step("9. “How do I join again?”", async () => {
    await act(page, "Send a renewal link", { says: "link" });
    await waitForEmail(site, paid, "Your link to choose a plan");
  });

  await test.step("10. “I have two accounts”", async () => {
    await findMember(page, misspelt);
    await act(page, "Send a code to merge", {
      says: "A code is on its way",
      fields: { "The other account": doubled },
    });
    const code = codeIn(await waitForEmail(site, doubled, ""));
    await act(page, "Merge another account into this one", {
      says: "Accounts merged",
      fields: { "The other account": doubled, Code: code },
    });
  });

  await test.step("11. “We have twenty people more”, says a company", async () => {
    await site.open("/desk/companies");
    await page.getByRole("link", { name: company }).click();
    await act(page, "Change accounts or price", {
      says: "£2,400",
      fields: { Accounts: "80", "Price in pounds": "2400" },
    });
  });

  await test.step("12. “Erase me”", async () => {
    await findMember(page, moving);
    await act(page, "Erase now", { says: "rased" });
  });
});

/** A member who has paid by card, in this browser, which then has only the desk's session. */
async function payElsewhere(site: Site, page: Page): Promise<string> {
  const email = await payUnseen(page, site);
  await loseSession(page);
  return email;
}

async function findMember(page: Page, email: string): Promise<void> {
  await page.goto(new URL("/desk/members", page.url()).href);
  await page.getByRole("searchbox").first().fill(email);
  await page.keyboard.press("Enter");
  // Until then the newest members are listed.
  await page.waitForURL((url) => url.searchParams.get("q") === email);
  await page.locator("main a[href*='/desk/members/']").first().click();
  await expect(page.getByText(email).first()).toBeVisible();
}

/** `says`: words of the desk's message afterwards. */
type Doing = { says: string; fields?: Record<string, string> };

/** Fills in an act's form, confirms its prediction if there is one, and waits for the desk's message. */
async function act(page: Page, title: string | RegExp, { says, fields = {} }: Doing): Promise<void> {
  const form = await openForm(page, title);
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
  await fillOwn(form);
  await form.getByRole("button").last().click();
  const question = page.getByRole("group", { name: "What will happen" });
  const flash = page.locator(".flash-message-good", { hasText: says });
  await expect(question.or(flash).first()).toBeVisible();
  if (!(await question.isVisible())) return;
  await fillOwn(form);
  await form
    .getByRole("button", { name: /^(?!Show|Hide)/ })
    .first()
    .click();
  await expect(flash).toBeVisible();
}

async function openForm(page: Page, title: string | RegExp): Promise<Locator> {
  const summary = page.locator("summary", { hasText: title }).last();
  if (!(await summary.isVisible())) await page.locator("summary", { hasText: /^More$/ }).click();
  await summary.click();
  return page.locator("details", { has: summary }).last();
}

/** Fills in the reason, which a note does not need, and the password, which the gravest acts require. */
async function fillOwn(form: Locator): Promise<void> {
  for (const [label, value] of [
    ["Reason", "They wrote to us"],
    ["Your password", OPERATOR_PASSWORD],
  ] as const) {
    const field = form.getByRole("textbox", { name: label, exact: true });
    if ((await field.count()) > 0) await field.fill(value);
  }
}
