import { toEmailKey } from "../../platform/email-address.ts";
import { printFacts, printInstant } from "./print.ts";
import type { AgreementLinks } from "../../money/companies/agreement.ts";
import type { NewCompany, NewCompanyRefusal } from "../../money/companies/companies.ts";
import type { Company, CompanyDetails } from "../../money/companies/company.ts";
import { companyLabels } from "../../money/companies/labels.ts";
import type { InviteRefusal } from "../../money/companies/page/contacts.ts";
import type { Queries } from "../../platform/database/database.ts";
import { formatDate, formatDateTime, formatPenceInFull } from "../../platform/format.ts";
import { companies as table } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import { type ActContext, type ActResult, defineAct, type PredictContext, refuseAct, type RefusedAct } from "./act.ts";
import { emailAddress, flag, optionalText, pence, wholeNumber } from "./fields.ts";
import { z } from "zod";

export const companyActs = {
  "company create": defineAct({
    subject: "none",
    fields: {
      name: { label: "Company", schema: z.string({ error: table["name-invalid"] }), value: "N" },
      email: {
        label: "Contact's email",
        hint: "We send the Direct Debit page there.",
        schema: emailAddress(table["email-invalid"]),
        value: "E",
        type: "email",
      },
      accounts: {
        label: "Accounts",
        hint: "How many people the company pays for.",
        schema: wholeNumber({ min: 1, max: 100_000, error: table["accounts-invalid"] }),
        value: "N",
      },
      price: {
        label: "Price in pounds",
        hint: "A year, for all accounts, such as 1500.00.",
        schema: pence({ max: 100_000_000, error: table["price-invalid"] }),
        value: "PRICE",
      },
      code: {
        label: "Code",
        hint: "The company gives it to its staff. Leave it out and we'll make one up.",
        schema: optionalText,
        value: "X",
        isOptional: true,
      },
    },
    audit: "Added a company",
    desk: {
      role: "owner",
      title: "Add a company",
      button: "Add the company",
      pending: "Adding it...",
      note: "We email the company a page to set up its Direct Debit. Its code works once that's done.",
    },
    command: {
      summary: "add a company that pays for its staff, and ask it to set up a yearly Direct Debit",
      example: 'company create --name "Pillow Works" --email hr@pillow.example --accounts 50 --price 1500.00',
    },
    run: ({ name, email: contactEmail, accounts, price: priceInPence, code }, ctx) =>
      addCompany({ name, contactEmail, accounts, priceInPence, code }, ctx),
  }),

  "company link": defineAct({
    subject: "company",
    fields: {
      mail: {
        label: "Mail it",
        hint: "Email it to the company's contact too.",
        schema: flag,
        isOptional: true,
        atDesk: "yes",
      },
    },
    audit: "Made a Direct Debit page for a company",
    desk: {
      role: "support",
      title: "Send a new Direct Debit page",
      button: "Send the page",
      pending: "Sending it...",
      note: "We email {contact} a new page to set up the Direct Debit. Earlier pages stop working.",
    },
    command: {
      summary: "make a new page where a company sets up its Direct Debit",
      example: 'company link "Pillow Works" --mail',
    },
    async run({ mail: isMailed }, { services, subject: company, site, record }) {
      if (isClosed(services)) return refuseFor("debits-closed");
      const { companies, emails, transact, log } = services;
      const opened = await companies.openFlow(company.id, toLinks(site)).catch((error: unknown) => ({ error }));
      if ("error" in opened) {
        log.warn({ company: company.id, error: opened.error }, "a company's page could not be opened");
        return refuseFor("gateway-failed");
      }
      if (!opened.ok) return refuseFor("already-agreed");
      const { authorisationUrl, expiresAt } = opened;
      await transact(async (trx) => {
        if (isMailed) await emails.companyMandate({ company, authorisationUrl, site }, trx);
        await record({ facts: { company: company.id, isMailed } }, trx);
      });
      const text = printFacts([
        ["Direct Debit page", authorisationUrl],
        ["Works until", printInstant(expiresAt)],
        ["Emailed to", isMailed ? company.contactEmail : undefined],
      ]);
      const message = `Sent to ${company.contactEmail}. The page works until ${formatDateTime(expiresAt)}.`;
      return { ok: true, message, text, json: { authorisationUrl, expiresAt, isMailed } };
    },
  }),

  "company invite": defineAct({
    subject: "company",
    fields: {
      email: {
        label: "Email",
        hint: "We email them a link to the company's page.",
        schema: emailAddress(table["email-invalid"]),
        value: "EMAIL",
        option: "",
        type: "email",
      },
    },
    audit: "Invited a company's contact",
    desk: { role: "support", title: "Invite a contact", button: "Invite", pending: "Inviting..." },
    command: {
      summary: "let someone see the company's own page, and email them about it",
      example: 'company invite "Pillow Works" hr@pillow.example',
      note: "They log in at /company with a link or a code that we email. The page shows rough totals only, never names.",
    },
    run({ email }, { services: { companyPage, transact }, subject: { id: companyId }, site, record }) {
      return transact(async (trx) => {
        const invited = await companyPage.invite({ companyId, email, site }, trx);
        if (!invited.ok) return refuseFor(invited.reason);
        const { contact } = invited;
        await record({ facts: { company: companyId, contact: contact.id } }, trx);
        const message = `${contact.email} can now see the company's page. We've emailed them.`;
        return { ok: true, message, json: { contact } };
      });
    },
  }),

  "company remove-contact": defineAct({
    subject: "company",
    item: { words: ["EMAIL|ID"] },
    fields: {},
    audit: { as: "company contact removed" },
    desk: {
      role: "support",
      isEnding: true,
      title: "Remove {contact}",
      button: "Remove the contact",
      pending: "Removing...",
      note: "They're logged out immediately.",
    },
    command: {
      summary: "stop a contact from seeing the company's own page, and log them out",
      example: 'company remove-contact "Pillow Works" hr@pillow.example',
    },
    async predict(_values, ctx) {
      const contact = await findContact(ctx);
      if (!contact) return refuseFor("contact-unknown");
      return [`We log ${contact.email} out now, and they can no longer see the page of ${ctx.subject.name}.`];
    },
    async run(_values, ctx) {
      const contact = await findContact(ctx);
      if (!contact) return refuseFor("contact-unknown");
      const { services, subject, record } = ctx;
      const { companyPage, transact } = services;
      const companyId = subject.id;
      return transact(async (trx) => {
        const which = { companyId, contactId: contact.id };
        if (!(await companyPage.removeContact(which, trx))) return refuseFor("contact-unknown");
        await record({ facts: { company: companyId, contact: contact.id } }, trx);
        const message = "Removed. They've been logged out of the company's page.";
        return { ok: true, message, json: { removed: contact } };
      });
    },
  }),
};

async function findContact({ services: { companyPage }, subject, item }: PredictContext<CompanyDetails>) {
  const contacts = await companyPage.listContacts(subject.id);
  return contacts.find(({ id, email }) => String(id) === item || toEmailKey(email) === toEmailKey(item));
}

type Refusal = NewCompanyRefusal | InviteRefusal | keyof typeof table;

/** A refusal without a field is shown above the form. */
const fieldFor: Partial<Record<Refusal, string>> = {
  "name-invalid": "name",
  "name-taken": "name",
  "email-invalid": "email",
  "contact-known": "email",
  "accounts-invalid": "accounts",
  "price-invalid": "price",
  "code-malformed": "code",
  "code-taken": "code",
};

function refuseFor(reason: Refusal): RefusedAct {
  return refuseAct(table[reason], fieldFor[reason]);
}

/** Without a gateway for Direct Debits no company can agree. */
function isClosed({ parts }: Services): boolean {
  return parts["Direct Debits"]?.isOpen === false;
}

/** The page after the agreement identifies the company by a token, so its reader need not be logged in. */
function toLinks(site: string): AgreementLinks {
  return { returnUrl: `${site}company?agreed=`, exitUrl: `${site}signup?company=left`, site };
}

/**
 * Adds a company and its code, and emails its contact the page of the agreement. The gateway is called outside of any
 * transaction, so the audit line follows. Throws if anything fails before the company exists.
 */
async function addCompany(wanted: NewCompany, { services, site, record }: ActContext): Promise<ActResult> {
  const { companies, emails, transact, log } = services;
  // Before anything is added: the company could never agree.
  if (isClosed(services)) return refuseFor("debits-closed");
  const created = await companies.create(wanted, toLinks(site)).catch((error: unknown) => ({ error }));
  if ("error" in created) {
    const company = await companies.find(wanted.name);
    if (!company) throw created.error;
    log.warn({ company: company.id, error: created.error }, "a company was added without its page");
    await transact(async (trx) => {
      const contact = await inviteFirst(services, { company, site }, trx);
      await record({ facts: { company: company.id, code: company.code, contact, isMailed: false } }, trx);
    });
    return addedHalf(company);
  }
  if (!created.ok) return refuseFor(created.reason);
  const { company, code, authorisationUrl, expiresAt } = created;
  await transact(async (trx) => {
    await emails.companyMandate({ company, authorisationUrl, site }, trx);
    await record(
      { facts: { company: company.id, code, contact: await inviteFirst(services, { company, site }, trx) } },
      trx,
    );
  });
  const text = printFacts([
    ...companyFacts(company),
    ["Direct Debit page", authorisationUrl],
    ["Works until", printInstant(expiresAt)],
    ["Emailed to", company.contactEmail],
  ]);
  const { billingRequestId: _request, mandateId: _mandate, collections: _collections, ...shown } = company;
  return {
    ok: true,
    message: `Added. We've emailed ${company.contactEmail} a page to set up the Direct Debit.`,
    made: { subject: "company", id: String(company.id) },
    text: `${text}\n\nThe code works once the company has set up its Direct Debit on that page.`,
    json: { ...shown, authorisationUrl, expiresAt },
  };
}

/** The gateway failed after company and code were added: they stay, without a page or an email. */
function addedHalf({ id, name, code }: Company): ActResult {
  const why = "we couldn't send its Direct Debit page, because the provider didn't answer.";
  return {
    ok: true,
    isBadNews: true,
    message: `Added, but ${why} You can send it from here.`,
    made: { subject: "company", id: String(id) },
    text: `Added ${name} with its code ${code}, but ${why} Send it with \`company link ${id} --mail\`.`,
    json: { id, name, code, authorisationUrl: undefined },
  };
}

/** The person who agrees may see the company's page from the start; returns the contact's number. */
async function inviteFirst(
  { companyPage }: Services,
  { company, site }: { company: CompanyDetails; site: string },
  trx: Queries,
): Promise<number | null> {
  const invited = await companyPage.invite({ companyId: company.id, email: company.contactEmail, site }, trx);
  return invited.ok ? invited.contact.id : null;
}

export function companyFacts(
  company: Company & Partial<Pick<CompanyDetails, "next">>,
): [name: string, value: string | number | undefined][] {
  return [
    ["Company", company.name],
    ["Number", company.id],
    ["State", companyLabels[company.state]],
    ["Code", company.code],
    ["Seats taken", `${company.seatsTaken} of ${company.accounts}`],
    ["Price a year", formatPenceInFull(company.priceInPence)],
    ...nextFacts(company.next),
    ["Contact", company.contactEmail],
    ["Live since", printInstant(company.liveSince)],
    ["Grace ends", printInstant(company.graceEndsAt)],
  ];
}

function nextFacts(next: CompanyDetails["next"]): [name: string, value: string][] {
  if (!next) return [];
  const accounts = next.accounts.toLocaleString("en-GB");
  const when = next.from ? `from ${formatDate(next.from)}` : "from the next collection";
  return [["Then", `${accounts} accounts for ${formatPenceInFull(next.priceInPence)} a year, ${when}`]];
}
