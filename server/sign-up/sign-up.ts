import type { Accounts } from "../accounts/accounts.ts";
import type { Challenges, CodeRefusal } from "../challenges/challenges.ts";
import type { Clock } from "../clock.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import type { AccountType } from "../database/schema.ts";
import type { Log } from "../log.ts";
import type { Membership } from "../membership/membership.ts";
import type { PlanType } from "../membership/plans.ts";
import type { Decline } from "../payments/card-gateway.ts";
import type { Payments } from "../payments/payments.ts";
import type { PaymentView } from "../payments/records.ts";
import type { RateLimiter } from "../rate-limit/rate-limit.ts";
import type { Browser, StartedSession } from "../sessions/sessions.ts";
import type { Admission } from "./admission.ts";
import { createSaveDetails } from "./details.ts";
import { createDraftRecords, type DraftRecords, toDraftView } from "./draft-view.ts";
import type { Drafts } from "./drafts.ts";
import { createPay } from "./paying.ts";
import { createRenewal, type RenewalLinks } from "./renewal.ts";
import { createLimits, createVerification, type VerificationEmail } from "./verification.ts";

/**
 * How a visitor becomes a member: a draft in the database, keyed by a token in the visitor's cookie, that goes from details to
 * plan to payment and ends as an account with a subscription. Renewing is the same way for somebody who has an account already.
 */
export type SignUp = DraftRecords & {
  /** The living draft behind a token. */
  findDraft(token: string): Promise<Draft | undefined>;
  /** How long it lives: paying lets it live on, and its browser must know. */
  findStarted(token: string): Promise<StartedDraft | undefined>;
  /**
   * Step 1. Checks everything at once and answers every refusal; if there is none, keeps the details in the draft behind
   * `token` or in a new one, and mails a link and a code to an address that is not verified yet.
   */
  saveDetails(details: Details): Promise<SaveDetailsResult>;
  /** The six-digit code of the mail. */
  verifyByCode(token: string, code: string): Promise<VerifyResult>;
  /** What the page behind the mail's link may show before its button is pressed. */
  findVerification(linkToken: string): Promise<{ email: string } | undefined>;
  /** The mail's link, on whatever device: answers whether it was good. */
  verifyByLink(linkToken: string): Promise<boolean>;
  /** Mails a new link and code; the ones before are void. */
  resendVerification(token: string, from: Whereabouts): Promise<ResendResult>;
  /** Step 2. Cancels a payment of another plan that was begun and not finished. */
  choosePlan(token: string, planType: PlanType): Promise<ChoosePlanResult>;
  /** Step 3, for both account types: no card is charged twice, whatever is pressed twice. */
  pay(token: string, payment: PaymentInput): Promise<PayResult>;
  /** Looks at the gateway for how a payment that was begun has ended, and finishes what is paid for. A no-op otherwise. */
  settle(token: string): Promise<void>;
  /** Logs in the browser that has just completed the draft, once. */
  claimSession(token: string, browser?: Browser): Promise<StartedSession | undefined>;
  /** Whom a renewal link is for; `undefined` when it is not one of ours or too old. */
  findRenewal(linkToken: string): Promise<{ firstName: string; endsAt: Date | undefined } | undefined>;
  /** Starts a draft that renews the account of a renewal link. */
  startRenewal(linkToken: string, from: Whereabouts): Promise<StartedDraft | undefined>;
  /** Forgets drafts that are over and have no payment under way; answers how many. */
  purge(): Promise<number>;
};

export type Draft = {
  purpose: "join" | "renew";
  accountType: AccountType;
  email: string;
  firstName: string;
  lastName: string;
  code: string | undefined;
  isVerified: boolean;
  /** When a new verification mail may be asked for; in the past when it may be now. */
  mayResendAt: Date;
  planType: PlanType | undefined;
  /** The term that paying now would buy: from today, or from the end of what is paid already. */
  startsAt: Date;
  endsAt: Date | undefined;
  /** Where each plan would end. */
  endsOfPlans: Record<PlanType, Date>;
  /** As it was given at an earlier try. */
  postcode: string | undefined;
  payment: PaymentView;
};

/** Where a request came from: its network address, and the site as the visitor met it (`https://host/base/`), for links in mails. */
export type Whereabouts = { address: string; site: string };

export type StartedDraft = { token: string; expiresAt: Date };

export type Details = Whereabouts & {
  /** The draft that this browser has already, if any. */
  token: string | undefined;
  accountType: AccountType;
  code: string;
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  passwordConfirmation: string;
};

/** Every rule of step 1 that a person can break. */
export type DetailsRefusal =
  | { reason: "first-name-missing" }
  | { reason: "last-name-missing" }
  | { reason: "name-too-long"; field: "firstName" | "lastName" }
  | { reason: "email-invalid" }
  | { reason: "email-registered" }
  | { reason: "password-short" }
  | { reason: "password-long" }
  | { reason: "password-common" }
  | { reason: "password-mismatch" }
  /** With the sentence of whoever checked the code. */
  | { reason: "code-refused"; message: string }
  /** The check itself failed. */
  | { reason: "code-unchecked" };

export type SaveDetailsResult =
  | { ok: true; draft: StartedDraft }
  | { ok: false; reason: "refused"; refusals: DetailsRefusal[] }
  /** A payment of this draft is under way or done: it can no longer be changed. */
  | { ok: false; reason: "paying" }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number };

export type VerifyResult = { ok: true } | { ok: false; reason: CodeRefusal | "no-draft" };

export type ResendResult =
  | { ok: true }
  | { ok: false; reason: "too-soon" | "too-many-attempts"; waitInMs: number }
  | { ok: false; reason: "already-verified" | "no-draft" };

export type ChoosePlanResult = { ok: true } | { ok: false; reason: "no-draft" | "paying" };

export type PaymentInput = Whereabouts & {
  /** What the page showed: a plan that was changed elsewhere in the meantime is not charged. */
  shownPlanType: PlanType | undefined;
  postcode: string;
  /** Made by the card fields in the browser; without one the payer goes to the gateway's own page. */
  methodId: string | undefined;
  /** The page of the site that the visitor wanted before all this: kept on the way through banks and gateways. */
  wantedPath?: string | undefined;
};

export type PayResult =
  | { ok: true; next: "completed" | "checking" }
  /** To the payer's bank, or to the gateway's page. */
  | { ok: true; next: "continue"; url: string }
  | { ok: false; reason: "declined"; decline: Decline }
  | { ok: false; reason: "code-refused"; message: string }
  /** No account can be made of the draft; with the sentence of whoever makes it. */
  | { ok: false; reason: "not-admitted"; message: string }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number }
  | {
      ok: false;
      reason: "no-draft" | "no-plan" | "unverified" | "plan-changed" | "postcode-missing" | "email-registered";
    };

type SignUpServices = {
  db: Queries;
  clock: Clock;
  drafts: Drafts;
  accounts: Accounts;
  admission: Admission;
  membership: Membership;
  codes: Codes;
  payments: Payments;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  links: RenewalLinks;
  emails: { verification(mail: VerificationEmail, trx: Queries): Promise<void> };
  productName: string;
  log: Log;
};

const PURGED_AT_ONCE = 500;

export function createSignUp(services: SignUpServices): SignUp {
  const { drafts, admission, payments } = services;
  const limits = createLimits(services);
  const verification = createVerification({ ...services, limits });

  return {
    ...verification,
    ...createRenewal(services),
    ...createDraftRecords(services),
    saveDetails: createSaveDetails({ ...services, verification, limits }),
    pay: createPay({ ...services, limits }),

    findStarted: (token) => drafts.findStarted(token),

    async findDraft(token) {
      const draft = await drafts.find(token);
      return draft && toDraftView(draft, { ...services, verification });
    },

    async choosePlan(token, planType) {
      const draft = await drafts.find(token);
      if (!draft) return { ok: false, reason: "no-draft" };
      if (draft.state !== "open") return { ok: false, reason: "paying" };
      const isOther = draft.planType !== planType;
      if (isOther && (await payments.giveUp(draft.id)) !== "given-up") return { ok: false, reason: "paying" };
      await drafts.setPlan(draft.id, planType);
      return { ok: true };
    },

    async settle(token) {
      const draft = await drafts.find(token);
      if (draft) await payments.settle(draft.id);
    },

    async claimSession(token, browser) {
      const memberId = await drafts.claimSession(token);
      return memberId === undefined ? undefined : admission.startSession(memberId, browser);
    },

    async purge() {
      let count = 0;
      for (const id of await drafts.listExpired(PURGED_AT_ONCE)) {
        if (await payments.isAnyUnsettled(id)) {
          await admission.letRest(id);
          continue;
        }
        await drafts.remove(id);
        count += 1;
      }
      return count;
    },
  };
}
