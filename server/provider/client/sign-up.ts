import type { Clock } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { addMonths, plans } from "../../membership/plans.ts";
import type { Fulfil } from "../../payments/context.ts";
import { toReceiptNumber } from "../../payments/orders.ts";
import type { Seal } from "../../seal.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { Admission, AdmissionRefusal } from "../../sign-up/admission.ts";
import { claimDraft, type DraftRow, forgetPassword, noteMember } from "../../sign-up/drafts.ts";
import type { ProviderClient } from "./client.ts";
import { isAway, toError } from "./errors.ts";
import { ProviderError, type ProviderRefusal } from "./line.ts";
import type { Enter } from "./log-in.ts";
import type { Standing } from "./members.ts";
import type { PreparedPayments } from "./payment-rows.ts";
import type { AdmissionRow, Admissions } from "./sign-up-rows.ts";
import type { ProviderTokens } from "./tokens.ts";

type AdmissionServices = Context &
  OpeningServices & {
    sessions: Pick<Sessions, "start">;
    tokens: Pick<ProviderTokens, "keep">;
    standing: Pick<Standing, "forget">;
    /** What is to be done for whoever came in, before they see a page. */
    welcome: { done(): Promise<void> };
  };

/**
 * Accounts that are a provider's. One is opened just before its first payment, by the password that was typed in step 1, which the
 * draft therefore keeps, sealed. That one is asked for is written down first: where the answer is lost, whoever has the draft's
 * password logs in to what was made.
 */
export function createRemoteAdmission(services: AdmissionServices): Admission {
  const { admissions, sessions, tokens, standing, welcome, seal, log } = services;
  const opening = createOpening(services);
  return {
    keepPassword: async (password) => seal.seal(password),

    async isTaken({ email, password, before }) {
      const own = before && (await admissions.find({ id: before.id, email }));
      const kept = before?.keptPassword;
      // The account has the password that it was opened with: another one cannot be set from here.
      const isOwn = own !== undefined && kept !== undefined && seal.open(kept) === password;
      if (own?.memberId !== undefined) return !isOwn;
      try {
        return (await opening.isRegistered(email)) && !isOwn;
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        // It is asked again before anything is charged.
        log.warn({ error }, "an address could not be looked up");
        return false;
      }
    },

    async prepare(draft, address) {
      const own = await admissions.find(draft);
      if (own?.memberId !== undefined && own.token !== undefined) return { ok: true };
      try {
        return await opening.open(draft, { address, own });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ error, draft: draft.id }, "an account could not be opened");
        return { ok: false, reason: "unreachable" };
      }
    },

    async startSession(memberId, browser) {
      const session = await sessions.start(memberId, browser);
      const token = await admissions.findToken(memberId);
      if (token !== undefined) await tokens.keep(session.token, { memberId, token });
      await admissions.forgetTokens(memberId);
      standing.forget(memberId);
      await welcome.done();
      return session;
    },

    letRest: (draftId) => forgetPassword(services, draftId),
  };
}

/** Opens the accounts of drafts at the provider. */
export type Opening = {
  isRegistered(email: string): Promise<boolean>;
  /** Opens one for a draft, or logs in to the one that was opened for it before: `own` is what was asked until now. */
  open(
    draft: DraftRow,
    how: { address: string; own: AdmissionRow | undefined },
  ): Promise<{ ok: true } | AdmissionRefusal>;
};

export type OpeningServices = {
  client: Pick<ProviderClient, "call">;
  admissions: Admissions;
  enter: Enter;
  seal: Seal;
};

const REGISTERED = { ok: false, reason: "email-registered" } as const;
const UNREACHABLE = { ok: false, reason: "unreachable" } as const;

/** Its calls throw a `ProviderError` when the provider cannot be asked. */
function createOpening({ client, admissions, enter, seal }: OpeningServices): Opening {
  return {
    isRegistered,

    async open(draft, { address, own }) {
      const { email } = draft;
      if (!own && (await isRegistered(email))) return REGISTERED;
      await admissions.ask(draft);
      const refusal = own?.memberId === undefined ? await signUp(draft) : undefined;
      // Perhaps made by another press, or by one whose answer never came: then this password opens it.
      if (refusal && refusal.status !== 409 && !own) return toRefusal(refusal);
      const entered = await enter({ email, password: requirePassword(draft), address });
      if (!entered.ok && entered.reason === "too-many-attempts") return UNREACHABLE;
      if (!entered.ok) return refusal ? toRefusal(refusal) : REGISTERED;
      await admissions.note(draft, { memberId: entered.member.id, token: entered.token });
      return { ok: true };
    },
  };

  async function isRegistered(email: string): Promise<boolean> {
    const found = await client.call("grabuserid", { email });
    if (!found.ok && found.status !== 404) throw toError(found);
    return found.ok;
  }

  async function signUp(draft: DraftRow): Promise<ProviderRefusal | undefined> {
    const { firstName: first_name, lastName: last_name, email, accountType: userType, code } = draft;
    const person = { first_name, last_name, email, password: requirePassword(draft), userType };
    const codes = code === undefined ? {} : { dormouseCode: code, productCode: code };
    const made = await client.call("usersignup", { ...person, ...codes });
    return made.ok ? undefined : made;
  }

  function requirePassword({ keptPassword }: DraftRow): string {
    const password = keptPassword === undefined ? undefined : seal.open(keptPassword);
    if (password === undefined) throw new Error("The password of a draft cannot be read: was it sealed elsewhere?");
    return password;
  }
}

function toRefusal(refusal: ProviderRefusal): AdmissionRefusal {
  if (refusal.status === 401 || isAway(refusal)) return UNREACHABLE;
  return refusal.status === 409 ? REGISTERED : { ok: false, reason: "not-admitted", message: refusal.message };
}

type CompletionServices = {
  admissions: Pick<Admissions, "findMemberId">;
  prepared: Pick<PreparedPayments, "findProviderOrder">;
  clock: Clock;
};

/**
 * What follows from an order that the provider has completed: account, seat, subscription and emails are made there, so only our own
 * books are brought in line. Money that was taken there is never given back from here, whatever became of the draft: who paid has
 * what they paid for.
 */
export function createRemoteCompletion({ admissions, prepared, clock }: CompletionServices): Fulfil {
  return async (order, trx) => {
    const { draftId, email, planType } = order;
    const draft = draftId === undefined ? undefined : await claimDraft({ db: trx }, draftId);
    const isFree = order.accountType === "corporate";
    // Pressed twice: the first has written down everything.
    if (!draft && isFree) return { ok: false, reason: draftId === undefined ? "sign-up-gone" : "already-completed" };
    // Who is charged is known to the gateway by their number.
    const admitted = draftId === undefined ? undefined : await admissions.findMemberId(draftId, trx);
    const memberId = order.customerId === undefined ? admitted : Number(order.customerId);
    if (memberId === undefined) throw new Error("A provider's order was completed for nobody");
    if (draft) await noteMember({ db: trx }, { id: draft.id, memberId, email });
    const startsAt = clock();
    const number = await prepared.findProviderOrder(order.id, trx);
    return {
      ok: true,
      memberId,
      startsAt,
      endsAt: addMonths(startsAt, plans[planType].months),
      // The email that the provider writes has its own number; where that was never told, ours must not be taken for it.
      receiptNumber:
        number === undefined ? `F${toReceiptNumber(order.id, startsAt)}` : toReceiptNumber(number, startsAt),
    };
  };
}
