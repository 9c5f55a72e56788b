import { createDormouse } from "../../helpers/dormouse.ts";
import { expect, type Site } from "../fixtures.ts";
import { fillDetails, makeEmail, reachPayment, readVerification, sendDetails } from "../sign-up-steps.ts";
import { pressAndBeRefused, type Tour } from "./tour.ts";

function createOperator(site: Site) {
  return createDormouse({ DEMO: "true", DATA_DIR: site.dataDir, ORIGIN: new URL(site.url("/")).origin });
}

/** The pages behind emails about a sign-up or a membership. */
export const walkSignUpLinks: Tour = async function* ({ page, site }) {
  const email = makeEmail();
  await site.open("/signup?step=1");
  await site.letScriptArrive();
  await fillDetails(page, email);
  await sendDetails(page);
  await page.goto((await readVerification(site, email)).link);
  yield "verify link";
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your email is verified." })).toBeVisible();
  yield "verified";
  for (const kind of ["verify", "renew"]) {
    await site.open(`/signup?${kind}=x`);
    yield `bad ${kind} link`;
  }
  const { url } = await createOperator(site).ask<{ url: string }>("member", "renewal-link", "lapsed@dormouse.example");
  await page.goto(url);
  yield "renewal";
  await page.getByRole("button", { name: "Renew my membership" }).click();
  await expect(page.getByText("You're renewing the membership of")).toBeVisible();
  yield "plan, renewal";
};

/** The demo gateway's pages, and the one to which a company returns. */
export const walkGateways: Tour = async function* ({ page, site }) {
  const name = `Moss & Sons ${makeEmail().slice(0, 8)}`;
  const company = ["company", "create", "--name", name, "--email", "office@moss.example"];
  const create = [...company, "--accounts", "5", "--price", "99.00"];
  const debit = await createOperator(site).ask<{ authorisationUrl: string }>(...create);
  await page.goto(debit.authorisationUrl);
  yield "Direct Debit";
  await pressAndBeRefused(page, "Set up Direct Debit");
  yield "Direct Debit, refused";
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your Direct Debit isn't set up yet" })).toBeVisible();
  yield "company, left";

  await reachPayment(page, site);
  await page.getByLabel("Postal code").fill("EX1 1AA");
  // As a browser without card fields sends it.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>("form:has([name=postcode])");
    form?.insertAdjacentHTML("beforeend", '<input type="hidden" name="intent" value="pay">');
    form?.submit();
  });
  await expect(page.getByRole("heading", { level: 1, name: "Pay by card" })).toBeVisible();
  yield "card page";
  await pressAndBeRefused(page, "Pay £60");
  yield "card page, refused";
};
