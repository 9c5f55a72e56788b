import { sql, type Selectable } from "kysely";

import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { Member } from "./accounts.ts";
import { toMember } from "./member-rows.ts";
import { toEmailKey } from "./rules.ts";

/** Accounts as operators and exports see them. */
export type MemberRecords = {
  /** One page of all members, the newest first; `search` is part of a name or an address. */
  list(filter: MembersFilter): Promise<MembersPage>;
  findRecord(memberId: number): Promise<MemberRecord | undefined>;
  /** Forgets the account, and with it whatever hangs on it in other tables; answers whether there was one. */
  erase(memberId: number, trx: Queries): Promise<boolean>;
  /** The same if its owner has closed it and its time has come. */
  eraseDue(account: { memberId: number; dueBy: Date }, trx: Queries): Promise<boolean>;
};

/** What is kept of an account, but for the password's hash. */
export type MemberRecord = Member & {
  createdAt: Date;
  /** Asked for, and not proved yet. */
  pendingEmail: string | undefined;
  /** The address of an account that its owner has closed, and when it is erased. */
  closedEmail: string | undefined;
  eraseAt: Date | undefined;
};

/** Pages are counted from 1. */
export type MembersFilter = { search?: string | undefined; page: number; size: number };

export type MembersPage = { members: MemberRecord[]; total: number };

export function createMemberRecords(db: Queries): MemberRecords {
  return {
    async list({ search = "", page, size }) {
      const found = findMatching(db, search);
      const rows = await found
        .selectAll()
        .orderBy("id", "desc")
        .limit(size)
        .offset((page - 1) * size)
        .execute();
      const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      return { members: rows.map(toRecord), total };
    },

    async findRecord(memberId) {
      const row = await db.selectFrom("members").selectAll().where("id", "=", memberId).executeTakeFirst();
      return row && toRecord(row);
    },

    async erase(memberId, trx) {
      const { numDeletedRows } = await trx.deleteFrom("members").where("id", "=", memberId).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async eraseDue({ memberId, dueBy }, trx) {
      const closed = trx.deleteFrom("members").where("id", "=", memberId);
      const { numDeletedRows } = await closed.where("erase_at", "<=", dueBy.toISOString()).executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function findMatching(db: Queries, search: string) {
  const small = toPattern(toEmailKey(search));
  const name = sql<string>`first_name || ' ' || last_name`;
  return db.selectFrom("members").where((where) =>
    where.or([
      where("email_key", "like", sql<string>`${small} escape '!'`),
      where(sql<string>`lower(${name})`, "like", sql<string>`${small} escape '!'`),
      // As typed too: an engine may make only the letters of English small.
      where(name, "like", sql<string>`${toPattern(search.trim())} escape '!'`),
    ]),
  );
}

/** Anywhere in a text; what is a sign to `like` counts as itself. */
function toPattern(search: string): string {
  return `%${search.replace(/[!%_]/g, "!$&")}%`;
}

function toRecord(row: Selectable<Schema["members"]>): MemberRecord {
  return {
    ...toMember(row),
    createdAt: new Date(row.created_at),
    pendingEmail: row.pending_email ?? undefined,
    closedEmail: row.closed_email ?? undefined,
    eraseAt: row.erase_at === null ? undefined : new Date(row.erase_at),
  };
}
