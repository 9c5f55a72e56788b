import { toEmailKey } from "../../accounts/rules.ts";
import type { Queries } from "../../database/database.ts";
import type { ProviderContext } from "./context.ts";

/**
 * Requests to the provider, written down before they are sent. Table `provider_sign_ups` has the account of each draft: after a crash the
 * same account is asked for again, and no second one is opened. Table `provider_payments` has each attempt to pay: a lost answer can be
 * asked for, and no attempt is charged twice.
 */
type RowContext = Pick<ProviderContext, "db" | "clock" | "keyedHash" | "seals">;

type Drafted = { id: number; email: string };

export type AskedAccount = { memberId: number | undefined; token: string | undefined };

function toEmailHash({ keyedHash }: RowContext, email: string): string {
  return keyedHash("provider-sign-up")(toEmailKey(email));
}

/** Notes that an account is about to be asked for. A draft has one address at a time. */
export async function noteAsked(ctx: RowContext, { id, email }: Drafted): Promise<void> {
  const asked = {
    email_hash: toEmailHash(ctx, email),
    member_id: null,
    sealed_token: null,
    requested_at: ctx.clock().toISOString(),
  };
  await ctx.db
    .insertInto("provider_sign_ups")
    .values({ draft_id: id, ...asked })
    .onConflict((conflict) =>
      conflict.column("draft_id").doUpdateSet(asked).where("provider_sign_ups.email_hash", "!=", asked.email_hash),
    )
    .execute();
}

/** The request for a draft with this address; none for an address that it had before. */
export async function findAsked(ctx: RowContext, { id, email }: Drafted): Promise<AskedAccount | undefined> {
  const row = await ctx.db
    .selectFrom("provider_sign_ups")
    .select(["member_id", "sealed_token"])
    .where("draft_id", "=", id)
    .where("email_hash", "=", toEmailHash(ctx, email))
    .executeTakeFirst();
  if (!row) return undefined;
  const token = row.sealed_token === null ? undefined : ctx.seals.joiningToken.open(row.sealed_token);
  return { memberId: row.member_id ?? undefined, token };
}

/** Notes the member's number, and the token that acts for them. */
export async function noteOpened(
  ctx: RowContext,
  { id, email }: Drafted,
  { memberId, token }: { memberId: number; token: string },
): Promise<void> {
  await ctx.db
    .updateTable("provider_sign_ups")
    .set({ member_id: memberId, sealed_token: ctx.seals.joiningToken.seal(token) })
    .where("draft_id", "=", id)
    .where("email_hash", "=", toEmailHash(ctx, email))
    .execute();
}

/** The provider's number for an address that some draft has. */
export async function findMemberOfAddress(ctx: RowContext, email: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom("provider_sign_ups")
    .select("member_id")
    .where("email_hash", "=", toEmailHash(ctx, email))
    .where("member_id", "is not", null)
    .orderBy("requested_at", "desc")
    .executeTakeFirst();
  return row?.member_id ?? undefined;
}

/** The newest token that was got for the sign-up of a member. */
export async function findJoiningToken({ db, seals }: RowContext, memberId: number): Promise<string | undefined> {
  const rows = await db
    .selectFrom("provider_sign_ups")
    .select("sealed_token")
    .where("member_id", "=", memberId)
    .orderBy("requested_at", "desc")
    .orderBy("draft_id", "desc")
    .execute();
  return rows.flatMap(({ sealed_token }) =>
    sealed_token === null ? [] : (seals.joiningToken.open(sealed_token) ?? []),
  )[0];
}

/** Every such token of a member: another is got by the password. */
export async function forgetJoiningTokens({ db }: { db: Queries }, memberId: number): Promise<void> {
  await db.updateTable("provider_sign_ups").set({ sealed_token: null }).where("member_id", "=", memberId).execute();
}

const selectPrepared = ({ db }: { db: Queries }) =>
  db
    .selectFrom("provider_payments")
    .select([
      "key",
      "order_id as orderId",
      "attempt",
      "member_id as memberId",
      "payment_id as paymentId",
      "amount_in_pence as amountInPence",
      "prepared_at as preparedAt",
    ]);

/** A payment that was prepared at the provider. */
export type PreparedPayment = NonNullable<Awaited<ReturnType<typeof findPrepared>>>;

export function findPrepared(ctx: RowContext, key: string) {
  return selectPrepared(ctx).where("key", "=", key).executeTakeFirst();
}

export function findPreparedById(ctx: RowContext, paymentId: string) {
  return selectPrepared(ctx).where("payment_id", "=", paymentId).orderBy("prepared_at", "desc").executeTakeFirst();
}

export function listPrepared(ctx: RowContext, { orderId, memberId }: { orderId: number; memberId: number }) {
  return selectPrepared(ctx).where("order_id", "=", orderId).where("member_id", "=", memberId).execute();
}

/** Notes one, once; answers the one that counts, which another press may have noted before. */
export async function notePrepared(
  ctx: RowContext,
  payment: Omit<PreparedPayment, "preparedAt">,
): Promise<PreparedPayment> {
  await ctx.db
    .insertInto("provider_payments")
    .values({
      key: payment.key,
      order_id: payment.orderId,
      attempt: payment.attempt,
      member_id: payment.memberId,
      payment_id: payment.paymentId,
      amount_in_pence: payment.amountInPence,
      provider_order_id: null,
      prepared_at: ctx.clock().toISOString(),
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  return selectPrepared(ctx).where("key", "=", payment.key).executeTakeFirstOrThrow();
}

/** Whether others than this one were prepared for its member. */
export async function hasOtherPrepared(ctx: RowContext, { key, memberId }: PreparedPayment): Promise<boolean> {
  const others = selectPrepared(ctx).where("member_id", "=", memberId).where("key", "!=", key);
  return (await others.limit(1).executeTakeFirst()) !== undefined;
}

/** Notes the provider's number of the order that a payment was placed for. */
export async function noteProviderOrder({ db }: RowContext, key: string, providerOrderId: number): Promise<void> {
  const noted = db.updateTable("provider_payments").set({ provider_order_id: providerOrderId });
  await noted.where("key", "=", key).execute();
}

export async function findProviderOrder({ db }: RowContext, orderId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("provider_payments")
    .select("provider_order_id")
    .where("order_id", "=", orderId)
    .where("provider_order_id", "is not", null)
    .orderBy("attempt", "desc")
    .executeTakeFirst();
  return row?.provider_order_id ?? undefined;
}
