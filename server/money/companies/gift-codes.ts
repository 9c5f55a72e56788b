import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { type Plan, plans, type PlanType } from "../membership/plans.ts";
import { type CodeRow, findCodeRow, GIFT_GROUPS, makeCode, regroupCode } from "./code.ts";
import { toCodeKey } from "./labels.ts";
import { claimSeat } from "./seats.ts";

/** Never used up: made-up codes hardly ever collide. */
const MAX_TRIES = 5;

/** A gift's code: one seat, and a plan. Its gift knows who holds the seat, because a member may have several. */
export type GiftCodes = ReturnType<typeof createGiftCodes>;

export function createGiftCodes({ db, clock, productName }: Context & { productName: string }) {
  return {
    /** It works from `startsAt` to `endsAt`. Returns the code. */
    async create(
      { planType, startsAt, endsAt }: { planType: PlanType; startsAt: Date; endsAt: Date },
      trx: Queries,
    ): Promise<string> {
      const plan: Plan = plans[planType];
      for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
        const code = makeCode(productName, GIFT_GROUPS);
        const added = await trx
          .insertInto("codes")
          .values({
            code,
            codeKey: toCodeKey(code) ?? "",
            companyId: null,
            planType,
            products: String(plan.variationId),
            seats: 1,
            seatsTaken: 0,
            startsAt,
            endsAt,
            revokedAt: null,
            createdAt: clock(),
          })
          .onConflict((conflict) => conflict.column("codeKey").doNothing())
          .returning("id")
          .executeTakeFirst();
        if (added) return code;
      }
      throw new Error("No code could be made up for a gift");
    },
    /** The code as it was given out, in any spelling of it; `undefined`: it is no gift's. */
    find: async (typed: string, trx: Queries = db) => (await findGiftCode(trx, typed))?.code,
    /** Takes its one seat: `false` when it is taken, ended or not valid yet. */
    async claim(code: string, trx: Queries): Promise<boolean> {
      const row = await findGiftCode(trx, code);
      return row !== undefined && claimSeat(trx, { codeId: row.id, now: clock() });
    },
    async end(code: string, trx: Queries): Promise<void> {
      const row = trx
        .updateTable("codes")
        .set({ revokedAt: clock() })
        .where("codeKey", "=", toCodeKey(code) ?? "");
      await row.where("planType", "is not", null).where("revokedAt", "is", null).execute();
    },
  };
}

async function findGiftCode(db: Queries, code: string): Promise<CodeRow | undefined> {
  const row = await findCodeRow(db, regroupCode(code, GIFT_GROUPS));
  return row?.planType === null ? undefined : row;
}
