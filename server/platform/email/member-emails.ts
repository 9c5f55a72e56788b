import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";

import { toEmailKey } from "../email-address.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { type OutboxEntry, toEntry } from "./outbox-pages.ts";
import type { EmailContent, EmailKind } from "./layout.ts";

/** A member to whom emails were sent, also before they were one. */
export type Recipient = { memberId: number; email: string };

/** Finds the members who have these addresses (`toEmailKey`) now. */
export type FindHolders = (emailKeys: string[], db: Queries) => Promise<Map<string, number>>;

type MemberEmails = { db: Queries; findHolders: FindHolders };

export type EmailRecord = {
  kind: string;
  to: string;
  createdAt: Date;
  sentAt: Date | undefined;
  subject: string | undefined;
  text: string | undefined;
};

export async function listRecords(ctx: MemberEmails, person: Recipient): Promise<EmailRecord[]> {
  const rows = await ctx.db
    .selectFrom("emails")
    .select(["kind", "recipient", "createdAt", "sentAt", "isSecret", "body"])
    .where(await isTo(person, ctx))
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const mail = row.isSecret === 0 && row.body !== null ? (JSON.parse(row.body) as EmailContent) : undefined;
    return {
      kind: row.kind,
      to: row.recipient,
      createdAt: row.createdAt,
      sentAt: row.sentAt ?? undefined,
      subject: mail?.subject,
      text: mail?.text,
    };
  });
}

export async function listEntriesFor(ctx: MemberEmails, person: Recipient, limit: number): Promise<OutboxEntry[]> {
  const own = ctx.db
    .selectFrom("emails")
    .selectAll()
    .where(await isTo(person, ctx));
  return (await own.orderBy("id", "desc").limit(limit).execute()).map(toEntry);
}

/** Includes emails from before the person was a member. */
async function isTo(person: Recipient, ctx: MemberEmails): Promise<Expression<SqlBool>> {
  const unnumbered = await listUnnumbered(person, ctx);
  const where = expressionBuilder<Pick<Schema, "emails">, "emails">();
  return where.or([where("memberId", "=", person.memberId), ...unnumbered.map((id) => where("id", "=", id))]);
}

export async function eraseEmails(person: Recipient, ctx: MemberEmails): Promise<void> {
  for (const id of await listUnnumbered(person, ctx)) await ctx.db.deleteFrom("emails").where("id", "=", id).execute();
  await ctx.db.deleteFrom("emails").where("memberId", "=", person.memberId).execute();
}

export async function moveEmails(person: Recipient, to: number, ctx: MemberEmails): Promise<void> {
  const emails = ctx.db.updateTable("emails").set({ memberId: to });
  for (const id of await listUnnumbered(person, ctx)) await emails.where("id", "=", id).execute();
  await emails.where("memberId", "=", person.memberId).execute();
}

/** The emails to a person without a number yet. Emails to a company belong to no member. */
const personal: string[] = [
  "verification",
  "refund",
  "gift",
  "gift-receipt",
  "gift-reminder",
  "gift-taken-up",
  "gift-ended",
] satisfies EmailKind[];
/** A member may type a stranger's address. */
const unproved: EmailKind = "confirm-new-address";

type Line = { id: number; kind: string; memberId: number | null; address: string };

/** The person's emails from a sign-up, written before there was a member. */
async function listUnnumbered({ memberId, email }: Recipient, { db, findHolders }: MemberEmails): Promise<number[]> {
  const address = sql<string>`lower(recipient)`;
  const proved = db.selectFrom("emails").where("kind", "!=", unproved);
  const own = await proved.select(address.as("address")).distinct().where("memberId", "=", memberId).execute();
  const addresses = [...new Set([toEmailKey(email), ...own.map((row) => row.address)])];
  const lines = await proved
    .select(["id", "kind", "memberId", address.as("address")])
    .where(address, "in", addresses)
    .orderBy("id")
    .execute();
  const holders = await findHolders(addresses, db);
  holders.set(toEmailKey(email), memberId);
  const isTheirs = (line: Line) => line.memberId === null && findOwner(line, lines, holders) === memberId;
  return lines.filter((line) => personal.includes(line.kind) && isTheirs(line)).map(({ id }) => id);
}

/**
 * The owner of an email without a member's number, where an address has passed from one member to another: the
 * recipient of the next email with a number, else the present holder of the address, else the recipient of the last
 * email.
 */
function findOwner(line: Line, lines: Line[], holders: Map<string, number>): number | null | undefined {
  const numbered = lines.filter((each) => each.memberId !== null && each.address === line.address);
  const next = numbered.find(({ id }) => id > line.id);
  return next?.memberId ?? holders.get(line.address) ?? numbered.at(-1)?.memberId;
}
