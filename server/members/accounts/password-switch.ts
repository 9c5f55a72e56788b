import type { Queries } from "../../platform/database/database.ts";
import { authors } from "../../platform/audit/labels.ts";
import type { AccountsContext } from "./context.ts";
import { type PasswordProof, provePassword } from "./log-in.ts";
import { changeHeld, findAccount, holdOpenMember, passwordColumns } from "./members.ts";
import { isFresh, LEAST_PASSKEYS, listMemberPasskeys } from "./passkeys.ts";
import { makeUnusableHash } from "./passwords.ts";

/**
 * A member with two passkeys may turn the password off, and on again as it was. While it is off its stored hash matches
 * no password, so each form and call refuses it like a wrong one, after the same work. A reset by email turns it on too,
 * with a new one.
 */
export type PasswordSwitch = {
  /** Emails a change, and records it in the audit log; a repeat changes nothing. */
  switchTo(wanted: WantedPassword): Promise<"switched" | "not-fresh" | "too-few">;
};

/** `token`: of the session, which must be fresh. `site`: of the links in the email. */
export type WantedPassword = { memberId: number; token: string; isOn: boolean; site: string };

export async function isPasswordOff(memberId: number, db: Queries): Promise<boolean> {
  const row = await db.selectFrom("members").select("passwordOffAt").where("id", "=", memberId).executeTakeFirst();
  return row !== undefined && row.passwordOffAt !== null;
}

export async function switchPassword(
  ctx: AccountsContext,
  { memberId, token, isOn, site }: WantedPassword,
): ReturnType<PasswordSwitch["switchTo"]> {
  if (!(await isFresh(ctx, token))) return "not-fresh";
  return ctx.db.transaction().execute(async (trx) => {
    const held = await holdOpenMember(memberId, trx);
    if (!held) return "not-fresh";
    if (isOn === (held.passwordOffAt === undefined)) return "switched";
    // A removal of a passkey locks the account too.
    if (!isOn && (await listMemberPasskeys(ctx, memberId, trx)).length < LEAST_PASSKEYS) return "too-few";
    const at = ctx.clock();
    const off = { passwordHash: makeUnusableHash(), passwordOffAt: at, offPasswordHash: held.passwordHash };
    await changeHeld(held, { columns: isOn ? passwordColumns(held.offPasswordHash ?? held.passwordHash) : off, trx });
    await recordSwitch(ctx, { memberId, isOn }, trx);
    await ctx.emails.passwordSwitched({ member: held, isOn, at, site }, trx);
    return "switched";
  });
}

/** For a reset as well, which turns it on. */
export async function recordSwitch(
  { audit, log }: AccountsContext,
  { memberId, isOn }: { memberId: number; isOn: boolean },
  trx: Queries,
): Promise<void> {
  const action = isOn ? "member password on" : "member password off";
  await audit.record({ operator: authors.member, action, memberId, facts: {} }, trx);
  log.info({ member: memberId }, isOn ? "a member turned the password on" : "a member turned the password off");
}

export type MemberProof = PasswordProof | { ok: false; reason: "not-fresh" };

/**
 * Asks a logged-in member who they are: by the password or, while that is off, by a passkey within ten minutes. The
 * proof holds only while the account has this `passwordHash`.
 */
export async function proveMember(
  ctx: AccountsContext,
  { token = "", ...typed }: { memberId: number; token?: string | undefined; password: string; address: string },
): Promise<MemberProof> {
  const account = await findAccount(typed.memberId, ctx.db);
  if (account?.passwordOffAt === undefined) return provePassword(ctx, typed);
  return (await isFresh(ctx, token))
    ? { ok: true, passwordHash: account.passwordHash }
    : { ok: false, reason: "not-fresh" };
}
