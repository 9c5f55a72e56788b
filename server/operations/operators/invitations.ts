import {
  checkNewPassword,
  hashPassword,
  type NewPassword,
  type NewPasswordRefusal,
} from "../../members/accounts/passwords.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { findOperator, type Operator, type OperatorsContext } from "./context.ts";
import { type StartedOperatorSession, startOperatorSession } from "./operator-sessions.ts";
import { claimCode, makeSecret, replaceRecoveryCodes, toUri } from "./one-time-codes.ts";

/** An operator begins with a link that the command prints: they choose a password and set up their app. */
export type Invitation = { operator: Operator };

/** `secret`: of the app's one-time codes, in base32. `uri`: an `otpauth:` address for a QR code. */
export type ShownSecret = { secret: string; uri: string };

export type InvitationAnswer = NewPassword & {
  token: string;
  code: string;
  userAgent?: string | undefined;
};

export type InvitationRefusal = NewPasswordRefusal | "code-wrong";

export type Accepted =
  | { ok: true; operator: Operator; recoveryCodes: string[]; session: StartedOperatorSession }
  | { ok: false; reason: "over" }
  | { ok: false; reason: "refused"; refusals: InvitationRefusal[] }
  | TooMany;

const PURPOSE = "operator-invitation";
const LINK_LIFE_IN_MS = 3 * DAY_IN_MS;
/** Of the link's reader: strangers do not have it. */
const ANSWERS = { attempts: 10, windowInMs: 15 * MINUTE_IN_MS };

/** Voids an earlier invitation. Call it in a transaction. */
export function invite({ db, challenges }: OperatorsContext, { id }: Operator): Promise<string> {
  return challenges.restart({ purpose: PURPOSE, subject: `${id} operator`, linkLifeInMs: LINK_LIFE_IN_MS }, db);
}

export async function findInvitation(ctx: OperatorsContext, token: string): Promise<Invitation | undefined> {
  const operator = await findInvited(ctx, await ctx.challenges.peekLink(PURPOSE, token));
  return operator && { operator };
}

/**
 * Makes and shows an invited operator's secret once. A second request gives another and voids the first, so a secret
 * that a stranger has seen never becomes the operator's.
 */
export async function showSecret(ctx: OperatorsContext, token: string): Promise<ShownSecret | undefined> {
  const invitation = await findInvitation(ctx, token);
  if (!invitation) return undefined;
  const { id, email } = invitation.operator;
  const secret = makeSecret();
  const operator = ctx.db.updateTable("operators").set({ totpSecret: ctx.seal.seal(secret), totpStep: null });
  // An operator who has begun has an app already.
  const isNew = await hasChanged(operator.where("id", "=", id).where("passwordHash", "is", null));
  if (!isNew) return undefined;
  return { secret, uri: toUri({ secret, label: email, issuer: `${ctx.productName} desk` }) };
}

function findInvited({ db }: OperatorsContext, subject: string | undefined): Promise<Operator | undefined> {
  return subject === undefined ? Promise.resolve(undefined) : findOperator(db, Number(subject.split(" ")[0]));
}

export async function acceptInvitation(ctx: OperatorsContext, answer: InvitationAnswer): Promise<Accepted> {
  const { token, code, userAgent, ...passwords } = answer;
  const invitation = await findInvitation(ctx, token);
  if (!invitation) return { ok: false, reason: "over" };
  const { operator } = invitation;
  const blocked = await ctx.rateLimiter.count(`desk invitation of ${operator.id}`, ANSWERS);
  if (blocked) return blocked;
  const owner = { productName: ctx.productName, email: operator.email, firstName: operator.name, lastName: "" };
  const refusals: InvitationRefusal[] = checkNewPassword(passwords, owner);
  if (refusals.length > 0) return { ok: false, reason: "refused", refusals };
  const passwordHash = await hashPassword(passwords.password);
  return ctx.db.transaction().execute(async (trx): Promise<Accepted> => {
    const inTransaction = { ...ctx, db: trx };
    // The code first: a wrong one leaves the invitation as it was.
    if (!(await claimCode(inTransaction, operator.id, code))) {
      return { ok: false, reason: "refused", refusals: ["code-wrong"] };
    }
    if ((await ctx.challenges.claimLink(PURPOSE, token, trx)) === undefined) return { ok: false, reason: "over" };
    await trx.updateTable("operators").set({ passwordHash }).where("id", "=", operator.id).execute();
    const recoveryCodes = await replaceRecoveryCodes(inTransaction, operator.id);
    const session = await startOperatorSession(inTransaction, { operatorId: operator.id, userAgent });
    await ctx.audit.record({ operator: operator.email, action: "desk invitation accepted", facts: {} }, trx);
    return { ok: true, operator: { ...operator, isActive: true }, recoveryCodes, session };
  });
}
