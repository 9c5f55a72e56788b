import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { plans } from "../membership/plans.ts";
import { isPaid, toOrder, unsettledStates, type NewOrder, type Order } from "./order-rows.ts";
import { moveOf, orderStates, type OrderEvent, type OrderState } from "./order-states.ts";

/** Where all our members live (spec, section 9). */
const COUNTRY = "GB";
const CURRENCY = "GBP";

type Parts = { db: Queries; clock: Clock };
type Completion = { memberId: number; startsAt: Date; endsAt: Date; receiptNumber?: string };

/** The orders' own queries. Those that belong to a larger step take its transaction as `on`. */
export type Orders = ReturnType<typeof createOrders>;

export function createOrders(parts: Parts) {
  const finding = createFinding(parts);
  return { ...finding, ...createOpening(parts, finding), ...createMoving(parts) };
}

function createFinding({ db }: Parts) {
  async function listOfDraft(draftId: number, on: Queries = db): Promise<Order[]> {
    const rows = await on.selectFrom("orders").selectAll().where("draft_id", "=", draftId).orderBy("id").execute();
    return rows.map(toOrder);
  }

  return {
    listOfDraft,

    async find(id: number, on: Queries = db): Promise<Order | undefined> {
      const row = await on.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toOrder(row);
    },

    async listOfMember(memberId: number): Promise<Order[]> {
      const rows = await db.selectFrom("orders").selectAll().where("member_id", "=", memberId).orderBy("id").execute();
      return rows.map(toOrder);
    },

    async listInState(state: OrderState, { notSince, limit }: { notSince: Date; limit: number }): Promise<Order[]> {
      const rows = await db
        .selectFrom("orders")
        .selectAll()
        .where("state", "=", state)
        .where("updated_at", "<=", notSince.toISOString())
        .orderBy("updated_at")
        .limit(limit)
        .execute();
      return rows.map(toOrder);
    },

    async isAnyUnsettled(draftId: number): Promise<boolean> {
      const all = await listOfDraft(draftId);
      return all.some(({ state }) => unsettledStates.includes(state));
    },
  };
}

function createOpening({ clock }: Parts, { listOfDraft }: ReturnType<typeof createFinding>) {
  /**
   * The draft's open order, made if there is none; or the one that is paid for already, so that none is opened beside it. A draft
   * has one at most, whatever asks at once.
   */
  async function open(order: NewOrder, on: Queries): Promise<Order> {
    const made = await insert({ ...order, state: "awaiting-payment", now: clock().toISOString() }, on)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    // Read after the insert has waited for whoever was just paying: what it lets through, this sees.
    const all = await listOfDraft(order.draftId, on);
    const paid = all.find(isPaid);
    if (paid) {
      if (made) await on.deleteFrom("orders").where("id", "=", made.id).execute();
      return paid;
    }
    const opened = all.find(({ state }) => state === "awaiting-payment");
    if (!opened) return open(order, on);
    if (opened.postcode === order.postcode) return opened;
    await on.updateTable("orders").set({ postcode: order.postcode }).where("id", "=", opened.id).execute();
    return { ...opened, postcode: order.postcode };
  }

  return {
    open,

    /** An order that a company has paid for already. */
    async addPaid(order: NewOrder, on: Queries): Promise<Order> {
      const row = await insert({ ...order, state: "paid", now: clock().toISOString() }, on)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toOrder(row);
    },
  };
}

function createMoving({ db, clock }: Parts) {
  return {
    /** Moves an order on if the table of states lets it; answers whether this call did. */
    async advance(id: number, event: OrderEvent, on: Queries): Promise<boolean> {
      const { from, to } = moveOf<OrderState, OrderEvent>(orderStates, event);
      const now = clock().toISOString();
      const { numUpdatedRows } = await on
        .updateTable("orders")
        .set({
          state: to,
          updated_at: now,
          ...(event === "paid" && { paid_at: now }),
          ...(event === "completed" && { completed_at: now }),
        })
        .where("id", "=", id)
        .where("state", "in", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Holds an order that is in a state still for the rest of a transaction; `undefined` when it is in another. */
    async lock(id: number, state: OrderState, on: Queries): Promise<Order | undefined> {
      const row = await on
        .updateTable("orders")
        .set({ updated_at: clock().toISOString() })
        .where("id", "=", id)
        .where("state", "=", state)
        .returningAll()
        .executeTakeFirst();
      return row && toOrder(row);
    },

    /** Notes the order's customer at the gateway, once; answers the one that counts, which another press may have noted before. */
    async noteCustomer(id: number, customerId: string): Promise<string> {
      const row = db.updateTable("orders").set({ customer_id: customerId }).where("id", "=", id);
      await row.where("customer_id", "is", null).execute();
      const noted = await db.selectFrom("orders").select("customer_id").where("id", "=", id).executeTakeFirst();
      return noted?.customer_id ?? customerId;
    },

    /** Notes whose a completed order is, and gives it its receipt number. */
    async noteCompletion(id: number, done: Completion, on: Queries) {
      const row = await on
        .updateTable("orders")
        .set({
          member_id: done.memberId,
          receipt_number: done.receiptNumber ?? toReceiptNumber(id, clock()),
          starts_at: done.startsAt.toISOString(),
          ends_at: done.endsAt.toISOString(),
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toOrder(row);
    },
  };
}

function insert(order: NewOrder & { state: OrderState; now: string }, on: Queries) {
  const { now } = order;
  const isCompanys = order.accountType === "corporate";
  return on.insertInto("orders").values({
    draft_id: order.draftId,
    member_id: order.memberId ?? null,
    account_type: order.accountType,
    plan_type: order.planType,
    amount_in_pence: isCompanys ? 0 : plans[order.planType].chargeInPence,
    currency: CURRENCY,
    state: order.state,
    email: order.email,
    first_name: order.firstName,
    last_name: order.lastName,
    postcode: order.postcode,
    country: COUNTRY,
    code: order.code ?? null,
    site: order.site,
    created_at: now,
    updated_at: now,
    paid_at: order.state === "paid" ? now : null,
  });
}

/** `D-2026-000042`: one for each order, and the same however often it is asked for. */
export function toReceiptNumber(orderId: number, now: Date): string {
  return `D-${now.getUTCFullYear()}-${String(orderId).padStart(6, "0")}`;
}
