import type { Answer, Browser, Site } from "./site.ts";

/** With its code, and a mandate as far as pages need one: a test sets its state. */
export async function addCompany(site: Site, name = "Pillow Works", code = "PILLOW-27"): Promise<number> {
  const links = { returnUrl: site.services.site, exitUrl: site.services.site };
  const terms = { contactEmail: "boss@pillow.example", accounts: 50, priceInPence: 150_000 };
  const made = await site.services.companies.create({ name, code, ...terms }, links);
  if (!made.ok) throw new Error(made.reason);
  return made.company.id;
}

/** Invites an address, and logs in its browser by the emailed code. */
export async function openContact(site: Site, companyId: number, email = "hr@pillow.example"): Promise<Browser> {
  await inviteContact(site, companyId, email);
  const browser = site.openBrowser();
  const answer = await enterByCode(site, browser, email);
  if (answer.location !== "/company") throw new Error(`The contact was not logged in: ${answer.status}`);
  return browser;
}

export async function inviteContact(site: Site, companyId: number, email: string): Promise<number> {
  const contact = { companyId, email, site: site.services.site };
  const invited = await site.services.transact((trx) => site.services.companyPage.invite(contact, trx));
  if (!invited.ok) throw new Error(invited.reason);
  return invited.contact.id;
}

export async function enterByCode(site: Site, browser: Browser, email: string): Promise<Answer> {
  await browser.post("/company", { intent: "company-log-in", email });
  return browser.post("/company?step=code", { intent: "company-code", code: (await readLogInEmail(site, email)).code });
}

/** Of the last email to an address. */
export async function readLogInEmail(site: Site, email: string): Promise<{ code: string; path: string }> {
  await site.services.outbox.deliver();
  const text = site.emails.findLast(({ to }) => to === email)?.text ?? "";
  return { code: /^\d{6}$/m.exec(text)?.[0] ?? "", path: /^\S+(\/company\?token=\S+)$/m.exec(text)?.[1] ?? "" };
}
