import { toEmailKey } from "../accounts/rules.ts";
import { type Challenges, codeRefusals, type CodeVerdict } from "../challenges/challenges.ts";
import { type Clock, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { networkOf, type RateLimiter, type TooMany } from "../rate-limit/rate-limit.ts";
import type { DraftRow, Drafts } from "./drafts.ts";
import type { SignUp } from "./sign-up.ts";

/** How often sign-up may be tried (ASVS 2.4.1): enough for an office on its first morning, too little for a robot. */
export type Limits = {
  /** Step 1 from one network: it tells whether an address is registered and a code valid. */
  countDetails(address: string): Promise<Wait>;
  /** Emails to one address: nobody's inbox is filled through us. */
  countEmail(email: string): Promise<Wait>;
  /** Charges from one network and for one draft: stolen cards are tried out on pages like ours. */
  countPayment(address: string, draftId: number): Promise<Wait>;
};

type Wait = TooMany | undefined;

const LIMITS = {
  details: { attempts: 120, windowInMs: HOUR_IN_MS },
  emails: { attempts: 6, windowInMs: HOUR_IN_MS },
  paymentsFromNetwork: { attempts: 60, windowInMs: HOUR_IN_MS },
  paymentsOfDraft: { attempts: 12, windowInMs: 15 * MINUTE_IN_MS },
};

export function createLimits({ rateLimiter }: { rateLimiter: RateLimiter }): Limits {
  return {
    countDetails: (address) => rateLimiter.count(`sign-up details ${networkOf(address)}`, LIMITS.details),
    countEmail: (email) => rateLimiter.count(`sign-up email ${toEmailKey(email)}`, LIMITS.emails),
    countPayment: async (address, draftId) =>
      (await rateLimiter.count(`sign-up payment ${networkOf(address)}`, LIMITS.paymentsFromNetwork)) ??
      (await rateLimiter.count(`sign-up payment of draft ${draftId}`, LIMITS.paymentsOfDraft)),
  };
}

/** Whether whoever signs up reads the address they gave. */
export type Verification = Pick<SignUp, "verifyByCode" | "findVerification" | "verifyByLink" | "resendVerification"> & {
  /** Writes the email with a new link and code; `too-soon` within a minute of the one before. */
  send(draft: Recipient, trx: Queries): Promise<{ ok: true } | { ok: false; reason: "too-soon"; waitInMs: number }>;
  /** When the last email to a draft's address was written. */
  findStart(draft: DraftRow): Promise<Date | undefined>;
};

type Recipient = Pick<DraftRow, "id" | "email" | "firstName" | "site">;

/** The email of a challenge: `token` for the link, `code` to be typed. */
export type VerificationEmail = Recipient & { code: string; token: string };

export const PURPOSE = "verify-email";
/** As long as the draft lives: the mail may be opened in the morning. The code in it is good for ten minutes. */
const LINK_LIFE_IN_MS = 24 * HOUR_IN_MS;

type VerificationServices = {
  db: Queries;
  clock: Clock;
  drafts: Drafts;
  challenges: Challenges;
  limits: Limits;
  emails: { verification(mail: VerificationEmail, trx: Queries): Promise<void> };
};

export function createVerification(services: VerificationServices): Verification {
  const { db, drafts, challenges, limits, emails } = services;
  return {
    send,
    findStart: (draft) => challenges.findStart(PURPOSE, subjectOf(draft)),

    async verifyByCode(token, code) {
      const draft = await drafts.find(token);
      if (!draft) return { ok: false, reason: "no-draft" };
      if (draft.isVerified) return { ok: true };
      const verdict = await db.transaction().execute((trx) => answer(draft, code, trx));
      if (verdict === "right") return { ok: true };
      // Pressed twice, the second press finds the challenge used up and the address verified.
      const isVerified = verdict === "none" && (await drafts.find(token))?.isVerified;
      return isVerified ? { ok: true } : { ok: false, reason: codeRefusals[verdict] };
    },

    async findVerification(linkToken) {
      const draft = await findSubject(await challenges.peekLink(PURPOSE, linkToken));
      return draft && { email: draft.email };
    },

    verifyByLink: (linkToken) =>
      db.transaction().execute(async (trx) => {
        const draft = await findSubject(await challenges.claimLink(PURPOSE, linkToken, trx), trx);
        return draft !== undefined && drafts.verify(draft, trx);
      }),

    async resendVerification(token, _from) {
      const draft = await drafts.find(token);
      if (!draft) return { ok: false, reason: "no-draft" };
      if (draft.isVerified) return { ok: false, reason: "already-verified" };
      const tooMany = await limits.countEmail(draft.email);
      return tooMany ?? db.transaction().execute((trx) => send(draft, trx));
    },
  };

  /** The proof and what is proved are kept together or not at all. */
  async function answer(draft: DraftRow, code: string, trx: Queries): Promise<CodeVerdict> {
    const verdict = await challenges.answerCode({ purpose: PURPOSE, subject: subjectOf(draft), code }, trx);
    if (verdict !== "right") return verdict;
    return (await drafts.verify(draft, trx)) ? "right" : "expired";
  }

  async function send(draft: Recipient, trx: Queries) {
    const challenge = { purpose: PURPOSE, subject: subjectOf(draft), linkLifeInMs: LINK_LIFE_IN_MS };
    const started = await challenges.start(challenge, trx);
    if (!started.ok) return started;
    const { id, email, firstName, site } = draft;
    await emails.verification({ id, email, firstName, site, code: started.code, token: started.token }, trx);
    return { ok: true as const };
  }

  /** The draft a link was for, if it has that address still. */
  async function findSubject(subject: string | undefined, on: Queries = db): Promise<DraftRow | undefined> {
    const id = Number(subject?.split(" ")[0] ?? Number.NaN);
    const draft = Number.isInteger(id) ? await drafts.findById(id, on) : undefined;
    return draft && subjectOf(draft) === subject ? draft : undefined;
  }
}

/** A draft and its address: what proves one address proves no other. */
export function subjectOf({ id, email }: Pick<DraftRow, "id" | "email">): string {
  return `${id} ${toEmailKey(email)}`;
}
