import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";

import type { Person } from "../../members/accounts/accounts.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { toEmailKey } from "../../platform/email-address.ts";
import { type Gift, toGift } from "./gift.ts";

/** For an export. It has neither the giver's address, for the recipient, nor the code. */
export type GiftRecord = { side: "given" | "received"; giverEmail: string | undefined } & Pick<
  Gift,
  | "id"
  | "state"
  | "planType"
  | "giverName"
  | "recipientName"
  | "recipientEmail"
  | "isSheet"
  | "message"
  | "deliverAt"
  | "expiresAt"
  | "sentAt"
  | "closedAt"
  | "createdAt"
>;

export async function listGiftRecords(db: Queries, person: Person): Promise<GiftRecord[]> {
  const gifts = db.selectFrom("gifts").selectAll().orderBy("id");
  const given = (await gifts.where(isGiver(person)).execute()).map(toGift);
  const received = (await gifts.where(isRecipient(person)).execute()).map(toGift);
  return [...given.map((gift) => toRecord(gift, "given")), ...received.map((gift) => toRecord(gift, "received"))];
}

function toRecord(gift: Gift, side: GiftRecord["side"]): GiftRecord {
  const { id, state, planType, giverName, giverEmail, recipientName, recipientEmail, isSheet, message } = gift;
  const { deliverAt, expiresAt, sentAt, closedAt, createdAt } = gift;
  const shownEmail = side === "given" ? giverEmail : undefined;
  const people = { giverName, giverEmail: shownEmail, recipientName, recipientEmail, isSheet, message };
  return { side, id, state, planType, ...people, deliverAt, expiresAt, sentAt, closedAt, createdAt };
}

function isGiver({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Pick<Schema, "gifts">, "gifts">();
  const isAddress = where(sql<string>`lower(giver_email)`, "=", toEmailKey(email));
  return where.or([where("giverMemberId", "=", memberId), where.and([where("giverMemberId", "is", null), isAddress])]);
}

function isRecipient({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Pick<Schema, "gifts">, "gifts">();
  const isAddress = where(sql<string>`lower(recipient_email)`, "=", toEmailKey(email));
  return where.or([where("takerId", "=", memberId), where.and([where("takerId", "is", null), isAddress])]);
}

const noGiver = { giverName: "", giverEmail: "" };
const noRecipient = { recipientName: "", recipientEmail: null, message: "" };

/** Keeps the gift itself: another person has paid for it, or may take it up. */
export async function forgetGiftPerson(trx: Queries, person: Person): Promise<void> {
  await trx.updateTable("gifts").set(noGiver).where(isGiver(person)).execute();
  await trx.updateTable("gifts").set(noRecipient).where(isRecipient(person)).execute();
}

export async function moveGifts(trx: Queries, { from, to }: { from: number; to: number }): Promise<void> {
  await trx.updateTable("gifts").set({ giverMemberId: to }).where("giverMemberId", "=", from).execute();
  await trx.updateTable("gifts").set({ takerId: to }).where("takerId", "=", from).execute();
}

const STORED_FOR_DAYS = 30;

/** Erases both people from ended gifts, unless an operator must still look at one; returns how many gifts. */
export async function forgetOldGifts({ db, clock }: Pick<Context, "db" | "clock">): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("gifts")
    .set({ ...noGiver, ...noRecipient })
    .where("closedAt", "<=", after(clock(), -STORED_FOR_DAYS * DAY_IN_MS))
    .where("question", "is", null)
    .where("giverEmail", "!=", sql.lit(""))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
