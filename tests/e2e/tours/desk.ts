import { codeIn } from "../../helpers/mailbox.ts";
import { patterns } from "../../safety/addresses.ts";
import { expect } from "../fixtures.ts";
import { addCompany, addOperator, begin, openDesk, openMenu, toCode } from "../operators.ts";
import { waitForEmail } from "../sign-up-steps.ts";
import type { Tour, Visit } from "./tour.ts";

/** An operator's first hour: invitation, log-in, and the refusals of both. */
export const walkDeskDoor: Tour = async function* ({ page, site }) {
  const curious = await addOperator(site);
  await site.open(curious.invitation);
  await page.getByRole("button", { name: "Show the key" }).click();
  await expect(page.getByText("We won't show it again.")).toBeVisible();
  yield "invitation with the key of the app";
  const operator = await addOperator(site);
  await site.open(operator.invitation);
  yield "invitation";
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel("One-time code", { exact: true }).fill(toCode(operator));
  await page.getByRole("button", { name: "Set up my account" }).click();
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "invitation, refused";
  await begin(page, site, operator);
  yield "recovery codes";
  await page.context().clearCookies();
  await site.open("/desk");
  await site.letScriptArrive();
  yield "log in to the desk";
  await page.getByLabel("Email").fill(operator.email);
  await page.getByLabel("Password", { exact: true }).fill("wrong-password");
  await page.getByLabel("One-time code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "log in to the desk, refused";
};

/** The screens without parameters, one a file; a new screen is included automatically. */
const ownScreens = patterns
  .map(({ pattern }) => pattern)
  .filter((pattern) => /^\/desk(?!.*[:.])/.test(pattern) && pattern !== "/desk/passkeys");

/** Half of them for each walk: one test for all would take too long. */
const half = Math.ceil(ownScreens.length / 2);
export const walkDesk: Tour = (visit) => walkUnfolded(visit, ownScreens.slice(0, half));
export const walkRestOfDesk: Tour = (visit) => walkUnfolded(visit, ownScreens.slice(half));

/** Screens of the desk with something found, chosen or missing. */
export const walkDeskStates: Tour = async function* ({ page, site }) {
  yield* walkUnfolded({ page, site }, [
    "/desk/members?q=dormouse",
    "/desk/members/1",
    "/desk/members/999999",
    "/desk/emails?state=waiting",
    "/desk/figures?days=90",
    "/desk/content?kind=watch&gap=transcript",
    "/desk/content/read-1001",
    "/desk/content/watch-2005?files=ask",
    "/desk/content/watch-2017",
    "/desk/codes/DORMOUSE-FULL",
  ]);
  await site.open("/desk/members/1");
  await site.letScriptArrive();
  await openMenu(page);
  yield "the desk: its menu";
  await site.open("/desk/codes/DORMOUSE-DEMO");
  await site.letScriptArrive();
  await page.getByText("End the code", { exact: true }).click();
  await page.locator("details[open]").getByLabel("Reason").fill("They asked for it");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("group", { name: "What will happen" })).toBeVisible();
  yield "the desk: what will happen";
};

/** Ten rows are enough to check a table. Other tests add operators, who have three forms each. */
const MOST_ROWS = 10;

/** Screens of the desk with all forms unfolded. */
const walkUnfolded = async function* ({ page, site }: Visit, paths: string[]): AsyncGenerator<string> {
  await openDesk(page, site);
  for (const path of paths) {
    await site.open(path);
    await site.letScriptArrive();
    const main = page.getByRole("main");
    await main.locator(`tbody tr:nth-child(n + ${MOST_ROWS + 1})`).evaluateAll((rows) => {
      for (const row of rows) row.remove();
    });
    await main.locator("details").evaluateAll((all: HTMLDetailsElement[]) => {
      for (const each of all) each.open = true;
    });
    yield path;
  }
};

/** The page of a company, without a session. */
export const walkCompanyDoor: Tour = async function* ({ page, site }) {
  await site.open("/company/what-your-employer-sees");
  yield "what your employer sees";
  await site.open("/company?token=x");
  yield "a link to a company's page that does not work";
  await site.open("/company");
  yield "log in to a company's page";
  await page.getByLabel("Email").fill("hr@pillow.example");
  await page.getByRole("button", { name: "Send me a link and a code" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Check your email" })).toBeVisible();
  yield "a company's page: check your email";
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("group", { name: "Error" })).toBeVisible();
  yield "a company's page: check your email, refused";
};

/** Every screen of a company's page: two years of contract, three counted months. */
export const walkCompany: Tour = async function* ({ page, site }) {
  const { contact } = await addCompany(site);
  await site.open("/company");
  await page.getByLabel("Email").fill(contact);
  await page.getByRole("button", { name: "Send me a link and a code" }).click();
  const mail = await waitForEmail(site, contact, "Your code");
  await page.getByLabel("Code").fill(codeIn(mail));
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("link", { name: "Invoice, year 1" })).toBeVisible();
  const invoice = await page.getByRole("link", { name: "Invoice, year 1" }).getAttribute("href");
  yield "a company's page";
  await site.open("/company/poster");
  yield "a company's page: the poster";
  await page.goto(new URL(invoice ?? "", page.url()).href);
  yield "a company's page: an invoice";
  await site.open("/company/invoices/C-0000-9");
  yield "a company's page: an invoice that there is not";
};
