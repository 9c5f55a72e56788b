import { toEmailKey } from "../../platform/email-address.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { ProviderContext } from "./context.ts";

/**
 * Requests to the provider, recorded before they are sent. `providerSignUps` has each draft's account: after a crash
 * the same account is requested, and no second one. `providerPayments` has each payment attempt: a lost answer can be
 * looked up, and no attempt is charged twice.
 */
type RowContext = Pick<ProviderContext, "db" | "clock" | "keyedHash" | "seals">;

type Drafted = { id: number; email: string };

export type RequestedAccount = { memberId: number | undefined; token: string | undefined };

function toEmailHash({ keyedHash }: RowContext, email: string): string {
  return keyedHash("provider-sign-up")(toEmailKey(email));
}

/** Call it before the request. A draft has one address at a time. */
export async function noteRequest(ctx: RowContext, { id, email }: Drafted): Promise<void> {
  const values = {
    emailHash: toEmailHash(ctx, email),
    memberId: null,
    sealedToken: null,
    requestedAt: ctx.clock(),
  };
  await ctx.db
    .insertInto("providerSignUps")
    .values({ draftId: id, ...values })
    .onConflict((conflict) =>
      conflict.column("draftId").doUpdateSet(values).where("providerSignUps.emailHash", "!=", values.emailHash),
    )
    .execute();
}

/** `undefined` for an earlier address of the draft. */
export async function findRequest(ctx: RowContext, { id, email }: Drafted): Promise<RequestedAccount | undefined> {
  const row = await ctx.db
    .selectFrom("providerSignUps")
    .select(["memberId", "sealedToken"])
    .where("draftId", "=", id)
    .where("emailHash", "=", toEmailHash(ctx, email))
    .executeTakeFirst();
  if (!row) return undefined;
  const token = row.sealedToken === null ? undefined : ctx.seals.joiningToken.open(row.sealedToken);
  return { memberId: row.memberId ?? undefined, token };
}

/** With the token that acts for the member. */
export async function noteOpened(
  ctx: RowContext,
  { id, email }: Drafted,
  { memberId, token }: { memberId: number; token: string },
): Promise<void> {
  await ctx.db
    .updateTable("providerSignUps")
    .set({ memberId, sealedToken: ctx.seals.joiningToken.seal(token) })
    .where("draftId", "=", id)
    .where("emailHash", "=", toEmailHash(ctx, email))
    .execute();
}

export async function findMemberOfAddress(ctx: RowContext, email: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("providerSignUps")
    .select("memberId")
    .where("emailHash", "=", toEmailHash(ctx, email))
    .where("memberId", "is not", null)
    .orderBy("requestedAt", "desc")
    .executeTakeFirst();
  return row?.memberId ?? undefined;
}

export async function findJoiningToken({ db, seals }: RowContext, memberId: number): Promise<string | undefined> {
  const rows = await db
    .selectFrom("providerSignUps")
    .select("sealedToken")
    .where("memberId", "=", memberId)
    .orderBy("requestedAt", "desc")
    .orderBy("draftId", "desc")
    .execute();
  return rows.flatMap(({ sealedToken }) =>
    sealedToken === null ? [] : (seals.joiningToken.open(sealedToken) ?? []),
  )[0];
}

/** The password gets another one. */
export async function forgetJoiningTokens({ db }: { db: Queries }, memberId: number): Promise<void> {
  await db.updateTable("providerSignUps").set({ sealedToken: null }).where("memberId", "=", memberId).execute();
}

const selectPrepared = ({ db }: { db: Queries }) =>
  db
    .selectFrom("providerPayments")
    .select(["key", "orderId", "attempt", "memberId", "paymentId", "amountInPence", "preparedAt"]);

export type PreparedPayment = NonNullable<Awaited<ReturnType<typeof findPrepared>>>;

export function findPrepared(ctx: RowContext, key: string) {
  return selectPrepared(ctx).where("key", "=", key).executeTakeFirst();
}

export function findPreparedById(ctx: RowContext, paymentId: string) {
  return selectPrepared(ctx).where("paymentId", "=", paymentId).orderBy("preparedAt", "desc").executeTakeFirst();
}

export function listPrepared(ctx: RowContext, { orderId, memberId }: { orderId: number; memberId: number }) {
  return selectPrepared(ctx).where("orderId", "=", orderId).where("memberId", "=", memberId).execute();
}

/** Records it once; returns the recorded one, perhaps of another click. */
export async function notePrepared(
  ctx: RowContext,
  payment: Omit<PreparedPayment, "preparedAt">,
): Promise<PreparedPayment> {
  await ctx.db
    .insertInto("providerPayments")
    .values({
      key: payment.key,
      orderId: payment.orderId,
      attempt: payment.attempt,
      memberId: payment.memberId,
      paymentId: payment.paymentId,
      amountInPence: payment.amountInPence,
      providerOrderId: null,
      preparedAt: ctx.clock(),
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  return selectPrepared(ctx).where("key", "=", payment.key).executeTakeFirstOrThrow();
}

export async function hasOtherPrepared(ctx: RowContext, { key, memberId }: PreparedPayment): Promise<boolean> {
  const others = selectPrepared(ctx).where("memberId", "=", memberId).where("key", "!=", key);
  return (await others.limit(1).executeTakeFirst()) !== undefined;
}

export async function noteProviderOrder({ db }: RowContext, key: string, providerOrderId: number): Promise<void> {
  const noted = db.updateTable("providerPayments").set({ providerOrderId });
  await noted.where("key", "=", key).execute();
}

export async function findProviderOrder({ db }: RowContext, orderId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("providerPayments")
    .select("providerOrderId")
    .where("orderId", "=", orderId)
    .where("providerOrderId", "is not", null)
    .orderBy("attempt", "desc")
    .executeTakeFirst();
  return row?.providerOrderId ?? undefined;
}
