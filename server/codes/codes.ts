import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { PRODUCT_ID } from "../membership/plans.ts";
import type { CodeFault } from "./code-checks.ts";
import { codeRows, findCodeRow, judge, toCodeView, type CodeView } from "./code-rows.ts";
import { makeCode, tidyCode, toCodeKey } from "./code-text.ts";
import { refuseNewCode, type NewCode, type NewCodeRefusal } from "./new-code.ts";
import { endSeat, releaseEnded } from "./seat-ends.ts";
import { findHeldCode, listSeatsFor, releaseSeat, takeSeat } from "./seats.ts";
import { codes as words } from "../refusals.ts";

/** The codes by which people join through their employer: what each unlocks, from when to when, and who sits where. */
export type Codes = {
  /** Whether somebody may join by a code now. For a member who holds one of its seats already, being full does not count. */
  check(code: string, memberId?: number): Promise<CodeCheck>;
  /**
   * Seats a member, if the code is good at this instant and has a seat left; seats are never oversold. Who sits there already
   * keeps that seat and takes no second; who sits elsewhere moves. Refused, everything stays as it was.
   */
  takeSeat(wish: { code: string; memberId: number }, trx: Queries): Promise<CodeCheck>;
  /** Frees the seat that a member holds, if any. Call it before a member is erased: their row takes the seat along uncounted. */
  releaseSeat(memberId: number, trx: Queries): Promise<void>;
  /** Lets the seat that a member holds, if any, end at an instant; at once if that has come. Taking a seat again undoes it. */
  endSeat(end: { memberId: number; endsAt: Date }, trx: Queries): Promise<void>;
  /** For the task list: frees the seats whose end has come; answers how many. */
  releaseEnded(): Promise<number>;
  /** Adds a code; makes one up when none is given. */
  create(code: NewCode, trx?: Queries): Promise<CreateCodeResult>;
  /** Newest first. */
  list(): Promise<CodeView[]>;
  find(code: string): Promise<CodeDetails | undefined>;
  /** Lets nobody join by it any more; who has joined stays. Answers whether this call did it. */
  revoke(code: string): Promise<boolean>;
  /** For the export of what the house knows of a member. */
  listSeatsFor(memberId: number, on?: Queries): Promise<SeatView[]>;
};

export type CodeCheck =
  | { isValid: true; code: CodeView }
  /** With the sentence for the visitor. */
  | { isValid: false; reason: CodeFault | "unknown"; message: string };

/** `endsAt`: when it is somebody else's to take, where that is not simply the end of the membership. */
export type SeatView = { code: string; takenAt: Date; endsAt: Date | undefined };

export type CodeDetails = CodeView & { holders: { memberId: number; takenAt: Date }[] };

export type CreateCodeResult = { ok: true; code: CodeView } | { ok: false; reason: NewCodeRefusal };

/** Never reached: two made-up codes do not meet. */
const MAKING_ATTEMPTS = 5;

type Setting = {
  db: Queries;
  clock: Clock;
  /** What made-up codes begin with. */
  productName?: string;
};

export function createCodes({ db, clock, productName = "Dormouse" }: Setting): Codes {
  return {
    async check(code, memberId) {
      if (code.trim() === "") return { isValid: false, reason: "unknown", message: words.ours.empty };
      const row = await findCodeRow(code, db);
      const isHolder = row !== undefined && memberId !== undefined && (await findHeldCode(memberId, db)) === row.id;
      return judge(row, { now: clock(), isHolder });
    },

    takeSeat: (wish, trx) => takeSeat({ ...wish, clock }, trx),
    releaseSeat,
    endSeat: (end, trx) => endSeat({ ...end, clock }, trx),
    releaseEnded: () => releaseEnded({ db, clock }),

    async create(wanted, trx = db) {
      const now = clock();
      const reason = refuseNewCode(wanted, now);
      if (reason) return { ok: false, reason };
      if (!(await isKnown(wanted.companyId, trx))) return { ok: false, reason: "company-unknown" };
      for (let attempt = 1; attempt <= (wanted.code === undefined ? MAKING_ATTEMPTS : 1); attempt += 1) {
        const code = tidyCode(wanted.code ?? makeCode(productName));
        const row = (await insert({ ...wanted, code, now }, trx)) ? await findCodeRow(code, trx) : undefined;
        if (row) return { ok: true, code: toCodeView(row, now) };
      }
      return { ok: false, reason: "code-taken" };
    },

    async list() {
      const rows = await codeRows(db).orderBy("codes.created_at", "desc").orderBy("codes.id", "desc").execute();
      return rows.map((row) => toCodeView(row, clock()));
    },

    async find(code) {
      const row = await findCodeRow(code, db);
      return row && { ...toCodeView(row, clock()), holders: await listHolders(row.id, db) };
    },

    async revoke(code) {
      const revoked = await db
        .updateTable("codes")
        .set({ revoked_at: clock().toISOString() })
        .where("code_key", "=", toCodeKey(code) ?? "")
        .where("revoked_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return revoked !== undefined;
    },

    listSeatsFor: (memberId, on = db) => listSeatsFor(memberId, on),
  };
}

async function isKnown(companyId: number | undefined, trx: Queries): Promise<boolean> {
  if (companyId === undefined) return true;
  const company = await trx.selectFrom("companies").select("id").where("id", "=", companyId).executeTakeFirst();
  return company !== undefined;
}

/** Answers whether the code was still free. */
async function insert(wanted: NewCode & { code: string; now: Date }, trx: Queries): Promise<boolean> {
  const { code, seats, now, startsAt = now, endsAt, products = [PRODUCT_ID], companyId } = wanted;
  const added = await trx
    .insertInto("codes")
    .values({
      code,
      code_key: toCodeKey(code) ?? "",
      company_id: companyId ?? null,
      products: products.join(","),
      seats,
      seats_taken: 0,
      starts_at: startsAt.toISOString(),
      ends_at: endsAt?.toISOString() ?? null,
      revoked_at: null,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column("code_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Who sits on a code's seats, the first to come first. */
async function listHolders(codeId: number, db: Queries): Promise<CodeDetails["holders"]> {
  const seats = await db
    .selectFrom("seats")
    .select(["member_id", "taken_at"])
    .where("code_id", "=", codeId)
    .orderBy("taken_at")
    .orderBy("member_id")
    .execute();
  return seats.map((seat) => ({ memberId: seat.member_id, takenAt: new Date(seat.taken_at) }));
}
