import type { Author } from "../audit/audit.ts";
import type { AgreementLinks, NewCompany, NewCompanyRefusal } from "../codes/companies.ts";
import type { CompanyDetails } from "../codes/company.ts";
import type { InviteRefusal } from "../company-page/contacts.ts";
import type { Contact } from "../company-page/contacts.ts";
import type { Queries } from "../database/database.ts";
import type { Services } from "../services.ts";

/** What operators do about companies and their contacts, by a command or at the desk. */

type CompanyServices = Pick<Services, "companies" | "companyPage" | "emails" | "audit" | "transact" | "parts">;

/** `site`: where the operator met the site, for links in emails. */
type AtSite<Input> = Input & { site: string };

export type AddCompanyResult =
  | { ok: true; company: CompanyDetails; authorisationUrl: string; expiresAt: Date }
  | { ok: false; reason: NewCompanyRefusal | "debits-closed" }
  /** Company and code were added before the gateway failed: they stay, without a page and unmailed. */
  | { ok: false; reason: "gateway-failed"; company: CompanyDetails; error: unknown };

/**
 * Adds a company and its code, and writes to its contact with the page on which it agrees. The gateway is asked outside of any
 * transaction, so the audit line follows it. Throws if anything fails before the company exists.
 */
export async function addCompany(
  services: CompanyServices,
  by: Author,
  { site, ...wanted }: AtSite<NewCompany>,
): Promise<AddCompanyResult> {
  const { companies, emails, audit, transact } = services;
  // Checked first: company and code would be added, and the company could never agree.
  if (isClosed(services)) return { ok: false, reason: "debits-closed" };
  const created = await companies.create(wanted, linksOf(site)).catch((error: unknown) => ({ error }));
  if ("error" in created) return recordHalf(services, by, { name: wanted.name, site, error: created.error });
  if (!created.ok) return created;
  const { company, code, authorisationUrl, expiresAt } = created;
  await transact(async (trx) => {
    await emails.companyMandate({ company, authorisationUrl, site }, trx);
    const facts = { company: company.id, code, contact: await inviteFirst(services, { company, site }, trx) };
    await audit.record({ ...by, action: "company create", facts }, trx);
  });
  return { ok: true, company, authorisationUrl, expiresAt };
}

async function recordHalf(
  services: CompanyServices,
  by: Author,
  { name, site, error }: { name: string; site: string; error: unknown },
): Promise<AddCompanyResult> {
  const company = await services.companies.find(name);
  if (!company) throw error;
  const { id, code } = company;
  await services.transact(async (trx) => {
    const contact = await inviteFirst(services, { company, site }, trx);
    const facts = { company: id, code, contact, isMailed: false };
    await services.audit.record({ ...by, action: "company create", facts }, trx);
  });
  return { ok: false, reason: "gateway-failed", company, error };
}

/** The person who agrees for a company may see its page from the beginning; answers the contact's number. */
async function inviteFirst(
  { companyPage }: CompanyServices,
  { company, site }: { company: CompanyDetails; site: string },
  trx: Queries,
): Promise<number | null> {
  const invited = await companyPage.invite({ companyId: company.id, email: company.contactEmail, site }, trx);
  return invited.ok ? invited.contact.id : null;
}

export type OpenPageResult =
  | { ok: true; company: CompanyDetails; authorisationUrl: string; expiresAt: Date }
  | { ok: false; reason: "company-unknown" | "debits-closed" }
  /** `already-agreed`: its mandate works, and nothing is unpaid. */
  | { ok: false; reason: "already-agreed"; company: CompanyDetails }
  | { ok: false; reason: "gateway-failed"; company: CompanyDetails; error: unknown };

/** Opens a fresh page on which a company agrees to its Direct Debit, and writes to its contact with it if it is to be mailed. */
export async function openAgreementPage(
  services: CompanyServices,
  by: Author,
  { companyId, site, isMailed }: AtSite<{ companyId: number; isMailed: boolean }>,
): Promise<OpenPageResult> {
  const { companies, emails, audit, transact } = services;
  const company = await companies.findById(companyId);
  if (!company) return { ok: false, reason: "company-unknown" };
  if (isClosed(services)) return { ok: false, reason: "debits-closed" };
  const opened = await companies.openFlow(companyId, linksOf(site)).catch((error: unknown) => ({ error }));
  if ("error" in opened) return { ok: false, reason: "gateway-failed", company, error: opened.error };
  if (!opened.ok) return { ok: false, reason: "already-agreed", company };
  const { authorisationUrl, expiresAt } = opened;
  await transact(async (trx) => {
    if (isMailed) await emails.companyMandate({ company, authorisationUrl, site }, trx);
    await audit.record({ ...by, action: "company link", facts: { company: companyId, isMailed } }, trx);
  });
  return { ok: true, company, authorisationUrl, expiresAt };
}

/** Where there is no gateway for Direct Debits, no company can agree to one. */
function isClosed({ parts }: Pick<Services, "parts">): boolean {
  return parts["Direct Debits"]?.isOpen === false;
}

/** The person who agrees for a company need not be logged in: the page that they come back to knows the company by a token. */
function linksOf(site: string): AgreementLinks {
  return { returnUrl: `${site}company?agreed=`, exitUrl: `${site}signup?company=left`, site };
}

export type InviteContactResult = { ok: true; contact: Contact } | { ok: false; reason: InviteRefusal };

/** Lets a person see the page of a company, and emails them. */
export function inviteContact(
  { companyPage, audit, transact }: CompanyServices,
  by: Author,
  input: AtSite<{ companyId: number; email: string }>,
): Promise<InviteContactResult> {
  return transact(async (trx) => {
    const invited = await companyPage.invite(input, trx);
    if (!invited.ok) return invited;
    const facts = { company: input.companyId, contact: invited.contact.id };
    await audit.record({ ...by, action: "company invite", facts }, trx);
    return invited;
  });
}

/** Removes a contact and logs them out at once; answers whether the contact was the company's. */
export function removeContact(
  { companyPage, audit, transact }: CompanyServices,
  by: Author,
  which: { companyId: number; contactId: number },
): Promise<boolean> {
  return transact(async (trx) => {
    if (!(await companyPage.removeContact(which, trx))) return false;
    const facts = { company: which.companyId, contact: which.contactId };
    await audit.record({ ...by, action: "company contact removed", facts }, trx);
    return true;
  });
}
