import type { Seal } from "../seal.ts";
import type { AdmissionRefusal } from "../sign-up/admission.ts";
import type { DraftRow } from "../sign-up/drafts.ts";
import type { ProviderRefusal } from "./provider-client-refusal.ts";
import type { ProviderClient } from "./provider-client.ts";
import { isAway, toError } from "./provider-errors.ts";
import type { Enter } from "./remote-entrance.ts";
import type { AdmissionRow, Admissions } from "./remote-sign-up-rows.ts";

/** Opens the accounts of drafts at the provider. */
export type Opening = {
  isRegistered(email: string): Promise<boolean>;
  /** Opens one for a draft, or logs in to the one that was opened for it before: `own` is what was asked until now. */
  open(
    draft: DraftRow,
    how: { address: string; own: AdmissionRow | undefined },
  ): Promise<{ ok: true } | AdmissionRefusal>;
};

export type OpeningRooms = {
  client: Pick<ProviderClient, "call">;
  admissions: Admissions;
  enter: Enter;
  seal: Seal;
};

const REGISTERED = { ok: false, reason: "email-registered" } as const;
const UNREACHABLE = { ok: false, reason: "unreachable" } as const;

/** Its calls throw a `ProviderError` when the provider cannot be asked. */
export function createOpening({ client, admissions, enter, seal }: OpeningRooms): Opening {
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
