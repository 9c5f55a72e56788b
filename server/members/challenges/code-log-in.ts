import { isEmail, toEmailKey } from "../../platform/email-address.ts";
import { type Clock, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { toNetwork, type RateLimiter, tooMany, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { cleanText } from "../../platform/text.ts";
import { type Challenges, CODE_LIFE_IN_MS, type CodeRefusal, codeRefusals } from "./challenges.ts";

/**
 * Log-in by an emailed code or link. An address without an account gets the same answers, work and limits: it has the
 * id 0 and a challenge that opens nothing.
 */
export type CodeLogIn = {
  /** Begins the keys of its rate limits. */
  name: string;
  purpose: string;
  /** Emails that a network may request in an hour, and codes that it may try in a quarter of an hour (ASVS 2.4.1). */
  attemptsOfNetwork: number;
  /** Locks the account until the transaction ends; returns whether it exists. */
  hold: (id: number, trx: Queries) => Promise<boolean>;
};

type CodeLogInContext = { db: Queries; clock: Clock; challenges: Challenges; rateLimiter: RateLimiter };

/** `subject` begins with the id, before a space. */
type Account = { id: number | undefined; subject: string };

/** `isThere`: the account exists and is locked. */
type Proof = { subject: string; isThere: boolean };

/** `address`: the form's network address. */
type Origin = { email: string; address: string };

/** `write` queues the email; `finish` runs last, whether there was one or not. */
type CodeEmail = Account & {
  write: (started: { code: string; token: string }, trx: Queries) => Promise<void>;
  finish?: ((trx: Queries) => Promise<unknown>) | undefined;
};

export type RequestCodeResult = { ok: true } | { ok: false; reason: "email-invalid" } | TooMany;

const EMAILS_IN_AN_HOUR = 6;
/** A network's limit once an address has had its emails. */
const EMAILS_UNDER_ATTACK = 2;
/** Six emails with five tries each: guessing is right once in four years. */
const ANSWERS_IN_AN_HOUR = 30;

/** Writes no email within a minute of the last one. `prepare` is called once the request is counted. */
export async function requestCode(
  ctx: CodeLogInContext,
  logIn: CodeLogIn,
  { prepare, ...origin }: Origin & { prepare: () => Promise<CodeEmail> },
): Promise<RequestCodeResult> {
  if (!isEmail(cleanText(origin.email))) return { ok: false, reason: "email-invalid" };
  const blocked = await countRequest(ctx, logIn, origin);
  if (blocked) return blocked;
  const { purpose, hold } = logIn;
  const { id = 0, subject, write, finish } = await prepare();
  await ctx.db.transaction().execute(async (trx) => {
    await hold(id, trx);
    const started = await ctx.challenges.start({ purpose, subject, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
    if (started.ok) await write(started, trx);
    await finish?.(trx);
  });
  return { ok: true };
}

/**
 * Limits emails to one address, and requests of one network. A stranger cannot fill an inbox, and its owner still gets
 * an email on another network.
 */
async function countRequest(
  { rateLimiter, clock }: CodeLogInContext,
  { name, attemptsOfNetwork }: CodeLogIn,
  { email, address }: Origin,
): Promise<TooMany | undefined> {
  const key = toEmailKey(email);
  const network = toNetwork(address);
  const requests = { attempts: attemptsOfNetwork, windowInMs: HOUR_IN_MS };
  const fromNetwork = await rateLimiter.count(`${name} request ${network}`, requests);
  if (fromNetwork) return fromNetwork;
  const byPair = await rateLimiter.take(`${name} email ${network} ${key}`, HOUR_IN_MS);
  const toAddress = await rateLimiter.take(`${name} email ${key}`, HOUR_IN_MS);
  const isOver = toAddress.number > EMAILS_IN_AN_HOUR && byPair.number > EMAILS_UNDER_ATTACK;
  return isOver ? tooMany(byPair.windowEndsAt, clock()) : undefined;
}

/** Limits code tries at one address, over all its emails, and from one network; link clicks are not counted. */
export async function countCodeAnswer(
  { rateLimiter }: CodeLogInContext,
  { name, attemptsOfNetwork }: CodeLogIn,
  { email, address }: Origin,
): Promise<TooMany | undefined> {
  const fromNetwork = { attempts: attemptsOfNetwork, windowInMs: 15 * MINUTE_IN_MS };
  const toAddress = { attempts: ANSWERS_IN_AN_HOUR, windowInMs: HOUR_IN_MS };
  return (
    (await rateLimiter.count(`${name} answer ${toNetwork(address)}`, fromNetwork)) ??
    (await rateLimiter.count(`${name} answer to ${toEmailKey(email)}`, toAddress))
  );
}

/** Runs `admit` in the transaction that uses the code. A right code that it does not admit has expired. */
export async function answerCode<Result extends object>(
  { db, challenges }: CodeLogInContext,
  { purpose, hold }: CodeLogIn,
  answer: Account & { code: string; admit: (proof: Proof, trx: Queries) => Promise<Result | undefined> },
): Promise<{ ok: true; result: Result } | { ok: false; reason: CodeRefusal }> {
  const { id = 0, subject, code, admit } = answer;
  return db.transaction().execute(async (trx) => {
    const isThere = await hold(id, trx);
    const verdict = await challenges.answerCode({ purpose, subject, code }, trx);
    if (verdict !== "right") return { ok: false, reason: codeRefusals[verdict] };
    const result = await admit({ subject, isThere }, trx);
    return result ? { ok: true, result } : { ok: false, reason: codeRefusals.none };
  });
}

/** By the email's link, which works once, on any device. */
export async function claimCodeLink<Result>(
  { db, challenges }: CodeLogInContext,
  { purpose, hold }: CodeLogIn,
  {
    token,
    admit,
  }: { token: string; admit: (proof: Proof & { id: number }, trx: Queries) => Promise<Result | undefined> },
): Promise<Result | undefined> {
  const seen = await challenges.peekLink(purpose, token);
  if (seen === undefined) return undefined;
  const id = Number(seen.split(" ")[0]);
  return db.transaction().execute(async (trx) => {
    const isThere = await hold(id, trx);
    const subject = await challenges.claimLink(purpose, token, trx);
    return subject === undefined ? undefined : admit({ id, subject, isThere }, trx);
  });
}
