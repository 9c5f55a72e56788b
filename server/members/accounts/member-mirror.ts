import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import { findHolders, memberColumns, nameColumns, noNames, toMember } from "./members.ts";
import { makeUnusableHash } from "./passwords.ts";
import { cleanEmail, toEmailKey } from "../../platform/email-address.ts";

/** Rows for members whose accounts a provider has, under its ids, for other tables to refer to. */
export type MemberMirror = ReturnType<typeof createMemberMirror>;

export type KnownElsewhere = { id: number; email: string; accountType?: AccountType | undefined } & {
  [Name in (typeof nameColumns)[number]]?: string | undefined;
};

export function createMemberMirror({ db, clock }: Context) {
  return {
    remember: (person: KnownElsewhere) =>
      db.transaction().execute(async (trx) => {
        await freeAddress(person, trx);
        const names = nameColumns.flatMap((name) => {
          const text = person[name];
          return text ? [[name, keepable(text)]] : [];
        });
        const known = {
          email: keepable(cleanEmail(person.email)),
          emailKey: toEmailKey(keepable(person.email)),
          ...Object.fromEntries(names),
          ...(person.accountType && { accountType: person.accountType }),
        };
        const row = await trx
          .insertInto("members")
          .values({
            ...noNames,
            accountType: "individual",
            ...known,
            id: person.id,
            passwordHash: makeUnusableHash(),
            createdAt: clock(),
          })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(known))
          .returning(memberColumns)
          .executeTakeFirstOrThrow();
        return toMember(row);
      }),

    /** By the provider's last answer. */
    async findId(email: string): Promise<number | undefined> {
      const key = toEmailKey(keepable(email));
      return (await findHolders([key], db)).get(key);
    },
  };
}

/** A member who had this address has changed it at the provider; their next log-in brings the new one. */
async function freeAddress({ id, email }: KnownElsewhere, trx: Queries): Promise<void> {
  const other = await trx
    .selectFrom("members")
    .select("id")
    .where("emailKey", "=", toEmailKey(keepable(email)))
    .where("id", "!=", id)
    .executeTakeFirst();
  if (!other) return;
  const emailKey = `moved-${other.id}.invalid`;
  await trx.updateTable("members").set({ emailKey, email: emailKey }).where("id", "=", other.id).execute();
}

const LONGEST = 254;

function keepable(text: string): string {
  return text.replaceAll("\0", "").slice(0, LONGEST);
}
