import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";

import type { Person } from "../accounts/accounts.ts";
import { toEmailKey } from "../accounts/rules.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { Letter, LetterKind } from "./letters/letter.ts";

/** `subject` and `text` are missing from secret letters. */
export type LetterRecord = {
  kind: string;
  to: string;
  createdAt: Date;
  sentAt: Date | undefined;
  subject: string | undefined;
  text: string | undefined;
};

/** What was written to a member (`Outbox.listFor`). */
export async function listRecords(db: Queries, person: Person): Promise<LetterRecord[]> {
  const rows = await db
    .selectFrom("letters")
    .select(["kind", "recipient", "created_at", "sent_at", "is_secret", "body"])
    .where((where) => where.or([where("member_id", "=", person.memberId), isFromBefore(person, db)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const letter = row.is_secret === 0 && row.body !== null ? (JSON.parse(row.body) as Letter) : undefined;
    return {
      kind: row.kind,
      to: row.recipient,
      createdAt: new Date(row.created_at),
      sentAt: row.sent_at === null ? undefined : new Date(row.sent_at),
      subject: letter?.subject,
      text: letter?.text,
    };
  });
}

/** Forgets it (`Outbox.erase`). */
export async function eraseLetters(person: Person, trx: Queries): Promise<void> {
  await trx.deleteFrom("letters").where(isFromBefore(person, trx)).execute();
  await trx.deleteFrom("letters").where("member_id", "=", person.memberId).execute();
}

/** Letters of a sign-up were written before there was a member, but to an address of theirs. What went to a company is not theirs. */
function isFromBefore({ memberId, email }: Person, db: Queries): Expression<SqlBool> {
  const personal = ["verification", "refund"] satisfies LetterKind[];
  const unproved: LetterKind = "confirm-new-address";
  const addresses = db
    .selectFrom("letters")
    .select(sql<string>`lower(recipient)`.as("recipient"))
    // What a member says is their address may be a stranger's.
    .where("kind", "!=", unproved);
  const recipient = sql<string>`lower(recipient)`;
  const where = expressionBuilder<Schema, "letters">();
  return where.and([
    where("member_id", "is", null),
    where("kind", "in", personal),
    where.or([
      where(recipient, "=", toEmailKey(email)),
      where(recipient, "in", addresses.where("member_id", "=", memberId)),
    ]),
  ]);
}
