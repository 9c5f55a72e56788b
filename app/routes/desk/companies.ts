import { z } from "zod";

import type { Company } from "../../../server/codes/company.ts";
import { collectionLabels, companyLabels } from "../../../server/codes/rules.ts";
import { addCompany, inviteContact, openAgreementPage, removeContact } from "../../../server/desk/company-acts.ts";
import { parsePence } from "../../../server/desk/typed.ts";
import { formatDate, formatDateTime, formatPenceInFull } from "../../../server/format.ts";
import { companies as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { toCount } from "../../forms/text-of.ts";
import { type ActContext, type ActResult, defineAct, refuseAct } from "./define-act.ts";
import { cutPage, type DeskView, deskPath, READ_SIZE, readNumber } from "./view.ts";

/** The companies by name. */
export async function findCompaniesScreen({ companies }: Services, { params }: DeskView) {
  const found = await companies.listPage({ limit: READ_SIZE, after: readNumber(params, "after") });
  const { shown, nextPath } = cutPage(found, ({ id }) => deskPath("companies", { after: id }));
  return {
    name: "companies" as const,
    title: "Companies",
    companies: shown.map(toLine),
    nextPath,
    isFirst: !params.has("after"),
  };
}

export type CompaniesScreen = Awaited<ReturnType<typeof findCompaniesScreen>>;

function toLine({ id, name, state, code, seatsTaken, accounts, priceInPence, liveSince }: Company) {
  return {
    path: deskPath("company", { id }),
    name,
    state: companyLabels[state],
    code: { text: code, path: deskPath("code", { code }) },
    seats: `${seatsTaken} of ${accounts}`,
    price: formatPenceInFull(priceInPence),
    liveSince: liveSince && formatDate(liveSince),
  };
}

/** One company: its contract, what was collected from it, and who may see its page. */
export async function findCompanyScreen({ companies, companyPage }: Services, { params }: DeskView) {
  const id = readNumber(params, "id");
  const company = id === undefined ? undefined : await companies.findById(id);
  if (!company) return undefined;
  const contacts = await companyPage.listContacts(company.id);
  const view = await companyPage.findView(company.id);
  return {
    ...toLine(company),
    name: "company" as const,
    title: company.name,
    id: company.id,
    contactEmail: company.contactEmail,
    graceEndsOn: company.graceEndsAt && formatDate(company.graceEndsAt),
    mandate: company.mandateId,
    addedOn: formatDate(company.createdAt),
    collections: company.collections.map(({ period, amountInPence, state, dueAt }) => ({
      year: period + 1,
      amount: formatPenceInFull(amountInPence),
      state: collectionLabels[state],
      begins: formatDate(dueAt),
    })),
    contacts: contacts.map((contact) => ({
      id: contact.id,
      email: contact.email,
      invitedOn: formatDate(contact.invitedAt),
    })),
    months: (view?.months ?? []).map(({ month, joined, seatsTaken }) => ({ month, joined, seatsTaken })),
  };
}

export type CompanyScreen = NonNullable<Awaited<ReturnType<typeof findCompanyScreen>>>;

type Refusal = keyof typeof table.ours;

/** The field that shows a refusal; those without one are shown above the form. */
const fieldOf: Partial<Record<Refusal, string>> = {
  "name-invalid": "name",
  "name-taken": "name",
  "email-invalid": "email",
  "contact-known": "email",
  "accounts-invalid": "accounts",
  "price-invalid": "price",
  "code-malformed": "code",
  "code-taken": "code",
};

/** The refusal of a reason, at the field that it is about. */
export function refuseFor(reason: Refusal, fields: Partial<Record<Refusal, string>> = fieldOf): ActResult {
  return refuseAct(table.ours[reason], fields[reason]);
}

const wholeNumber = (error: string) =>
  z
    .string({ error })
    .regex(/^\d{1,7}$/, error)
    .transform(Number);

const newCompany = z.object({
  name: z.string({ error: table.ours["name-invalid"] }),
  email: z.string({ error: table.ours["email-invalid"] }),
  accounts: wholeNumber(table.ours["accounts-invalid"]),
  price: z.string({ error: table.ours["price-invalid"] }),
  code: z.string().optional(),
});

const addAct = defineAct({
  fields: newCompany,
  async run({ name, email: contactEmail, accounts, price, code }, { services, by, site }) {
    const priceInPence = parsePence(price.trim());
    if (priceInPence === undefined) return refuseFor("price-invalid");
    const added = await addCompany(services, by, { name, contactEmail, accounts, priceInPence, code, site });
    if (added.ok) {
      const { id, contactEmail: to } = added.company;
      return { ok: true, message: `Added. The page on which it agrees was sent to ${to}.`, path: companyPath(id) };
    }
    if (added.reason !== "gateway-failed") return refuseFor(added.reason);
    services.log.warn({ company: added.company.id, error: added.error }, "a company was added without its page");
    const message =
      "Added, but the page to agree on was not sent: the Direct Debit provider did not answer. Send it from here.";
    return { ok: true, message, path: companyPath(added.company.id) };
  },
});

function companyPath(id: number): string {
  return deskPath("company", { id });
}

/** The company that the screen is about; 0, which no company is, for an address without one. */
function readCompanyId({ subject }: ActContext): number {
  return toCount(subject) ?? 0;
}

const sendAct = defineAct({
  fields: z.object({}),
  async run(_, ctx) {
    const { services, by, site } = ctx;
    const opened = await openAgreementPage(services, by, { companyId: readCompanyId(ctx), isMailed: true, site });
    if (opened.ok) {
      const until = formatDateTime(opened.expiresAt);
      return { ok: true, message: `Sent to ${opened.company.contactEmail}. The page works until ${until}.` };
    }
    if (opened.reason === "gateway-failed") {
      services.log.warn({ company: readCompanyId(ctx), error: opened.error }, "a company's page could not be opened");
    }
    return refuseFor(opened.reason);
  },
});

const inviteAct = defineAct({
  fields: z.object({ email: z.string({ error: table.ours["email-invalid"] }).trim() }),
  async run({ email }, ctx) {
    const { services, by, site } = ctx;
    const invited = await inviteContact(services, by, { companyId: readCompanyId(ctx), email, site });
    if (!invited.ok) return refuseFor(invited.reason);
    return { ok: true, message: `${invited.contact.email} may see the company's page now, and was told so.` };
  },
});

const removeAct = defineAct({
  fields: z.object({ subject: z.string().default("") }),
  async run({ subject }, ctx) {
    const contactId = toCount(subject) ?? 0;
    const isDone = await removeContact(ctx.services, ctx.by, { companyId: readCompanyId(ctx), contactId });
    if (!isDone) return refuseFor("contact-unknown");
    return { ok: true, message: "Removed. The contact is logged out of the company's page." };
  },
});

export const companyActs = {
  "company-add": addAct,
  "company-page-send": sendAct,
  "contact-invite": inviteAct,
  "contact-remove": removeAct,
};
