import type { Page } from "@playwright/test";

import { codeIn } from "../helpers/mailbox.ts";
import { expect, test, waitForLooks, type Site } from "./fixtures.ts";
import { giveSheet } from "./gift-steps.ts";
import { addCompany } from "./operators.ts";
import { waitForEmail } from "./sign-up-steps.ts";

/** The sheets that a company's contact and a giver print, as Chromium prints them. */

async function enter(page: Page, site: Site): Promise<void> {
  const { contact } = await addCompany(site);
  await site.open("/company");
  await page.getByLabel("Email").fill(contact);
  await page.getByRole("button", { name: "Send me a link and a code" }).click();
  await page.getByLabel("Code").fill(codeIn(await waitForEmail(site, contact, "Your code")));
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("link", { name: "Invoice, year 1" })).toBeVisible();
}

async function countSheets(page: Page): Promise<number> {
  const file = await page.pdf({ preferCSSPageSize: true });
  return file.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** A millimetre in CSS pixels. */
const MM = 96 / 25.4;

/** One sheet of A4 with a picture and no cut-off text, whose code a phone can read from two metres. */
async function expectSheet(page: Page, last: string | RegExp): Promise<void> {
  const article = page.getByRole("article");
  expect(await countSheets(page)).toBe(1);
  const [sheet, code, picture, end] = await Promise.all(
    [article, article.getByRole("img", { name: /^QR code/ }), article.locator("img"), article.getByText(last)].map(
      async (each) => (await each.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 },
    ),
  );
  if (!sheet || !code || !picture || !end) throw new Error("A piece of the sheet is not there");
  expect(sheet.width, "the whole width").toBeCloseTo(210 * MM, 0);
  expect(sheet.height / MM).toBeGreaterThan(290);
  expect(picture.width).toBeCloseTo(sheet.width, 0);
  expect(picture.height / MM).toBeGreaterThan(20);
  expect(end.y + end.height, "nothing is cut off").toBeLessThan(sheet.y + sheet.height);
  // At two metres a phone's preview of 1080 pixels sees 2 m across: two pixels for a module of 3.5 mm, which is what readers need.
  const modules = await article
    .getByRole("img", { name: /^QR code/ })
    .evaluate((drawing) => (drawing as unknown as SVGSVGElement).viewBox.baseVal.width);
  expect(code.width / MM / modules).toBeGreaterThan(3.5);
}

async function showAsPaper(page: Page): Promise<void> {
  await waitForLooks(page);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: Math.floor(210 * MM), height: Math.floor(297 * MM) });
}

test("an invoice and a poster are one sheet of A4 each, and a phone reads the poster from two metres", async ({
  page,
  site,
}) => {
  await enter(page, site);
  await page.getByRole("link", { name: "Invoice, year 1" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invoice" })).toBeVisible();
  expect(await countSheets(page)).toBe(1);

  await site.open("/company/poster");
  await showAsPaper(page);
  const name = "The Worshipful Company of Feather Pillow and Patchwork Quilt Makers of Exeter and All of East Devon";
  for (const company of [undefined, name]) {
    if (company) {
      const heading = page.getByRole("article").getByRole("heading");
      await heading.evaluate((shown, text) => (shown.textContent = text), company);
    }
    await expectSheet(page, /^Once a month your employer/);
  }
});

test("a gift's letter is one sheet of A4, with the longest line, and a phone reads it from two metres", async ({
  page,
  site,
}) => {
  await giveSheet(page, site);
  await page.getByRole("link", { name: "Print your gift" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "For Wren" })).toBeVisible();
  // The test changes a text below, which React would not expect before.
  await site.letScriptArrive();
  await showAsPaper(page);
  const line = page.getByText("Sleep well, Wren.");
  for (const message of [undefined, "Sleep well, my dear. ".repeat(15).slice(0, 300)]) {
    if (message) await line.evaluate((shown, text) => (shown.textContent = text), message);
    await expectSheet(page, /^DORMOUSE-/);
  }
});
