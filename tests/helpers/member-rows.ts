import type { Insertable } from "kysely";

import type { Schema } from "../../server/platform/database/schema.ts";
import type { App } from "./app.ts";

type MemberRow = Insertable<Schema["members"]>;

/** Far more members than could choose a password, and as quickly: each row names what is its own. Returns their ids. */
export async function insertMembers(
  { db, clock }: Pick<App, "db" | "clock">,
  rows: Partial<MemberRow>[],
): Promise<number[]> {
  const members = rows.map((row, index): MemberRow => {
    const email = row.email ?? `m${index}@x.example`;
    const person = { firstName: "Ada", lastName: "Lovell", accountType: "individual" } as const;
    return { passwordHash: "x", ...person, createdAt: clock(), email, emailKey: email.toLowerCase(), ...row };
  });
  const ids: number[] = [];
  // SQLite takes so many values in a statement.
  for (let start = 0; start < members.length; start += 400) {
    const some = members.slice(start, start + 400);
    const inserted = await db.insertInto("members").values(some).returning("id").execute();
    ids.push(...inserted.map(({ id }) => id));
  }
  return ids;
}
