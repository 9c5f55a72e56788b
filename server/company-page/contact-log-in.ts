import { isEmail, toEmailKey } from "../accounts/rules.ts";
import { CODE_LIFE_IN_MS, type CodeRefusal, codeRefusals } from "../challenges/challenges.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import { networkOf, tooMany, type TooMany } from "../rate-limit/rate-limit.ts";
import { endContactSession, startContactSession, type StartedContactSession } from "./contact-sessions.ts";
import { type CompanyPageContext, holdContact, listContactsOf, LOG_IN_PURPOSE } from "./contacts.ts";
import { cleanText } from "../text.ts";

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

/** Answers the same, after the same work, for an unknown address. Within a minute of the last email it sends none. */
export async function requestLogIn(
  ctx: CompanyPageContext,
  { email, address, site }: ContactLogInRequest,
): Promise<RequestLogInResult> {
  if (!isEmail(cleanText(email))) return { ok: false, reason: "email-invalid" };
  const blocked = await countRequest(ctx, { email, address });
  if (blocked) return blocked;
  const [contact] = await listContactsOf(ctx.db, email);
  const companyName = (await ctx.companies.findName(contact?.companyId ?? 0)) ?? "";
  const subject = subjectOf(ctx, contact?.id, email);
  await ctx.db.transaction().execute(async (trx) => {
    await holdContact(trx, contact?.id ?? 0);
    const started = await ctx.challenges.start(
      { purpose: LOG_IN_PURPOSE, subject, linkLifeInMs: CODE_LIFE_IN_MS },
      trx,
    );
    if (started.ok) await ctx.emails.companyLogIn({ contact, companyName, site, ...started }, trx);
  });
  return { ok: true };
}

export async function logInByCode(
  ctx: CompanyPageContext,
  { email, code, address, replacedToken }: ContactCode,
): Promise<ContactLogInResult> {
  const blocked = await countAnswer(ctx, { email, address });
  if (blocked) return blocked;
  const [contact] = await listContactsOf(ctx.db, email);
  const subject = subjectOf(ctx, contact?.id, email);
  const answered = await ctx.db.transaction().execute(async (trx) => {
    const isThere = await holdContact(trx, contact?.id ?? 0);
    const verdict = await ctx.challenges.answerCode({ purpose: LOG_IN_PURPOSE, subject, code }, trx);
    if (verdict !== "right") return verdict;
    return contact && isThere ? beginSession({ ...ctx, db: trx }, contact.id, replacedToken) : "none";
  });
  return typeof answered === "string" ? { ok: false, reason: codeRefusals[answered] } : { ok: true, session: answered };
}

export async function peekLogInLink({ challenges }: CompanyPageContext, token: string): Promise<boolean> {
  return (await challenges.peekLink(LOG_IN_PURPOSE, token)) !== undefined;
}

/** Logs in by the link of the email, once, on any device. */
export async function logInByLink(
  ctx: CompanyPageContext,
  { token, replacedToken }: ContactLink,
): Promise<StartedContactSession | undefined> {
  const seen = await ctx.challenges.peekLink(LOG_IN_PURPOSE, token);
  if (seen === undefined) return undefined;
  const contactId = contactIdIn(seen);
  return ctx.db.transaction().execute(async (trx) => {
    const isThere = await holdContact(trx, contactId);
    const subject = await ctx.challenges.claimLink(LOG_IN_PURPOSE, token, trx);
    if (subject === undefined || !isThere) return undefined;
    return beginSession({ ...ctx, db: trx }, contactId, replacedToken);
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
function subjectOf({ keyedHash }: CompanyPageContext, id: number | undefined, email: string): string {
  return `${id ?? 0} ${keyedHash("company contact")(toEmailKey(email))}`;
}

function contactIdIn(subject: string): number {
  return Number(subject.split(" ")[0]);
}

/** How often emails may be asked for and codes tried (ASVS 2.4.1). Addresses that are not a contact's count in the same way. */
const limits = {
  requests: { attempts: 30, windowInMs: HOUR_IN_MS },
  emails: { attempts: 6, windowInMs: HOUR_IN_MS },
  /** Left to each network once an address has had its emails. */
  emailsUnderAttack: 2,
  answersFromNetwork: { attempts: 30, windowInMs: 15 * MINUTE_IN_MS },
  /** Six emails with five tries each: at this rate a guess is right once in four years. */
  answers: { attempts: 30, windowInMs: HOUR_IN_MS },
};

type Origin = { email: string; address: string };

/** Stops an attacker who floods an inbox. Its owner, who asks from another network, still gets an email. */
async function countRequest(
  { rateLimiter, clock }: CompanyPageContext,
  { email, address }: Origin,
): Promise<TooMany | undefined> {
  const key = toEmailKey(email);
  const network = networkOf(address);
  const fromNetwork = await rateLimiter.count(`company log-in request ${network}`, limits.requests);
  if (fromNetwork) return fromNetwork;
  const byPair = await rateLimiter.take(`company log-in email ${network} ${key}`, limits.emails.windowInMs);
  const toAddress = await rateLimiter.take(`company log-in email ${key}`, limits.emails.windowInMs);
  const isOver = toAddress.number > limits.emails.attempts && byPair.number > limits.emailsUnderAttack;
  return isOver ? tooMany(byPair.windowEndsAt, clock()) : undefined;
}

async function countAnswer(
  { rateLimiter }: CompanyPageContext,
  { email, address }: Origin,
): Promise<TooMany | undefined> {
  return (
    (await rateLimiter.count(`company log-in answer ${networkOf(address)}`, limits.answersFromNetwork)) ??
    (await rateLimiter.count(`company log-in answer to ${toEmailKey(email)}`, limits.answers))
  );
}
