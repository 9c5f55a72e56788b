import { CODE_LIFE_IN_MS, type CodeRefusal } from "../challenges/challenges.ts";
import {
  answerCode,
  claimCodeLink,
  type CodeLogIn,
  countCodeAnswer,
  requestCode,
  type RequestCodeResult,
} from "../challenges/code-log-in.ts";
import type { AuditNote } from "../../platform/audit/audit.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Browser, StartedSession } from "../sessions/sessions.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { type AccountsContext, entryPurposes, isSubjectFor, linkPurposes, memberIdIn, toSubject } from "./context.ts";
import { forgivePasswordAttempts } from "./password-attempts.ts";
import {
  changeHeld,
  findAccount,
  findMemberByEmail,
  holdMember,
  holdOpenMember,
  noPending,
  passwordColumns,
} from "./members.ts";
import { isPasswordOff, recordSwitch } from "./password-switch.ts";
import {
  checkNewPassword,
  hashPassword,
  type NewPassword,
  type NewPasswordRefusal,
  verifyPassword,
} from "./passwords.ts";

/**
 * An email brings a code and a link; either is exchanged once for a grant, and the grant for a new password. No step
 * reveals whether an address has an account.
 */
export type PasswordReset = {
  /**
   * Step 1: the same answer and work for unknown addresses, and within a minute of the last email, when none is sent.
   */
  request(request: ResetRequest): Promise<RequestCodeResult>;
  /** Step 2: `grant` is valid for step 3, once, for ten minutes. */
  checkCode(answer: ResetAnswer): Promise<CheckResetResult>;
  /** Whether the page behind the email's link may show its button. */
  peekLink(token: string): Promise<boolean>;
  /** Whether this grant turns a password on again. */
  turnsOn(grant: string): Promise<boolean>;
  /** Exchanges the email's link for a grant, once, on any device. */
  useLink(token: string): Promise<string | undefined>;
  /**
   * Step 3, in one transaction: sets the password, ends all sessions, drops a pending address, emails the owner and
   * logs in the form's browser. A refused password leaves the grant valid. A repeat of the form within a quarter of an
   * hour, after a lost answer, gets the same session.
   */
  setPassword(change: ResetChange): Promise<SetPasswordResult>;
};

/** `address`: the network address. `note`: of an operator who requests it for the member. */
export type ResetRequest = { email: string; address: string; site: string; note?: AuditNote };

export type ResetAnswer = { email: string; code: string; address: string };

/** Without `browser`, for the API, no session starts. */
export type ResetChange = NewPassword & { grant: string; browser?: Browser | undefined; site?: string | undefined };

export type CheckResetResult = { ok: true; grant: string } | { ok: false; reason: CodeRefusal } | TooMany;

export type SetPasswordResult =
  | { ok: true; session?: StartedSession | undefined }
  | { ok: false; reason: NewPasswordRefusal | "grant-over" }
  /** By another back end, with its own sentence for the visitor. */
  | { ok: false; reason: "refused"; message: string };

const { reset, grant: grantPurpose } = linkPurposes;
const resetByCode: CodeLogIn = {
  name: "reset",
  purpose: reset,
  attemptsOfNetwork: 60,
  hold: async (id, trx) => (await holdMember(id, trx)) !== undefined,
};

const GRANT_OVER = { ok: false, reason: "grant-over" } as const;

export function requestReset(
  ctx: AccountsContext,
  { email, address, site, note }: ResetRequest,
): Promise<RequestCodeResult> {
  return requestCode(ctx, resetByCode, {
    email,
    address,
    async prepare() {
      const member = await findMemberByEmail(email, ctx.db);
      return {
        id: member?.id,
        subject: toSubject(ctx, member?.id, email),
        async write(started, trx) {
          const isOff = await isPasswordOff(member?.id ?? 0, trx);
          await ctx.emails.passwordReset({ member, isPasswordOff: isOff, site, ...started }, trx);
        },
        finish: note,
      };
    },
  });
}

export async function checkResetCode(
  ctx: AccountsContext,
  { email, code, address }: ResetAnswer,
): Promise<CheckResetResult> {
  const blocked = await countCodeAnswer(ctx, resetByCode, { email, address });
  if (blocked) return blocked;
  const member = await findMemberByEmail(email, ctx.db);
  const answered = await answerCode(ctx, resetByCode, {
    id: member?.id,
    subject: toSubject(ctx, member?.id, email),
    code,
    admit: async ({ subject }, trx) => ({ grant: await startGrant(ctx, subject, trx) }),
  });
  if (!answered.ok) return answered;
  // Members who forgot their password try until log-in blocks them: proving the address unblocks them.
  await forgivePasswordAttempts(ctx, { email, address });
  return { ok: true, ...answered.result };
}

export async function peekResetLink({ challenges }: AccountsContext, token: string): Promise<boolean> {
  return (await challenges.peekLink(reset, token)) !== undefined;
}

export async function useResetLink(ctx: AccountsContext, token: string): Promise<string | undefined> {
  return claimCodeLink(ctx, resetByCode, { token, admit: ({ subject }, trx) => startGrant(ctx, subject, trx) });
}

export async function turnsPasswordOn({ challenges, db }: AccountsContext, grant: string): Promise<boolean> {
  const subject = await challenges.peekLink(grantPurpose, grant);
  return subject !== undefined && isPasswordOff(memberIdIn(subject), db);
}

/** Voids an earlier grant. */
export function startGrant(
  { challenges }: Pick<AccountsContext, "challenges">,
  subject: string,
  trx: Queries,
): Promise<string> {
  return challenges.restart({ purpose: grantPurpose, subject, linkLifeInMs: CODE_LIFE_IN_MS }, trx);
}

export async function setPassword(
  ctx: AccountsContext,
  { grant, browser, site, ...wanted }: ResetChange,
): Promise<SetPasswordResult> {
  const { db, clock, log, sessions, challenges, emails, productName } = ctx;
  const subject = await challenges.peekLink(grantPurpose, grant);
  const account = subject === undefined ? undefined : await findAccount(memberIdIn(subject), db);
  const answerOver = () => (browser ? answerAgain(ctx, { grant, browser, password: wanted.password }) : GRANT_OVER);
  if (!account) return answerOver();
  const [refusal] = checkNewPassword(wanted, { ...account, productName });
  if (refusal) return { ok: false, reason: refusal };

  const passwordHash = await hashPassword(wanted.password);
  const set = await db.transaction().execute(async (trx): Promise<SetPasswordResult> => {
    const held = await holdOpenMember(account.id, trx);
    const claimed = await challenges.claimLink(grantPurpose, grant, trx);
    if (!held || claimed === undefined || !isSubjectFor(ctx, claimed, held)) return GRANT_OVER;
    await changeHeld(held, { columns: { ...passwordColumns(passwordHash), ...noPending }, trx });
    if (held.passwordOffAt) await recordSwitch(ctx, { memberId: held.id, isOn: true }, trx);
    await sessions.endAll(held.id, trx);
    await challenges.voidAll({ owner: held.id, purposes: entryPurposes }, trx);
    await emails.passwordChanged({ member: held, at: clock(), site }, trx);
    return { ok: true, session: browser && (await sessions.start(held.id, browser, { secret: grant, trx })) };
  });
  if (!set.ok) return answerOver();
  log.info({ member: account.id }, "a forgotten password was replaced");
  return set;
}

/** The answer to a repeated form, whose first answer was lost: the password is set, and the grant used up. */
async function answerAgain(
  { db, sessions }: AccountsContext,
  { grant, browser, password }: { grant: string; browser: Browser; password: string },
): Promise<SetPasswordResult> {
  const claimed = await sessions.findClaimed(grant, browser);
  const account = claimed && (await findAccount(claimed.memberId, db));
  const isSame = account !== undefined && (await verifyPassword(password, account.passwordHash));
  return isSame ? { ok: true, session: claimed?.session } : GRANT_OVER;
}
