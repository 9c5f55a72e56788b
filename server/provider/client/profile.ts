import type { Accounts } from "../../accounts/accounts.ts";
import type { MemberMirror } from "../../accounts/member-mirror.ts";
import {
  cleanFields,
  isEdited,
  isOtherAddress,
  isOvertaken,
  listFaults,
  type Profile,
  type SaveProfileResult,
  type SaveWish,
} from "../../accounts/profile.ts";
import { toEmailKey } from "../../accounts/rules.ts";
import { ProviderError, type ProviderRefusal } from "./line.ts";
import type { CallForMember } from "./members.ts";

type ProfileParts = { call: CallForMember; mirror: MemberMirror; accounts: Accounts };

/**
 * Names and address that the provider keeps. It asks for the proof of a new address itself, by an email that leads to its own pages;
 * so nothing waits for a code here.
 */
export function createRemoteProfile(own: Profile, { call, mirror, accounts }: ProfileParts): Profile {
  async function save(wish: SaveWish): Promise<SaveProfileResult> {
    const { memberId, address } = wish;
    const edit = { shown: wish.shown, wanted: cleanFields(wish.wanted) };
    const held = await accounts.findMember(memberId);
    if (!held || isOvertaken(edit, held)) {
      return { ok: false, reason: "changed-elsewhere", now: { ...(held ?? wish.shown), pendingEmail: undefined } };
    }
    const isEmailNew = isOtherAddress(edit, held);
    const refusals = [...listFaults(edit), ...(isEmailNew && !wish.password ? (["password-wanted"] as const) : [])];
    if (refusals.length > 0) return { ok: false, reason: "refused", refusals };

    const { firstName, lastName, email } = edit.wanted;
    const changes = {
      id: memberId,
      ...(isEdited("firstName", edit) && { first_name: firstName }),
      ...(isEdited("lastName", edit) && { last_name: lastName }),
      ...(isEdited("email", edit) && { email }),
      ...(isEmailNew && wish.password && { password: wish.password }),
    };
    if (Object.keys(changes).length === 1) return { ok: true, isEmailPending: false };
    const outcome = await call("patchuser", changes, { memberId, address });
    if (!outcome.ok) return toRefusal(outcome);

    const saved = outcome.answer;
    const counts = saved.email || (saved.pending_email ? held.email : edit.wanted.email);
    await mirror.remember({
      id: memberId,
      email: counts,
      firstName: saved.first_name || firstName,
      lastName: saved.last_name || lastName,
    });
    const isEmailPending = isEmailNew && toEmailKey(counts) !== toEmailKey(email);
    return { ok: true, isEmailPending, ...(isEmailPending && { isProvedElsewhere: true }) };
  }

  return {
    ...own,
    save: (wish) =>
      save(wish).catch((error: unknown) => {
        if (error instanceof ProviderError) return { ok: false, reason: "unreachable" };
        throw error;
      }),
  };
}

function toRefusal({ status, message, waitInMs }: ProviderRefusal): SaveProfileResult {
  if (waitInMs !== undefined) return { ok: false, reason: "too-many-attempts", waitInMs };
  return status >= 500 ? { ok: false, reason: "unreachable" } : { ok: false, reason: "not-taken", message };
}
