import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";

import type { Person } from "../../members/accounts/accounts.ts";
import { findHolders } from "../../members/accounts/members.ts";
import { toEmailKey } from "../email-address.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { type OutboxEntry, toEntry } from "./outbox-lists.ts";
import type { EmailContent, EmailKind } from "./templates/layout.ts";

export type EmailRecord = {
  kind: string;
  to: string;
  createdAt: Date;
  sentAt: Date | undefined;
  subject: string | undefined;
  text: string | undefined;
};

export async function listRecords(db: Queries, person: Person): Promise<EmailRecord[]> {
  const rows = await db
    .selectFrom("emails")
    .select(["kind", "recipient", "createdAt", "sentAt", "isSecret", "body"])
    .where(await isTo(person, db))
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

export async function listEntriesFor(db: Queries, person: Person, limit: number): Promise<OutboxEntry[]> {
  const own = db
    .selectFrom("emails")
    .selectAll()
    .where(await isTo(person, db));
  return (await own.orderBy("id", "desc").limit(limit).execute()).map(toEntry);
}

/** Includes emails from before the person was a member. */
async function isTo(person: Person, db: Queries): Promise<Expression<SqlBool>> {
  const unnumbered = await listUnnumbered(person, db);
  const where = expressionBuilder<Pick<Schema, "emails">, "emails">();
  return where.or([where("memberId", "=", person.memberId), ...unnumbered.map((id) => where("id", "=", id))]);
}

export async function eraseEmails(person: Person, trx: Queries): Promise<void> {
  for (const id of await listUnnumbered(person, trx)) await trx.deleteFrom("emails").where("id", "=", id).execute();
  await trx.deleteFrom("emails").where("memberId", "=", person.memberId).execute();
}

export async function moveEmails(person: Person, to: number, trx: Queries): Promise<void> {
  const emails = trx.updateTable("emails").set({ memberId: to });
  for (const id of await listUnnumbered(person, trx)) await emails.where("id", "=", id).execute();
  await emails.where("memberId", "=", person.memberId).execute();
}

/** The emails to a person without a number yet. Emails to a company belong to no member. */
const personal: string[] = ["verification", "refund"] satisfies EmailKind[];
/** A member may type a stranger's address. */
const unproved: EmailKind = "confirm-new-address";

type Line = { id: number; kind: string; memberId: number | null; address: string };

/** The person's emails from a sign-up, written before there was a member. */
async function listUnnumbered({ memberId, email }: Person, db: Queries): Promise<number[]> {
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
