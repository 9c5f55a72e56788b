import { toEmailKey } from "../../../platform/email-address.ts";
import type { CodeRefusal } from "../../../members/challenges/challenges.ts";
import {
  answerCode,
  claimCodeLink,
  type CodeLogIn,
  countCodeAnswer,
  requestCode,
  type RequestCodeResult,
} from "../../../members/challenges/code-log-in.ts";
import type { TooMany } from "../../../platform/rate-limit/rate-limit.ts";
import { endContactSession, startContactSession, type StartedContactSession } from "./contact-sessions.ts";
import { type CompanyPageContext, holdContact, listContactsFor, LOG_IN_PURPOSE } from "./contacts.ts";

/** An email brings a code and a link; either logs in once. No step reveals whether an address is a contact's. */
export type ContactLogInRequest = {
  email: string;
  address: string;
  site: string;
};

/** `replacedToken`: the browser's previous session, which ends. */
export type ContactCode = { email: string; code: string; address: string; replacedToken?: string | undefined };

export type ContactLink = { token: string; replacedToken?: string | undefined };

export type ContactLogInResult =
  | { ok: true; session: StartedContactSession }
  | { ok: false; reason: CodeRefusal }
  | TooMany;

const contactLogIn: CodeLogIn = {
  name: "company log-in",
  purpose: LOG_IN_PURPOSE,
  attemptsOfNetwork: 30,
  hold: (id, trx) => holdContact(trx, id),
};

/** The same answer and work for an unknown address. Sends no email within a minute of the last. */
export function requestLogIn(
  ctx: CompanyPageContext,
  { email, address, site }: ContactLogInRequest,
): Promise<RequestCodeResult> {
  return requestCode(ctx, contactLogIn, {
    email,
    address,
    async prepare() {
      const [contact] = await listContactsFor(ctx.db, email);
      const companyName = (await ctx.companies.findName(contact?.companyId ?? 0)) ?? "";
      return {
        id: contact?.id,
        subject: toSubject(ctx, contact?.id, email),
        write: (started, trx) => ctx.emails.companyLogIn({ contact, companyName, site, ...started }, trx),
      };
    },
  });
}

export async function logInByCode(
  ctx: CompanyPageContext,
  { email, code, address, replacedToken }: ContactCode,
): Promise<ContactLogInResult> {
  const blocked = await countCodeAnswer(ctx, contactLogIn, { email, address });
  if (blocked) return blocked;
  const [contact] = await listContactsFor(ctx.db, email);
  const subject = toSubject(ctx, contact?.id, email);
  const answered = await answerCode(ctx, contactLogIn, {
    id: contact?.id,
    subject,
    code,
    admit: async ({ isThere }, trx) =>
      contact && isThere ? beginSession({ ...ctx, db: trx }, contact.id, replacedToken) : undefined,
  });
  return answered.ok ? { ok: true, session: answered.result } : answered;
}

export async function peekLogInLink({ challenges }: CompanyPageContext, token: string): Promise<boolean> {
  return (await challenges.peekLink(LOG_IN_PURPOSE, token)) !== undefined;
}

/** Once, on any device. */
export async function logInByLink(
  ctx: CompanyPageContext,
  { token, replacedToken }: ContactLink,
): Promise<StartedContactSession | undefined> {
  return claimCodeLink(ctx, contactLogIn, {
    token,
    admit: async ({ id, isThere }, trx) => (isThere ? beginSession({ ...ctx, db: trx }, id, replacedToken) : undefined),
  });
}

async function beginSession(
  ctx: CompanyPageContext,
  contactId: number,
  replacedToken: string | undefined,
): Promise<StartedContactSession> {
  if (replacedToken !== undefined) await endContactSession(ctx, replacedToken);
  return startContactSession(ctx, contactId);
}

/** An address that is no contact's has the id 0, and a challenge that opens nothing. */
function toSubject({ keyedHash }: CompanyPageContext, id: number | undefined, email: string): string {
  return `${id ?? 0} ${keyedHash("company contact")(toEmailKey(email))}`;
}
