import { sql } from "kysely";
import { expect } from "vitest";

import type { Member } from "../../server/accounts/accounts.ts";
import type { Queries } from "../../server/database/database.ts";
import type { PaymentInput } from "../../server/sign-up/sign-up.ts";
import { ada, from, makeMethod, payment, prepareDraft, startDraft } from "../saga/visitor.ts";
import type { App } from "./app.ts";

/** No other member has this name, address or postal code: wherever they are found, it is about her. */
export const zsofia = { ...ada, firstName: "Zsófia", lastName: "Quillfeather", email: "Zsofia.Quill@example.org" };
export const bo = { ...ada, firstName: "Bo", lastName: "Marsh", email: "bo@example.org" };
export const traces = /zs[óo]fia|quill|EX7 7QQ/i;

/** What she fills in to pay, and where she lives. */
export const hersToPay: PaymentInput = { ...payment, postcode: "EX7 7QQ" };

/** Makes a member, by a card in the card fields. */
export async function join(app: App, details: typeof zsofia): Promise<Member> {
  const token = await prepareDraft(app, details);
  const { signUp, accounts, outbox } = app.services;
  const postcode = details === bo ? "SW1A 1AA" : hersToPay.postcode;
  const input = { ...payment, postcode, methodId: await makeMethod(app) };
  expect(await signUp.pay(token, input)).toEqual({ ok: true, next: "completed" });
  await signUp.claimSession(token);
  await outbox.deliver();
  const member = await accounts.findByEmail(details.email);
  if (!member) throw new Error("No member has joined");
  return member;
}

/** What members do about their own account, as its rows have it. */
async function fillAccount(db: Queries, memberId: number): Promise<void> {
  const now = "2026-11-20T03:02:00.000Z";
  const bytes = new Uint8Array(Buffer.from("a picture of Zsófia"));
  await db.insertInto("avatars").values({ member_id: memberId, hash: "abc123", bytes, saved_at: now }).execute();
  const account = { pending_email: "z.quill@example.org", closed_email: "quill@example.org", erase_at: now };
  await db.updateTable("members").set(account).where("id", "=", memberId).execute();
  await db
    .updateTable("seats")
    .set({ ends_at: "2027-11-20T03:02:00.000Z" })
    .where("member_id", "=", memberId)
    .execute();
  const paid = await db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.order_id")
    .select(["payments.id", "payments.order_id"])
    .where("orders.member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  const dispute = { gateway_id: "du_1", state: "open", created_at: now, updated_at: now };
  await db
    .insertInto("disputes")
    .values({ ...dispute, order_id: paid.order_id, payment_id: paid.id })
    .execute();
  await db.updateTable("sessions").set({ device: "Firefox on Android" }).where("member_id", "=", memberId).execute();
}

/** A member with something in every table that can have something of a member. */
export async function joinWithEverything(app: App): Promise<Member> {
  const { services } = app;
  const { codes, signUp, favourites, positions, transact, audit } = services;
  // A sign-up that was left half-way, with a payment that was begun and given up.
  const abandoned = await prepareDraft(app, { ...zsofia, planType: 1 });
  expect(await signUp.pay(abandoned, { ...hersToPay, shownPlanType: 1 })).toMatchObject({ next: "continue" });
  await signUp.choosePlan(abandoned, 2);
  app.clock.advance(60_000);
  // And one that waits for its code to be typed.
  await startDraft(app, { ...zsofia, email: zsofia.email.toUpperCase() });
  app.clock.advance(60_000);
  const member = await join(app, zsofia);
  await favourites.save(member.id, { kind: "watch", id: 2001 });
  await positions.note(member.id, { kind: "watch", id: 2001 }, { seconds: 61, duration: 600, ageInMs: 0 });
  await codes.create({ code: "PILLOW", seats: 5 });
  await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: member.id }, trx));
  const link = services.renewalLinks.make(member.id);
  await signUp.startRenewal(link, from);
  await fillAccount(app.database.db, member.id);
  await audit.record({ operator: "op", action: "member export", memberId: member.id, facts: {} });
  return member;
}

export const toPerson = ({ id, email }: Member) => ({ memberId: id, email });

/** Every row of every table, by table. */
export async function dump(db: Queries): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await db.introspection.getTables();
  const rows = tables.map(async ({ name }) => {
    const { rows: all } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    return [name, all] as const;
  });
  return new Map(await Promise.all(rows));
}
