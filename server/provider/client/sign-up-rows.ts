import { toEmailKey } from "../../accounts/rules.ts";
import type { Clock } from "../../clock.ts";
import type { Queries } from "../../database/database.ts";
import type { KeyedHash, Seal } from "../../seal.ts";

/** What the provider was asked for a draft, written down before it is asked. */
export type Admissions = {
  /** Notes that an account is about to be asked for. A draft has one address at a time. */
  ask(draft: Drafted): Promise<void>;
  /** What was asked for a draft with this address; nothing of an address that it had before. */
  find(draft: Drafted): Promise<AdmissionRow | undefined>;
  /** Notes whose account it is, and the token that acts for them. */
  note(draft: Drafted, account: { memberId: number; token: string }): Promise<void>;
  /** The provider's number for a draft, as part of somebody's transaction. */
  findMemberId(draftId: number, trx: Queries): Promise<number | undefined>;
  /** The provider's number for an address that some draft has. */
  findMemberByEmail(email: string): Promise<number | undefined>;
  /** The newest token of a member. */
  findToken(memberId: number): Promise<string | undefined>;
  /** Every token of a member: another is got by the password. */
  forgetTokens(memberId: number): Promise<void>;
};

export type Drafted = { id: number; email: string };

export type AdmissionRow = { memberId: number | undefined; token: string | undefined };

type Parts = { db: Queries; clock: Clock; hash: KeyedHash; seal: Seal };

export function createAdmissions(parts: Parts): Admissions {
  return { ...createAsking(parts), ...createFindingMembers(parts) };
}

type Asking = Pick<Admissions, "ask" | "find" | "note">;

function createAsking({ db, clock, hash, seal }: Parts): Asking {
  const toHash = (email: string) => hash(toEmailKey(email));
  return {
    async ask({ id, email }) {
      const asked = { email_hash: toHash(email), member_id: null, token: null, asked_at: clock().toISOString() };
      await db
        .insertInto("admissions")
        .values({ draft_id: id, ...asked })
        .onConflict((conflict) =>
          conflict.column("draft_id").doUpdateSet(asked).where("admissions.email_hash", "!=", asked.email_hash),
        )
        .execute();
    },

    async find({ id, email }) {
      const row = await db
        .selectFrom("admissions")
        .select(["member_id", "token"])
        .where("draft_id", "=", id)
        .where("email_hash", "=", toHash(email))
        .executeTakeFirst();
      if (!row) return undefined;
      const token = row.token === null ? undefined : seal.open(row.token);
      return { memberId: row.member_id ?? undefined, token };
    },

    async note({ id, email }, { memberId, token }) {
      await db
        .updateTable("admissions")
        .set({ member_id: memberId, token: seal.seal(token) })
        .where("draft_id", "=", id)
        .where("email_hash", "=", toHash(email))
        .execute();
    },
  };
}

function createFindingMembers({ db, hash, seal }: Parts): Omit<Admissions, keyof Asking> {
  async function listTokens(memberId: number): Promise<string[]> {
    const rows = await db
      .selectFrom("admissions")
      .select("token")
      .where("member_id", "=", memberId)
      .orderBy("asked_at", "desc")
      .orderBy("draft_id", "desc")
      .execute();
    return rows.flatMap(({ token }) => (token === null ? [] : (seal.open(token) ?? [])));
  }

  return {
    async findMemberId(draftId, trx) {
      const row = await trx
        .selectFrom("admissions")
        .select("member_id")
        .where("draft_id", "=", draftId)
        .executeTakeFirst();
      return row?.member_id ?? undefined;
    },

    async findMemberByEmail(email) {
      const row = await db
        .selectFrom("admissions")
        .select("member_id")
        .where("email_hash", "=", hash(toEmailKey(email)))
        .where("member_id", "is not", null)
        .orderBy("asked_at", "desc")
        .executeTakeFirst();
      return row?.member_id ?? undefined;
    },

    findToken: async (memberId) => (await listTokens(memberId))[0],

    async forgetTokens(memberId) {
      await db.updateTable("admissions").set({ token: null }).where("member_id", "=", memberId).execute();
    },
  };
}
