import type { Queries } from "../../platform/database/database.ts";
import { countCompanyMonths, listCompanyMonths } from "./company-months.ts";
import { buildCompanyView, type CompanyView } from "./company-view.ts";
import {
  type ContactCode,
  type ContactLink,
  type ContactLogInRequest,
  logInByCode,
  logInByLink,
  peekLogInLink,
  requestLogIn,
} from "./contact-log-in.ts";
import { endContactSession, findContactSession, purgeContactSessions, switchContact } from "./contact-sessions.ts";
import { type CompanyPageContext, inviteContact, listContacts, type NewContact, removeContact } from "./contacts.ts";

/** The page of a company at `/company`: its contacts, their log-in, and what they are shown. */
export type CompanyPage = ReturnType<typeof createCompanyPage>;

export function createCompanyPage(ctx: CompanyPageContext) {
  return {
    /** Adds a contact and writes to them. */
    invite: (contact: NewContact, trx: Queries) => inviteContact({ ...ctx, db: trx }, contact),
    /** By address. */
    listContacts: (companyId: number) => listContacts(ctx.db, companyId),
    /** Logs the contact out too; answers whether the contact was this company's. */
    removeContact: (which: { companyId: number; contactId: number }, trx: Queries) =>
      removeContact({ ...ctx, db: trx }, which),
    /** Emails a code and a link. The answer, and the time it takes, are the same whether the address is a contact's or not. */
    requestLogIn: (request: ContactLogInRequest) => requestLogIn(ctx, request),
    /** By the code of the email. */
    logInByCode: (answer: ContactCode) => logInByCode(ctx, answer),
    peekLink: (token: string) => peekLogInLink(ctx, token),
    logInByLink: (link: ContactLink) => logInByLink(ctx, link),
    findSession: (token: string) => findContactSession(ctx, token),
    switchCompany: (which: { token: string; contactId: number }) => switchContact(ctx, which),
    endSession: (token: string) => endContactSession(ctx, token),
    purge: () => purgeContactSessions(ctx),
    /** The page of a company, for its contacts. */
    async findView(companyId: number): Promise<CompanyView | undefined> {
      const contract = await ctx.companies.findContract(companyId);
      return contract && buildCompanyView(contract, await listCompanyMonths(ctx, companyId));
    },
    /** For the job list: counts the month that has ended last, once for each company; answers for how many. */
    countMonths: () => countCompanyMonths(ctx),
  };
}
