import { isEmail, toEmailKey } from "../../platform/email-address.ts";
import type { CodeRefusal } from "../../members/challenges/challenges.ts";
import {
  answerCode,
  claimCodeLink,
  type CodeLogIn,
  countCodeAnswer,
  countCodeRequest,
  startCode,
} from "../../members/challenges/code-log-in.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { endContactSession, startContactSession, type StartedContactSession } from "./contact-sessions.ts";
import { type CompanyPageContext, holdContact, listContactsFor, LOG_IN_PURPOSE } from "./contacts.ts";
import { cleanText } from "../../platform/text.ts";

/**
 * The log-in of a company's contact: an email brings a code and a link, and either logs in once. No step reveals whether an address is a
 * contact's.
 */
export type ContactLogInRequest = {
  email: string;
  /** The network address that the request comes from. */
  address: string;
  site: string;
};

export type RequestLogInResult = { ok: true } | { ok: false; reason: "email-invalid" } | TooMany;

/** `replacedToken`: the session that the browser had before, which ends. */
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

/** Answers the same, after the same work, for an unknown address. Within a minute of the last email it sends none. */
export async function requestLogIn(
  ctx: CompanyPageContext,
  { email, address, site }: ContactLogInRequest,
): Promise<RequestLogInResult> {
  if (!isEmail(cleanText(email))) return { ok: false, reason: "email-invalid" };
  const blocked = await countCodeRequest(ctx, contactLogIn, { email, address });
  if (blocked) return blocked;
  const [contact] = await listContactsFor(ctx.db, email);
  const companyName = (await ctx.companies.findName(contact?.companyId ?? 0)) ?? "";
  const subject = toSubject(ctx, contact?.id, email);
  await startCode(ctx, contactLogIn, {
    id: contact?.id,
    subject,
    write: (started, trx) => ctx.emails.companyLogIn({ contact, companyName, site, ...started }, trx),
  });
  return { ok: true };
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

/** Logs in by the link of the email, once, on any device. */
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

/** The id is 0 for an address that is not a contact's: it gets a challenge too, which opens nothing. */
function toSubject({ keyedHash }: CompanyPageContext, id: number | undefined, email: string): string {
  return `${id ?? 0} ${keyedHash("company contact")(toEmailKey(email))}`;
}
