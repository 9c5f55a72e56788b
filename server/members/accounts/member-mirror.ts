import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import { findHolders, memberColumns, toMember } from "./members.ts";
import { makeUnusableHash } from "./passwords.ts";
import { mapProfile, type ProfileField, profileFieldNames } from "./profile-fields.ts";
import { cleanEmail, toEmailKey } from "../../platform/email-address.ts";

/** Rows for members whose accounts a provider has, under its ids, for other tables to refer to. */
export type MemberMirror = ReturnType<typeof createMemberMirror>;

export type KnownElsewhere = { id: number; email: string; accountType?: AccountType | undefined } & {
  [Field in ProfileField]?: string | undefined;
};

export function createMemberMirror({ db, clock }: Context) {
  return {
    remember: (person: KnownElsewhere) =>
      db.transaction().execute(async (trx) => {
        await freeAddress(person, trx);
        const details = profileFieldNames.flatMap((field) => {
          const text = person[field];
          return text ? [[field, keepable(text)]] : [];
        });
        const known = {
          ...Object.fromEntries(details),
          email: keepable(cleanEmail(person.email)),
          emailKey: toEmailKey(keepable(person.email)),
          ...(person.accountType && { accountType: person.accountType }),
        };
        const row = await trx
          .insertInto("members")
          .values({
            ...mapProfile(() => ""),
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
