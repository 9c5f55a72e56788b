import type { Log } from "../log.ts";
import type { Seal } from "../seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Admission, AdmissionRefusal } from "../sign-up/admission.ts";
import type { DraftRow } from "../sign-up/draft-rows.ts";
import type { Drafts } from "../sign-up/drafts.ts";
import type { ProviderClient } from "./provider-client.ts";
import { ProviderError, type ProviderRefusal } from "./provider-client-refusal.ts";
import type { ProviderTokens } from "./provider-tokens.ts";
import type { Enter } from "./remote-entrance.ts";
import type { AdmissionRow, Admissions } from "./remote-sign-up-rows.ts";
import type { Standing } from "./remote-standing.ts";

type AdmissionRooms = {
  client: Pick<ProviderClient, "call">;
  admissions: Admissions;
  drafts: Pick<Drafts, "forgetPassword">;
  sessions: Pick<Sessions, "start">;
  tokens: Pick<ProviderTokens, "keep">;
  standing: Pick<Standing, "forget">;
  enter: Enter;
  seal: Seal;
  log: Log;
};

const REGISTERED = { ok: false, reason: "email-registered" } as const;
const UNREACHABLE = { ok: false, reason: "unreachable" } as const;

/**
 * Accounts that are a provider's. One is opened just before its first payment, by the password that was typed in step 1, which the
 * draft therefore keeps, sealed. That one is asked for is written down first: where the answer is lost, whoever has the draft's
 * password logs in to what was made.
 */
export function createRemoteAdmission(rooms: AdmissionRooms): Admission {
  const { client, admissions, drafts, sessions, tokens, standing, enter, seal, log } = rooms;
  return {
    keepPassword: async (password) => seal.seal(password),

    async isTaken({ email, password, before }) {
      const own = before && (await admissions.find({ id: before.id, email }));
      // The account has the password that it was opened with: another one cannot be set from here.
      const isOwn = own && before && openPassword(before) === password;
      if (own?.memberId !== undefined) return !isOwn;
      try {
        return (await isRegistered(email)) && !isOwn;
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
        return await open(draft, { address, own });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ error, draft: draft.id }, "an account could not be opened");
        return UNREACHABLE;
      }
    },

    async startSession(memberId, browser) {
      const session = await sessions.start(memberId, browser);
      const token = await admissions.findToken(memberId);
      if (token !== undefined) await tokens.keep(session.token, { memberId, token });
      await admissions.forgetTokens(memberId);
      standing.forget(memberId);
      return session;
    },

    letRest: (draftId) => drafts.forgetPassword(draftId),
  };

  async function isRegistered(email: string): Promise<boolean> {
    const found = await client.call("grabuserid", { email });
    if (!found.ok && found.status !== 404) throw toError(found);
    return found.ok;
  }

  async function open(
    draft: DraftRow,
    { address, own }: { address: string; own: AdmissionRow | undefined },
  ): Promise<{ ok: true } | AdmissionRefusal> {
    if (!own && (await isRegistered(draft.email))) return REGISTERED;
    await admissions.ask(draft);
    const refusal = own?.memberId === undefined ? await signUp(draft) : undefined;
    // Perhaps made by another press, or by one whose answer never came: then this password opens it.
    if (refusal && refusal.status !== 409 && !own) return toRefusal(refusal);
    const { email } = draft;
    const entered = await enter({ email, password: requirePassword(draft), address });
    if (!entered.ok && entered.reason === "too-many-attempts") return UNREACHABLE;
    if (!entered.ok) return refusal ? toRefusal(refusal) : REGISTERED;
    await admissions.note(draft, { memberId: entered.member.id, token: entered.token });
    return { ok: true };
  }

  async function signUp(draft: DraftRow): Promise<ProviderRefusal | undefined> {
    const { firstName: first_name, lastName: last_name, email, accountType: userType, code } = draft;
    const person = { first_name, last_name, email, password: requirePassword(draft), userType };
    const codes = code === undefined ? {} : { dormouseCode: code, productCode: code };
    const made = await client.call("usersignup", { ...person, ...codes });
    return made.ok ? undefined : made;
  }

  function requirePassword(draft: DraftRow): string {
    const password = openPassword(draft);
    if (password === undefined) throw new Error("The password of a draft cannot be read: was it sealed elsewhere?");
    return password;
  }

  function openPassword({ keptPassword }: DraftRow): string | undefined {
    return keptPassword === undefined ? undefined : seal.open(keptPassword);
  }
}

function toRefusal(refusal: ProviderRefusal): AdmissionRefusal {
  if (refusal.status === 401 || isAway(refusal)) return UNREACHABLE;
  return refusal.status === 409 ? REGISTERED : { ok: false, reason: "not-admitted", message: refusal.message };
}

/** Not now: nothing is said of what was asked. */
export function isAway({ status }: ProviderRefusal): boolean {
  return status === 429 || status >= 500;
}

export function toError({ status, message }: ProviderRefusal): ProviderError {
  return new ProviderError(`The provider answered ${status}: ${message}`, { isUnreachable: status >= 500 });
}
