import { sql } from "kysely";

import type { Context } from "../../context.ts";
import { MAX_ID, type Queries } from "../../platform/database/database.ts";
import { PRODUCT_ID } from "../membership/plans.ts";
import { codes as messages } from "../../refusals.ts";
import {
  type CodeCheck,
  type CodeRow,
  codeRows,
  type CodeView,
  findCodeRow,
  findJoiningCode,
  makeCode,
  toCheck,
  toCodeView,
} from "./code.ts";
import { createGiftCodes } from "./gift-codes.ts";
import { toCodeKey } from "./labels.ts";
import {
  endSeat,
  findHeldCode,
  findSeatsFor,
  freeSeat,
  type Holder,
  listHolders,
  listHoldersPage,
  listSeatedBy,
  listSeatsFor,
  lockCode,
  releaseEndedSeats,
  releaseSeat,
  type SeatedPage,
  takeSeat,
} from "./seats.ts";
import { cleanText, tidyCode } from "../../platform/text.ts";

export type CodeDetails = CodeView & { holders: Holder[] };

export type CodesPage = { limit: number; before?: number | undefined };

/** `code` as given out or typed. */
export type HoldersPage = { code: string; limit: number; before?: number | undefined };

/**
 * Without `startsAt` it works at once, without `endsAt` it never ends, without `products` it unlocks what members buy.
 */
export type NewCode = {
  code?: string | undefined;
  /** With 0, no person can join by it. */
  seats: number;
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
  products?: number[] | undefined;
  companyId?: number | undefined;
};

export type NewCodeRefusal =
  | "code-malformed"
  | "code-taken"
  | "seats-invalid"
  | "dates-invalid"
  | "products-invalid"
  | "company-unknown";

export type CreateCodeResult = { ok: true; code: CodeView } | { ok: false; reason: NewCodeRefusal };

/** An `undefined` field stays as it is. */
export type CodeExtension = {
  code: string;
  /** The last instant at which it works. "for-good" makes the code endless. */
  endsAt?: Date | "for-good" | undefined;
  /** The new number. A company's seats follow its contract, so only a code without a company can have more. */
  seats?: number | undefined;
};

/** `no-change`: neither a later day nor more seats were requested. */
export type ExtensionRefusal = "unknown" | "revoked" | "company-seats" | "seats-fewer" | "end-earlier" | "no-change";

export type ExtendCodeResult = { ok: true; code: CodeView } | { ok: false; reason: ExtensionRefusal };

export type CodesContext = Context & { productName: string };

/** The codes by which people join through their employer: their products, dates and seats. */
export type Codes = ReturnType<typeof createCodes>;

export function createCodes(ctx: CodesContext) {
  const { db } = ctx;
  return {
    /** For a member who already holds one of its seats, `full` does not count. */
    check: (code: string, memberId?: number) => checkCode(ctx, { code, memberId }),
    /**
     * Takes a seat of a valid code; seats are never oversold. A holder of one of its seats keeps it and takes no second;
     * a holder of another code's seat moves. A refusal changes nothing.
     */
    takeSeat: (seat: { code: string; memberId: number }, trx: Queries) => takeSeat({ ...ctx, db: trx }, seat),
    /** Call it before erasing a member: deleting their row alone would not lower the count. */
    releaseSeat: (memberId: number, trx: Queries) => releaseSeat(trx, memberId),
    /** Moves a seat to an account without one; returns whether there was one. The code's count stays. */
    async moveSeat({ from, to }: { from: number; to: number }, trx: Queries): Promise<boolean> {
      const moved = trx.updateTable("seats").set({ memberId: to }).where("memberId", "=", from);
      return (await moved.executeTakeFirst()).numUpdatedRows > 0n;
    },
    /** Ends a member's seat at an instant, or at once if that is past. Taking a seat again undoes it. */
    endSeat: (end: { memberId: number; endsAt: Date }, trx: Queries) => endSeat({ ...ctx, db: trx }, end),
    /** A job: frees ended seats; returns how many. */
    releaseEnded: () => releaseEndedSeats(ctx),
    /** Makes up a code when none is given. */
    create: (code: NewCode, trx: Queries = db) => createCode({ ...ctx, db: trx }, code),
    list: () => listCodes(ctx),
    /** At most `limit`, made before the code with the number `before`. */
    listPage: (page: CodesPage) => listCodesPage(ctx, page),
    /** Codes that have not ended, without a member or with at most a tenth of their seats left; the newest first. */
    listOpenPage: ({ state, ...page }: CodesPage & { state: "unused" | "nearly-full" }) =>
      listCodesPage(ctx, page, state),
    find: (code: string) => findCode(ctx, code),
    /** Without the holders of its seats. */
    async findView(code: string, trx: Queries = db): Promise<CodeView | undefined> {
      const row = await findJoiningCode(trx, code);
      return row && toCodeView(row, ctx.clock());
    },
    /** The holders of a code's seats, the latest member first; `before`: only lower member numbers. */
    async listHoldersPage({ code, ...page }: HoldersPage): Promise<Holder[]> {
      const row = await findJoiningCode(db, code);
      return row ? listHoldersPage(db, { codeId: row.id, ...page }) : [];
    },
    extend: (extension: CodeExtension, trx: Queries) => extendCode({ ...ctx, db: trx }, extension),
    /** Ends joining by it; members who have joined stay. Returns whether this call did it. */
    revoke: (code: string, trx: Queries = db) => revokeCode({ ...ctx, db: trx }, code),
    async freeSeat({ code, memberId }: { code: string; memberId: number }, trx: Queries): Promise<boolean> {
      const row = await findJoiningCode(trx, code);
      return row !== undefined && freeSeat(trx, { memberId, codeId: row.id });
    },
    findSeatFor: async (memberId: number) => (await findSeatsFor(db, [memberId])).get(memberId),
    findSeatsFor: (memberIds: number[]) => findSeatsFor(db, memberIds),
    /** By falling number. */
    listSeatedBy: (page: SeatedPage) => listSeatedBy(db, page),
    listSeatsFor: (memberId: number, on: Queries = db) => listSeatsFor(on, memberId),
    /** The codes of gifts, of which the desk lists none. */
    gifts: createGiftCodes(ctx),
  };
}

async function checkCode(
  { db, clock }: Context,
  { code, memberId }: { code: string; memberId: number | undefined },
): Promise<CodeCheck> {
  if (cleanText(code) === "") return { isValid: false, reason: "unknown", message: messages.empty };
  const row = await findCodeRow(db, code);
  const isHolder = row !== undefined && memberId !== undefined && (await findHeldCode(db, memberId)) === row.id;
  return toCheck(row, { now: clock(), isHolder });
}

/** Never used up: made-up codes hardly ever collide. */
const MAX_TRIES = 5;

async function createCode({ db, clock, productName }: CodesContext, wanted: NewCode): Promise<CreateCodeResult> {
  const now = clock();
  const reason = refuseNewCode(wanted, now);
  if (reason) return { ok: false, reason };
  if (!(await isCompanyKnown(db, wanted.companyId))) return { ok: false, reason: "company-unknown" };
  for (let attempt = 1; attempt <= (wanted.code === undefined ? MAX_TRIES : 1); attempt += 1) {
    const code = tidyCode(wanted.code ?? makeCode(productName));
    const row = (await insertCode(db, { ...wanted, code, now })) ? await findCodeRow(db, code) : undefined;
    if (row) return { ok: true, code: toCodeView(row, now) };
  }
  return { ok: false, reason: "code-taken" };
}

const MAX_SEATS = 1_000_000;
const MAX_PRODUCTS = 50;

/** Refusals that need no query. */
export function refuseNewCode(
  { code, seats, startsAt, endsAt, products }: NewCode,
  now: Date,
): NewCodeRefusal | undefined {
  if (code !== undefined && toCodeKey(code) === undefined) return "code-malformed";
  if (!Number.isInteger(seats) || seats < 0 || seats > MAX_SEATS) return "seats-invalid";
  const start = startsAt ?? now;
  if (Number.isNaN(start.getTime()) || (endsAt && !(start < endsAt))) return "dates-invalid";
  return products && !areProducts(products) ? "products-invalid" : undefined;
}

function areProducts(products: number[]): boolean {
  const isListed = products.length > 0 && products.length <= MAX_PRODUCTS && new Set(products).size === products.length;
  return isListed && products.every((product) => Number.isSafeInteger(product) && product > 0);
}

async function isCompanyKnown(db: Queries, companyId: number | undefined): Promise<boolean> {
  if (companyId === undefined) return true;
  const company = await db.selectFrom("companies").select("id").where("id", "=", companyId).executeTakeFirst();
  return company !== undefined;
}

/** False: the code is taken. */
async function insertCode(db: Queries, wanted: NewCode & { code: string; now: Date }): Promise<boolean> {
  const { code, seats, now, startsAt = now, endsAt, products = [PRODUCT_ID], companyId } = wanted;
  const added = await db
    .insertInto("codes")
    .values({
      code,
      codeKey: toCodeKey(code) ?? "",
      companyId: companyId ?? null,
      products: products.join(","),
      seats,
      seatsTaken: 0,
      startsAt,
      endsAt: endsAt ?? null,
      revokedAt: null,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column("codeKey").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

async function listCodes({ db, clock }: Context): Promise<CodeView[]> {
  const rows = await codeRows(db)
    .where("codes.planType", "is", null)
    .orderBy("codes.createdAt", "desc")
    .orderBy("codes.id", "desc")
    .execute();
  return rows.map((row) => toCodeView(row, clock()));
}

async function listCodesPage({ db, clock }: Context, { limit, before }: CodesPage, open?: "unused" | "nearly-full") {
  let older = codeRows(db)
    .where("codes.planType", "is", null)
    .where("codes.id", "<", before ?? MAX_ID);
  if (open) {
    const isOpen = sql<boolean>`codes.revoked_at is null and (codes.ends_at is null or codes.ends_at > ${clock()})`;
    const isNearlyFull = sql<boolean>`codes.seats > 0 and codes.seats_taken * 10 >= codes.seats * 9`;
    older = older.where(isOpen).where(open === "unused" ? sql<boolean>`codes.seats_taken = 0` : isNearlyFull);
  }
  const rows = await older.orderBy("codes.id", "desc").limit(limit).execute();
  return rows.map((row) => Object.assign(toCodeView(row, clock()), { id: row.id }));
}

async function findCode({ db, clock }: Context, code: string): Promise<CodeDetails | undefined> {
  const row = await findJoiningCode(db, code);
  return row && { ...toCodeView(row, clock()), holders: await listHolders(db, row.id) };
}

async function revokeCode({ db, clock }: Context, code: string): Promise<boolean> {
  const revoked = await db
    .updateTable("codes")
    .set({ revokedAt: clock() })
    .where("codeKey", "=", toCodeKey(code) ?? "")
    .where("planType", "is", null)
    .where("revokedAt", "is", null)
    .returning("id")
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Locks the row first, so that the second of two extensions is compared with the result of the first. */
async function extendCode(ctx: Context, { code, endsAt, seats }: CodeExtension): Promise<ExtendCodeResult> {
  const { db, clock } = ctx;
  const found = await findJoiningCode(db, code);
  if (found) await lockCode(db, found.id);
  const row = found && (await findCodeRow(db, code));
  if (!row) return { ok: false, reason: "unknown" };
  const reason = refuseExtension(row, { endsAt, seats, now: clock() });
  if (reason) return { ok: false, reason };
  await db
    .updateTable("codes")
    .set({
      ...(endsAt !== undefined && { endsAt: endsAt === "for-good" ? null : endsAt }),
      ...(seats !== undefined && { seats }),
    })
    .where("id", "=", row.id)
    .execute();
  const extended = await findCodeRow(db, code);
  return extended ? { ok: true, code: toCodeView(extended, clock()) } : { ok: false, reason: "unknown" };
}

function refuseExtension(
  row: CodeRow,
  { endsAt, seats, now }: Pick<CodeExtension, "endsAt" | "seats"> & { now: Date },
): ExtensionRefusal | undefined {
  if (row.revokedAt !== null) return "revoked";
  if (endsAt === undefined && seats === undefined) return "no-change";
  if (seats !== undefined) {
    if (row.companyId !== null) return "company-seats";
    if (!Number.isInteger(seats) || seats <= row.seats || seats > MAX_SEATS) return "seats-fewer";
  }
  if (endsAt === undefined) return undefined;
  if (row.endsAt === null) return "end-earlier";
  if (endsAt === "for-good") return undefined;
  const isLater = endsAt > now && endsAt > row.endsAt && endsAt > row.startsAt;
  return isLater ? undefined : "end-earlier";
}
