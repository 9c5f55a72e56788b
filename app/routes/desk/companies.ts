import type { Company } from "../../../server/codes/company.ts";
import { collectionLabels, companyLabels } from "../../../server/codes/rules.ts";
import { formatDate, formatPenceInFull } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
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
