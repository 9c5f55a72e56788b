import type { Queries } from "../../../platform/database/database.ts";
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

/** The page of a company at `/company`: contacts, their log-in, and what they see. */
export type CompanyPage = ReturnType<typeof createCompanyPage>;

export function createCompanyPage(ctx: CompanyPageContext) {
  return {
    /** Also emails the contact. */
    invite: (contact: NewContact, trx: Queries) => inviteContact({ ...ctx, db: trx }, contact),
    listContacts: (companyId: number) => listContacts(ctx.db, companyId),
    /** Logs the contact out too; false if the contact is not this company's. */
    removeContact: (which: { companyId: number; contactId: number }, trx: Queries) =>
      removeContact({ ...ctx, db: trx }, which),
    /** Emails a code and a link. Answer and time are the same for an address that is no contact's. */
    requestLogIn: (request: ContactLogInRequest) => requestLogIn(ctx, request),
    logInByCode: (answer: ContactCode) => logInByCode(ctx, answer),
    peekLink: (token: string) => peekLogInLink(ctx, token),
    logInByLink: (link: ContactLink) => logInByLink(ctx, link),
    findSession: (token: string) => findContactSession(ctx, token),
    switchCompany: (which: { token: string; contactId: number }) => switchContact(ctx, which),
    endSession: (token: string) => endContactSession(ctx, token),
    purge: () => purgeContactSessions(ctx),
    async findView(companyId: number): Promise<CompanyView | undefined> {
      const contract = await ctx.companies.findContract(companyId);
      return contract && buildCompanyView(contract, await listCompanyMonths(ctx, companyId));
    },
    /** A job: counts the last month that has ended; returns for how many companies. */
    countMonths: () => countCompanyMonths(ctx),
  };
}
