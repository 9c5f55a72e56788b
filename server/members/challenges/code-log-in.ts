import { toEmailKey } from "../../platform/email-address.ts";
import { type Clock, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { toNetwork, type RateLimiter, tooMany, type TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { type Challenges, CODE_LIFE_IN_MS, type CodeRefusal, codeRefusals } from "./challenges.ts";

/**
 * Logging in by a code or a link that an email brings. An address without an account gets the same answers, after the same work, within
 * the same limits: it has the id 0, and a challenge too, which opens nothing.
 */
export type CodeLogIn = {
  /** The keys of its rate limits begin with it. */
  name: string;
  /** The purpose of its challenges. */
  purpose: string;
  /** How often a network may request emails in an hour, and may try codes in a quarter of an hour (ASVS 2.4.1). */
  attemptsOfNetwork: number;
  /** Locks the account until the transaction ends; answers whether it is there. */
  hold: (id: number, trx: Queries) => Promise<boolean>;
};

type CodeLogInContext = { db: Queries; clock: Clock; challenges: Challenges; rateLimiter: RateLimiter };

/** `subject` begins with the id, before a space. */
type Account = { id: number | undefined; subject: string };

/** `isThere`: the account was locked and exists. */
type Proof = { subject: string; isThere: boolean };

/** `address` is the network address that a form came from. */
type Origin = { email: string; address: string };

const EMAILS_IN_AN_HOUR = 6;
/** For a network once an address has had its emails. */
const EMAILS_UNDER_ATTACK = 2;
/** Six emails with five tries each: guessing is right once in four years. */
const ANSWERS_IN_AN_HOUR = 30;

/**
 * Limits the emails to one address, and the requests from one network. A person who fills an inbox through us is stopped; its owner,
 * who asks from another network, still gets an email.
 */
export async function countCodeRequest(
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

/** Limits the codes tried at one address, over all emails to it, and from one network. The email's link is not counted. */
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

/** Starts a challenge and writes its email. Within a minute of the last one it writes none. */
export async function startCode(
  { db, challenges }: CodeLogInContext,
  { purpose, hold }: CodeLogIn,
  work: Account & {
    write: (started: { code: string; token: string }, trx: Queries) => Promise<void>;
    finish?: ((trx: Queries) => Promise<unknown>) | undefined;
  },
): Promise<void> {
  const { id = 0, subject, write, finish } = work;
  await db.transaction().execute(async (trx) => {
    await hold(id, trx);
    const started = await challenges.start({ purpose, subject, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
    if (started.ok) await write(started, trx);
    await finish?.(trx);
  });
}

/** The result of `admit`, in one transaction with the use of the code. A right code that it admits nobody for has expired. */
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

/** The same for the email's link, which works once, on any device. */
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
