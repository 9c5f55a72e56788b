import type { Queries } from "../database/database.ts";
import { countCompanyMonths, listCompanyMonths } from "./company-months.ts";
import { buildCompanyView, type CompanyView } from "./company-view.ts";
import {
  type ContactCode,
  type ContactLink,
  type ContactLogInRequest,
  type ContactLogInResult,
  logInByCode,
  logInByLink,
  peekLogInLink,
  requestLogIn,
  type RequestLogInResult,
} from "./contact-log-in.ts";
import {
  endContactSession,
  findContactSession,
  type FoundContactSession,
  purgeContactSessions,
  type StartedContactSession,
  switchContact,
} from "./contact-sessions.ts";
import {
  type CompanyPageContext,
  type Contact,
  inviteContact,
  type InviteResult,
  listContacts,
  type NewContact,
  removeContact,
} from "./contacts.ts";

/** The page of a company at `/company`: its contacts, their log-in, and what they are shown. */
export type CompanyPage = {
  /** Adds a contact and writes to them. */
  invite(contact: NewContact, trx: Queries): Promise<InviteResult>;
  /** By address. */
  listContacts(companyId: number): Promise<Contact[]>;
  /** Logs the contact out too; answers whether the contact was this company's. */
  removeContact(which: { companyId: number; contactId: number }, trx: Queries): Promise<boolean>;

  /** Emails a code and a link. The answer, and the time it takes, are the same whether the address is a contact's or not. */
  requestLogIn(request: ContactLogInRequest): Promise<RequestLogInResult>;
  /** By the code of the email. */
  logInByCode(answer: ContactCode): Promise<ContactLogInResult>;
  /** Whether the page behind the email's link may offer its button. */
  peekLink(token: string): Promise<boolean>;
  logInByLink(link: ContactLink): Promise<StartedContactSession | undefined>;

  /** The contact of a session that was used within thirty minutes; using it extends it. */
  findSession(token: string): Promise<FoundContactSession | undefined>;
  /** Switches a session to another company of the same address; answers whether the address is a contact there. */
  switchCompany(which: { token: string; contactId: number }): Promise<boolean>;
  endSession(token: string): Promise<void>;
  /** Deletes expired sessions; answers how many. */
  purge(): Promise<number>;

  /** The page of a company, for its contacts. */
  findView(companyId: number): Promise<CompanyView | undefined>;
  /** For the job list: counts the month that has ended last, once for each company; answers for how many. */
  countMonths(): Promise<number>;
};

export function createCompanyPage(ctx: CompanyPageContext): CompanyPage {
  return {
    invite: (contact, trx) => inviteContact({ ...ctx, db: trx }, contact),
    listContacts: (companyId) => listContacts(ctx.db, companyId),
    removeContact: (which, trx) => removeContact({ ...ctx, db: trx }, which),
    requestLogIn: (request) => requestLogIn(ctx, request),
    logInByCode: (answer) => logInByCode(ctx, answer),
    peekLink: (token) => peekLogInLink(ctx, token),
    logInByLink: (link) => logInByLink(ctx, link),
    findSession: (token) => findContactSession(ctx, token),
    switchCompany: (which) => switchContact(ctx, which),
    endSession: (token) => endContactSession(ctx, token),
    purge: () => purgeContactSessions(ctx),
    async findView(companyId) {
      const contract = await ctx.companies.findContract(companyId);
      return contract && buildCompanyView(contract, await listCompanyMonths(ctx, companyId));
    },
    countMonths: () => countCompanyMonths(ctx),
  };
}
