import { isIP } from "node:net";

import { linkPurposes, toSubject } from "../members/accounts/context.ts";
import type { Accounts, Member } from "../members/accounts/accounts.ts";
import { holdMember } from "../members/accounts/members.ts";
import { type PasswordReset, startGrant } from "../members/accounts/password-reset.ts";
import type { NewPasswordRefusal } from "../members/accounts/passwords.ts";
import { type Challenges, CODE_LIFE_IN_MS, type CodeRefusal } from "../members/challenges/challenges.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../platform/clock.ts";
import type { Codes } from "../money/companies/codes.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { AccountType } from "../platform/database/schema.ts";
import type { Membership } from "../money/membership/membership.ts";
import type { Payments } from "../money/payments/payments.ts";
import type { RateLimiter, TooMany } from "../platform/rate-limit/rate-limit.ts";
import { createSeal, isSameSecret } from "../platform/seal.ts";
import { checkCode, checkPerson, type DetailsRefusal, toPerson } from "../money/sign-up/details.ts";
import { describeApi } from "./openapi.ts";
import { createPaymentReferences, type PreparedPayment } from "./payment-references.ts";
import { findStatus, type OrderInput, placeOrder, settleMember } from "./served-orders.ts";

/** `to`: where the front wants the browser. */
export type Return = { draftId: number; to: string | undefined };

type ServedContext = Context & {
  config: Config;
  accounts: Accounts;
  passwordReset: PasswordReset;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  membership: Membership;
  codes: Codes;
  payments: Payments;
  productName: string;
};

/** The API that we serve to other servers: its key, its limits, and what no page of ours needs. */
export type ServedApi = NonNullable<ReturnType<typeof createServedApi>>;

/** `undefined` without a key: then there is no API. */
export function createServedApi(ctx: ServedContext) {
  const { config, rateLimiter, productName } = ctx;
  if (!config.api) return undefined;
  const { key } = config.api;
  const seal = createSeal(config.sessionSecret, "api-return");
  return {
    /** In constant time. */
    isKey: (given: string | null) => given !== null && isSameSecret(given, key),
    /** For the key's owner. The key only names the counts; the rate limiter stores its hash. */
    limits: {
      countCall: () => rateLimiter.count(`api call ${key}`, limits.calls),
      /** Calls that try passwords and codes, or send an email. */
      countDelicate: () => rateLimiter.count(`api delicate ${key}`, limits.delicate),
      /** To one address that the caller names. */
      countEmail: (emailKey: string) => rateLimiter.count(`api email ${emailKey}`, limits.emails),
    },
    /** The person's address from the key's owner, else the request's. */
    chooseAddress: (given: string | null, from: string) => (given !== null && isIP(given) !== 0 ? given : from),
    /** For clients of the old reset service. */
    takesQueryCredentials: config.api.takesQueryCredentials,
    signUp: (details: ApiDetails) => addMember(ctx, details),
    orders: {
      place: (input: OrderInput) => placeOrder(ctx, input),
      settle: (member: Member) => settleMember(ctx, member),
      settleDraft: (draftId: number) => ctx.payments.settle({ draftId }),
      findStatus: (payment: PreparedPayment, member: Member | undefined) => findStatus(ctx, payment, member),
    },
    references: createPaymentReferences(createSeal(config.sessionSecret, "api-payment")),
    /**
     * A reset whose steps share only address and code: a right code stays right for setting the password for ten
     * minutes, until it is set or five wrong codes were tried. Every answer is counted before it is compared.
     */
    reset: {
      checkCode: (answer: CodeAnswer) => checkCodeAgain(ctx, answer),
      setPassword: (input: CodeAnswer & { password: string }) => setPassword(ctx, input),
    },
    /** The links of a bank's page back to us. */
    returns: {
      write: (to: Return) => seal.seal(JSON.stringify(to)),
      read(sealed: string): Return | undefined {
        const opened = seal.open(sealed);
        return opened === undefined ? undefined : (JSON.parse(opened) as Return);
      },
    },
    describe: (base: string) => describeApi({ productName, base }),
  };
}

/** More than a busy front needs, less than a thief of the key would like. */
const limits = {
  calls: { attempts: 600, windowInMs: MINUTE_IN_MS },
  delicate: { attempts: 120, windowInMs: MINUTE_IN_MS },
  emails: { attempts: 6, windowInMs: HOUR_IN_MS },
};

type CodeAnswer = { email: string; code: string; address: string };
type Proof = { purpose: string; subject: string; code: string; grant: string };
type SetResult =
  | { ok: true }
  | CheckRefusal
  | { ok: false; reason: NewPasswordRefusal }
  | { ok: false; reason: "refused"; message: string };
type CheckRefusal = { ok: false; reason: CodeRefusal } | TooMany;

/** A challenge of the right code, whose link is never sent; it ends with every other way into the account. */
const { proof } = linkPurposes;

async function checkCodeAgain(ctx: ServedContext, answer: CodeAnswer): Promise<{ ok: true } | CheckRefusal> {
  const found = await findGrant(ctx, answer);
  return found.ok ? { ok: true } : found;
}

async function setPassword(
  ctx: ServedContext,
  { password, ...answer }: CodeAnswer & { password: string },
): Promise<SetResult> {
  const found = await findGrant(ctx, answer);
  if (!found.ok) return found;
  const result = await ctx.passwordReset.setPassword({ grant: found.grant, password, confirmation: password });
  if (result.ok || result.reason === "refused") return result;
  return { ok: false, reason: result.reason === "grant-over" ? "expired-code" : result.reason };
}

/** Treats a repeated code as a first one, so that it is counted too. */
async function findGrant(ctx: ServedContext, answer: CodeAnswer): Promise<{ ok: true; grant: string } | CheckRefusal> {
  const checked = await ctx.passwordReset.checkCode(answer);
  if (!checked.ok && checked.reason === "too-many-attempts") return checked;
  const member = await ctx.accounts.findByEmail(answer.email);
  const challenge = { purpose: proof, subject: toSubject(ctx, member?.id, answer.email), code: answer.code };
  return ctx.db.transaction().execute(async (trx) => {
    await holdMember(member?.id ?? 0, trx);
    if (checked.ok) await noteProof({ ...ctx, db: trx }, { ...challenge, grant: checked.grant });
    const isRight = (await ctx.challenges.checkCode(challenge, trx)) === "right";
    if (isRight) return { ok: true, grant: await startGrant(ctx, challenge.subject, trx) };
    return checked.ok ? { ok: false, reason: "expired-code" } : checked;
  });
}

/** Only for a valid grant: a password changed meanwhile has ended it. */
async function noteProof({ db: trx, challenges }: ServedContext, { grant, ...known }: Proof): Promise<void> {
  if ((await challenges.claimLink(linkPurposes.grant, grant, trx)) === undefined) return;
  await challenges.restart({ ...known, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
}

type ApiDetails = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  accountType: AccountType;
  code: string;
};

type ApiSignUpResult = { ok: true; member: Member } | { ok: false; refusals: DetailsRefusal[] };

/**
 * Adds a member for a front: by the rules of step 1 of our sign-up, without a draft or a subscription, which an order
 * brings. A code is only checked; the order takes its seat.
 */
async function addMember(ctx: ServedContext, given: ApiDetails): Promise<ApiSignUpResult> {
  const { accounts, productName } = ctx;
  const details = { ...given, passwordConfirmation: given.password, token: undefined, address: "", site: "" };
  const refusals = checkPerson(details, productName);
  const person = toPerson(details);
  if (await accounts.findByEmail(person.email)) refusals.push({ reason: "email-registered" });
  const codeRefusal = given.accountType === "corporate" ? await checkCode(ctx, given.code) : undefined;
  if (codeRefusal) refusals.push(codeRefusal);
  if (refusals.length > 0) return { ok: false, refusals };
  const member = await accounts.register({ ...person, password: given.password, accountType: given.accountType });
  return member ? { ok: true, member } : { ok: false, refusals: [{ reason: "email-registered" }] };
}
