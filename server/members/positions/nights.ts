import { itemKey, type ItemRef } from "../../content/items/kinds.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { NightState, Schema } from "../../platform/database/schema.ts";

export type Night = ItemRef & { topic: string; state: NightState };

/** Writes for a member, or returns why not. */
type Write<Result> = (memberId: number, work: (trx: Queries) => Promise<void>) => Promise<Result>;

export function createNights<Result>(db: Queries, write: Write<Result>) {
  return {
    /** Stores all or none. An opened night stays opened when it is skipped later. */
    note: (memberId: number, nights: Night[]) => write(memberId, (trx) => writeNights(trx, memberId, nights)),
    list: (memberId: number) => listNights(db, memberId),
    async listMarks(memberId: number, topic: string): Promise<Partial<Record<string, NightState>>> {
      const nights = (await listNights(db, memberId)).filter((night) => night.topic === topic);
      return Object.fromEntries(nights.map((night) => [itemKey(night), night.state] as const));
    },
    forget: (memberId: number, topic: string) => forgetNights(db, memberId, topic),
  };
}

export async function writeNights(trx: Queries, memberId: number, nights: Night[]): Promise<void> {
  await trx
    .insertInto("nights")
    .values(nights.map(({ topic, kind, id, state }) => ({ memberId, topic, kind, itemId: id, state })))
    .onConflict((conflict) =>
      conflict
        .columns(["memberId", "topic", "kind", "itemId"])
        .doUpdateSet({ state: "opened" })
        .where("excluded.state", "=", "opened"),
    )
    .execute();
}

const selectNights = prepareQuery((db, { memberId }: { memberId: number }) =>
  db.selectFrom("nights").selectAll().where("memberId", "=", memberId).orderBy("topic").orderBy("itemId"),
);

export async function listNights(db: Queries, memberId: number): Promise<Night[]> {
  return (await selectNights(db, { memberId })).map(toNight);
}

export type NightRow = Omit<Schema["nights"], "memberId">;

export function toNight({ topic, kind, itemId: id, state }: NightRow): Night {
  return { topic, kind, id, state };
}

/** For one topic, or for all; returns what was deleted. */
export async function forgetNights(db: Queries, memberId: number, topic?: string): Promise<Night[]> {
  const all = db.deleteFrom("nights").where("memberId", "=", memberId).returningAll();
  return (await (topic === undefined ? all : all.where("topic", "=", topic)).execute()).map(toNight);
}
