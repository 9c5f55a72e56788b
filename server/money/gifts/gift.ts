import { type Selectable, sql } from "kysely";

import type { Context } from "../../context.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { createSignedIds, type SignedIds } from "../../platform/seal.ts";
import type { PlanType } from "../membership/plans.ts";
import { findMove } from "../payments/states.ts";
import { type GiftEvent, type GiftQuestion, type GiftState, giftStates } from "./states.ts";

/** A row of `gifts`. Names, addresses and message are empty after the erasure. */
export type Gift = {
  id: number;
  state: GiftState;
  planType: PlanType;
  giverMemberId: number | undefined;
  giverName: string;
  giverEmail: string;
  recipientName: string;
  /** Absent for a sheet to print. */
  recipientEmail: string | undefined;
  isSheet: boolean;
  message: string;
  deliverAt: Date;
  /** An unpaid gift is deleted then; a paid one can be taken up until then. */
  expiresAt: Date;
  code: string | undefined;
  site: string;
  sendings: number;
  sentAt: Date | undefined;
  takerId: number | undefined;
  closedAt: Date | undefined;
  question: GiftQuestion | undefined;
  createdAt: Date;
};

export type GiftColumns = Partial<Omit<Selectable<Schema["gifts"]>, "id" | "state">>;

export async function findGift({ db }: Pick<Context, "db">, id: number): Promise<Gift | undefined> {
  const row = await db.selectFrom("gifts").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toGift(row);
}

export async function findGiftByCode({ db }: Pick<Context, "db">, code: string): Promise<Gift | undefined> {
  const row = await db.selectFrom("gifts").selectAll().where("code", "=", code).executeTakeFirst();
  return row && toGift(row);
}

type Only = { states?: GiftState[]; code?: string | undefined; after?: Date };

/** Applies an event by the table of states; returns the changed gift, or `undefined` where another event was faster. */
export async function advanceGift(
  { db, clock }: Pick<Context, "db" | "clock">,
  id: number,
  { event, columns = {}, only = {} }: { event: GiftEvent; columns?: GiftColumns; only?: Only },
): Promise<Gift | undefined> {
  const { from, to } = findMove<GiftState, GiftEvent>(giftStates, event);
  let row = db
    .updateTable("gifts")
    .set({ ...columns, state: to, updatedAt: clock() })
    .where("id", "=", id)
    .where("state", "in", from);
  if (only.code !== undefined) row = row.where("code", "=", only.code);
  if (only.after !== undefined) row = row.where("expiresAt", ">", only.after);
  const changed = await row.returningAll().executeTakeFirst();
  return changed && toGift(changed);
}

/** Changes a gift that is in one of these states; `undefined` for any other. */
export async function changeGift(
  { db, clock }: Pick<Context, "db" | "clock">,
  id: number,
  { states, columns = {} }: { states: GiftState[]; columns?: GiftColumns },
): Promise<Gift | undefined> {
  const changed = await db
    .updateTable("gifts")
    .set({ ...columns, updatedAt: clock() })
    .where("id", "=", id)
    .where("state", "in", states)
    .returningAll()
    .executeTakeFirst();
  return changed && toGift(changed);
}

export const oneMoreSending = sql<number>`sendings + 1`;

export function toGift(row: Selectable<Schema["gifts"]>): Gift {
  return {
    id: row.id,
    state: row.state as GiftState,
    planType: row.planType as PlanType,
    giverMemberId: row.giverMemberId ?? undefined,
    giverName: row.giverName,
    giverEmail: row.giverEmail,
    recipientName: row.recipientName,
    recipientEmail: row.recipientEmail ?? undefined,
    isSheet: row.isSheet === 1,
    message: row.message,
    deliverAt: row.deliverAt,
    expiresAt: row.expiresAt,
    code: row.code ?? undefined,
    site: row.site,
    sendings: row.sendings,
    sentAt: row.sentAt ?? undefined,
    takerId: row.takerId ?? undefined,
    closedAt: row.closedAt ?? undefined,
    question: (row.question as GiftQuestion | null) ?? undefined,
    createdAt: row.createdAt,
  };
}

/** People look for a receipt late, so its link works for ever. */
export function createGiverLinks({ keyedHash }: Pick<Context, "keyedHash">): SignedIds {
  return createSignedIds(keyedHash("given gift"));
}

export function giverUrl(ctx: Pick<Context, "keyedHash">, { id, site }: { id: number; site: string }): string {
  return `${site}given?gift=${createGiverLinks(ctx).make(id)}`;
}

/** For emails and printed sheets: the page with the button that takes a gift up. */
export function takeUpUrl({ site, code }: { site: string; code: string | undefined }): string {
  return `${site}gift?code=${encodeURIComponent(code ?? "")}`;
}
