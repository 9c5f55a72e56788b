import type { Page } from "@playwright/test";

import { codeIn } from "../helpers/mailbox.ts";
import { expect, test, type Site } from "./fixtures.ts";
import { addCompany } from "./operators.ts";
import { waitForEmail } from "./sign-up-steps.ts";

/** The sheets that a company's contact prints, as Chromium prints them. */

async function enter(page: Page, site: Site): Promise<void> {
  const { contact } = await addCompany(site);
  await site.open("/company");
  await page.getByLabel("Email").fill(contact);
  await page.getByRole("button", { name: "Send me a link and a code" }).click();
  await page.getByLabel("Code").fill(codeIn(await waitForEmail(site, contact, "Your code")));
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("link", { name: "Invoice, year 1" })).toBeVisible();
}

/** How many sheets of paper the page is. */
async function countSheets(page: Page): Promise<number> {
  const file = await page.pdf({ preferCSSPageSize: true });
  return file.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** A millimetre in the pixels of CSS. */
const MM = 96 / 25.4;

test("an invoice and a poster are one sheet of A4 each, and a phone reads the poster from two metres", async ({
  page,
  site,
}) => {
  await enter(page, site);
  await page.getByRole("link", { name: "Invoice, year 1" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invoice" })).toBeVisible();
  expect(await countSheets(page)).toBe(1);

  await site.open("/company/poster");
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: Math.floor(210 * MM), height: Math.floor(297 * MM) });
  const poster = page.getByRole("article");
  const name = "The Worshipful Company of Feather Pillow and Patchwork Quilt Makers of Exeter and All of East Devon";
  for (const company of [undefined, name]) {
    if (company) {
      await poster.getByRole("heading").evaluate((heading, text) => (heading.textContent = text), company);
    }
    expect(await countSheets(page)).toBe(1);
    const [sheet, code, picture, last] = await Promise.all(
      [
        poster,
        poster.getByRole("img", { name: /^QR code/ }),
        poster.locator("img"),
        poster.getByText(/^Once a month your employer/),
      ].map(async (part) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }),
    );
    if (!sheet || !code || !picture || !last) throw new Error("A part of the poster is not there");
    expect(sheet.width, "the whole width").toBeCloseTo(210 * MM, 0);
    expect(sheet.height / MM).toBeGreaterThan(290);
    expect(picture.width).toBeCloseTo(sheet.width, 0);
    expect(picture.height / MM).toBeGreaterThan(20);
    expect(last.y + last.height, "nothing is cut off").toBeLessThan(sheet.y + sheet.height);
    // At two metres a phone's preview of 1080 pixels sees 2 m across: two pixels for a module of 3.5 mm, which is what readers need.
    const modules = await poster
      .getByRole("img", { name: /^QR code/ })
      .evaluate((drawing) => (drawing as unknown as SVGSVGElement).viewBox.baseVal.width);
    expect(code.width / MM / modules).toBeGreaterThan(3.5);
  }
});
