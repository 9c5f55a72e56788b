import { randomBytes } from "node:crypto";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountType } from "../database/schema.ts";
import type { Member } from "./accounts.ts";
import { findHolders } from "./holders.ts";
import { memberColumns, toMember } from "./member-rows.ts";
import { toEmailKey } from "./rules.ts";

/** Members whose accounts somebody else keeps: a row here, under the number they have there, for whatever hangs on a member. */
export type MemberMirror = {
  /** Writes down what is known of a member by now. What is left out stays as it was. */
  remember(person: KnownElsewhere): Promise<Member>;
  /** Who had this address when we last heard of them. */
  findId(email: string): Promise<number | undefined>;
};

export type KnownElsewhere = {
  id: number;
  email: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  accountType?: AccountType | undefined;
};

export function createMemberMirror({ db, clock }: { db: Queries; clock: Clock }): MemberMirror {
  return {
    remember: (person) =>
      db.transaction().execute(async (trx) => {
        await freeAddress(person, trx);
        const known = {
          email: keepable(person.email.trim()),
          email_key: toEmailKey(keepable(person.email)),
          ...(person.firstName && { first_name: keepable(person.firstName) }),
          ...(person.lastName && { last_name: keepable(person.lastName) }),
          ...(person.accountType && { account_type: person.accountType }),
        };
        const row = await trx
          .insertInto("members")
          .values({
            first_name: "",
            last_name: "",
            account_type: "individual",
            ...known,
            id: person.id,
            password_hash: nobodysPassword(),
            created_at: clock().toISOString(),
          })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(known))
          .returning(memberColumns)
          .executeTakeFirstOrThrow();
        return toMember(row);
      }),

    async findId(email) {
      const key = toEmailKey(keepable(email));
      return (await findHolders([key], db)).get(key);
    },
  };
}

/** Whoever had this address when we last heard of them has another one by now, and we hear of that when they come by. */
async function freeAddress({ id, email }: KnownElsewhere, trx: Queries): Promise<void> {
  const other = await trx
    .selectFrom("members")
    .select("id")
    .where("email_key", "=", toEmailKey(keepable(email)))
    .where("id", "!=", id)
    .executeTakeFirst();
  if (!other) return;
  const email_key = `moved-${other.id}.invalid`;
  await trx.updateTable("members").set({ email_key, email: email_key }).where("id", "=", other.id).execute();
}

const LONGEST = 254;

/** PostgreSQL keeps no NUL in a text. */
function keepable(text: string): string {
  return text.replaceAll("\0", "").slice(0, LONGEST);
}

/** The form of a password's hash; made of no password. */
function nobodysPassword(): string {
  return `$argon2id$v=19$m=19456,t=2,p=1$${makeBase64(16)}$${makeBase64(32)}`;
}

function makeBase64(bytes: number): string {
  return randomBytes(bytes).toString("base64").replace(/=+$/, "");
}
