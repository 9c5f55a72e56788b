import { sql } from "kysely";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { findCodeRow, judge } from "./code-rows.ts";
import type { CodeCheck } from "./codes.ts";

/** Never reached: it would take as many seats freed and taken by others within one call. */
const ATTEMPTS = 50;

/** Seats a member (`Codes.takeSeat`): what was judged good is claimed by one conditional update, or judged again. */
export async function takeSeat(
  { code, memberId, clock }: { code: string; memberId: number; clock: Clock },
  trx: Queries,
): Promise<CodeCheck> {
  const now = clock();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const row = await findCodeRow(code, trx);
    const heldId = await findHeldCode(memberId, trx);
    const isHolder = heldId !== undefined && heldId === row?.id;
    const check = judge(row, { now, isHolder });
    if (!row || !check.isValid || isHolder) return check;
    if (await sit({ memberId, from: heldId, to: row.id, now }, trx)) {
      return judge(await findCodeRow(code, trx), { now, isHolder: true });
    }
  }
  throw new Error("A seat could neither be taken nor refused");
}

/** The number of the code whose seat a member holds. */
export async function findHeldCode(memberId: number, db: Queries): Promise<number | undefined> {
  const seat = await db.selectFrom("seats").select("code_id").where("member_id", "=", memberId).executeTakeFirst();
  return seat?.code_id;
}

type Move = { memberId: number; from: number | undefined; to: number; now: Date };

async function sit({ memberId, from, to, now }: Move, trx: Queries): Promise<boolean> {
  // Two members who change places hold both codes in the same order, the lower number first, so neither waits for the other.
  if (from !== undefined && from < to) await hold(from, trx);
  if (!(await claim(to, { trx, now }))) return false;
  if (from !== undefined) await releaseSeat(memberId, trx);
  const seated = await trx
    .insertInto("seats")
    .values({ member_id: memberId, code_id: to, taken_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("member_id").doNothing())
    .returning("member_id")
    .executeTakeFirst();
  // The same member was seated by another transaction meanwhile: theirs counts, and the claim goes back.
  if (!seated) await giveBack(to, trx);
  return seated !== undefined;
}

/** Counts one seat more, if the code is good at this instant and has one: the same rule as `findFault`, in one statement. */
async function claim(codeId: number, { trx, now }: { trx: Queries; now: Date }): Promise<boolean> {
  const instant = now.toISOString();
  const claimed = await trx
    .updateTable("codes")
    .set({ seats_taken: sql`seats_taken + 1` })
    .where("id", "=", codeId)
    .whereRef("seats_taken", "<", "seats")
    .where("revoked_at", "is", null)
    .where("starts_at", "<=", instant)
    .where((where) => where.or([where("ends_at", "is", null), where("ends_at", ">", instant)]))
    .where((where) => {
      const company = where.selectFrom("companies").select("companies.id").whereRef("companies.id", "=", "company_id");
      const isGood = company.where((has) =>
        has.or([has("state", "=", "live"), has("state", "=", "grace").and("grace_ends_at", ">", instant)]),
      );
      return where.or([where("company_id", "is", null), where.exists(isGood)]);
    })
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Frees the seat that a member holds, if any (`Codes.releaseSeat`): who deletes the row takes it off the count, so it is done once. */
export async function releaseSeat(memberId: number, trx: Queries): Promise<void> {
  const freed = await trx.deleteFrom("seats").where("member_id", "=", memberId).returning("code_id").executeTakeFirst();
  if (freed) await giveBack(freed.code_id, trx);
}

async function giveBack(codeId: number, trx: Queries): Promise<void> {
  await trx
    .updateTable("codes")
    .set({ seats_taken: sql`seats_taken - 1` })
    .where("id", "=", codeId)
    .where("seats_taken", ">", 0)
    .execute();
}

/** Keeps others from changing a code until this transaction ends. Written as an update: SQLite has no `for update`. */
async function hold(codeId: number, trx: Queries): Promise<void> {
  await trx
    .updateTable("codes")
    .set({ seats_taken: sql`seats_taken` })
    .where("id", "=", codeId)
    .execute();
}
