import type { Selectable } from "kysely";

import type { Clock } from "../../clock.ts";
import type { Queries } from "../../database/database.ts";
import type { Schema } from "../../database/schema.ts";
import { plans, PRODUCT_ID } from "../../membership/plans.ts";
import type { GatewayPayment } from "../../payments/card-gateway.ts";
import type { Order } from "../../payments/orders.ts";
import type { CallInput } from "../wire.ts";
import type { ProviderClient, ProviderOutcome } from "./client.ts";
import { toError } from "./errors.ts";

/** Payments that were prepared at the provider: each is written down before it is asked to take one. */
export type PreparedPayments = {
  find(key: string): Promise<PreparedPayment | undefined>;
  findByPaymentId(paymentId: string): Promise<PreparedPayment | undefined>;
  /** Notes one, once; answers the one that counts, which another press may have noted before. */
  note(payment: Omit<PreparedPayment, "preparedAt">): Promise<PreparedPayment>;
  /** Notes the provider's number of the order that it was placed for. */
  noteOrder(key: string, providerOrderId: number): Promise<void>;
  /** That number, as part of somebody's transaction. */
  findProviderOrder(orderId: number, trx: Queries): Promise<number | undefined>;
  listOf(order: { orderId: number; memberId: number }): Promise<PreparedPayment[]>;
  /** Whether others than this one were prepared for its member. */
  isAnyOther(payment: PreparedPayment): Promise<boolean>;
};

export type PreparedPayment = {
  key: string;
  orderId: number;
  attempt: number;
  memberId: number;
  paymentId: string;
  amountInPence: number;
  preparedAt: Date;
};

export function createPreparedPayments({ db, clock }: { db: Queries; clock: Clock }): PreparedPayments {
  const rows = () => db.selectFrom("provider_payments").selectAll();

  async function find(key: string): Promise<PreparedPayment | undefined> {
    const row = await rows().where("key", "=", key).executeTakeFirst();
    return row && toPrepared(row);
  }

  return {
    find,

    async findByPaymentId(paymentId) {
      const row = await rows().where("payment_id", "=", paymentId).orderBy("prepared_at", "desc").executeTakeFirst();
      return row && toPrepared(row);
    },

    async note(payment) {
      await db
        .insertInto("provider_payments")
        .values({
          key: payment.key,
          order_id: payment.orderId,
          attempt: payment.attempt,
          member_id: payment.memberId,
          payment_id: payment.paymentId,
          amount_in_pence: payment.amountInPence,
          provider_order_id: null,
          prepared_at: clock().toISOString(),
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
      const noted = await find(payment.key);
      if (!noted) throw new Error("A prepared payment was not noted");
      return noted;
    },

    async noteOrder(key, providerOrderId) {
      const noted = db.updateTable("provider_payments").set({ provider_order_id: providerOrderId });
      await noted.where("key", "=", key).execute();
    },

    async findProviderOrder(orderId, trx) {
      const row = await trx
        .selectFrom("provider_payments")
        .select("provider_order_id")
        .where("order_id", "=", orderId)
        .where("provider_order_id", "is not", null)
        .orderBy("attempt", "desc")
        .executeTakeFirst();
      return row?.provider_order_id ?? undefined;
    },

    async listOf({ orderId, memberId }) {
      const of = await rows().where("order_id", "=", orderId).where("member_id", "=", memberId).execute();
      return of.map(toPrepared);
    },

    async isAnyOther({ key, memberId }) {
      const other = rows().where("member_id", "=", memberId).where("key", "!=", key);
      return (await other.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

function toPrepared(row: Selectable<Schema["provider_payments"]>): PreparedPayment {
  return {
    key: row.key,
    orderId: row.order_id,
    attempt: row.attempt,
    memberId: row.member_id,
    paymentId: row.payment_id,
    amountInPence: row.amount_in_pence,
    preparedAt: new Date(row.prepared_at),
  };
}

/** How a payment stands at the provider; `not-placed`: nothing is being charged for it, whatever was tried before. */
export type Standing =
  | { state: "succeeded" | "processing" | "cancelled" | "not-placed" }
  | { state: "requires-action"; actionUrl: string };

const ADDRESS_MAX_LENGTH = 2000;

/**
 * Asks for a payment that was prepared.
 * @throws {ProviderError} when the provider does not say.
 */
export async function findStanding(
  client: Pick<ProviderClient, "call">,
  { paymentId }: PreparedPayment,
): Promise<Standing> {
  const found = await client.call("createpaymentintent", { paymentId });
  if (!found.ok) throw toError(found);
  const { status, nextActionUrl } = found.answer;
  if (status === "requires_payment_method" || status === "requires_confirmation") return { state: "not-placed" };
  const standing = readStanding(status, nextActionUrl);
  if (!standing) throw toError({ ok: false, status: 200, message: "a payment stands in a way that is not known" });
  return standing;
}

type Placed = Extract<ProviderOutcome<"sendcombined">, { ok: true }>["answer"];

/** What was answered to an order; `undefined` when it does not say how paying stands. */
export function readPlaced({ status, order }: Placed): Standing | undefined {
  return readStanding(order?.status ?? status, order?.payment_url);
}

/** In the words of our own API, of the card provider, and of shops. */
function readStanding(status: string | null | undefined, url: string | null | undefined): Standing | undefined {
  switch (status ?? "") {
    case "succeeded":
    case "completed":
      return { state: "succeeded" };
    case "canceled":
    case "cancelled":
      return { state: "cancelled" };
    case "requires_action":
      return isWebAddress(url) ? { state: "requires-action", actionUrl: url } : { state: "processing" };
    case "processing":
      return { state: "processing" };
    default:
      return undefined;
  }
}

/** A browser is sent there: nothing but a page may stand behind it. */
function isWebAddress(address: string | null | undefined): address is string {
  const protocol = address && address.length <= ADDRESS_MAX_LENGTH ? URL.parse(address)?.protocol : undefined;
  return protocol === "https:" || protocol === "http:";
}

/** A payment as the payments room knows it. Its customer is the member, and its sum the one that was asked for. */
export function toGatewayPayment(payment: PreparedPayment, standing: Standing): GatewayPayment {
  const { paymentId, memberId, orderId, attempt, amountInPence } = payment;
  const { state } = standing;
  return {
    id: paymentId,
    // What was placed and is no more was ended there: by the payer, their bank, or time.
    state: state === "not-placed" ? "cancelled" : state,
    amountInPence,
    currency: "GBP",
    customerId: String(memberId),
    orderId,
    attempt,
    actionUrl: standing.state === "requires-action" ? standing.actionUrl : undefined,
    decline: undefined,
  };
}

type Way = {
  memberId: number;
  paymentId: string;
  methodId: string | undefined;
  returnUrl: string;
  cancelUrl: string;
};

/** An order as `sendcombined` takes it (spec, section 7). Drafts are paid for once their address is proved: that is vouched for. */
export function toPlanOrder(order: Order, { memberId, paymentId, methodId, ...urls }: Way): CallInput<"sendcombined"> {
  return {
    ...toPlaced(memberId, order),
    meta_data: [{ key: "payment_id", value: paymentId }],
    paymentId,
    ...(methodId !== undefined && { paymentMethodId: methodId }),
    returnUrl: urls.returnUrl,
    cancelUrl: urls.cancelUrl,
  };
}

/** An order for a seat of a company's code. */
export function toSeatOrder(
  memberId: number,
  order: Pick<Order, "email" | "postcode" | "planType"> & { code: string },
): CallInput<"sendcombined"> {
  return {
    ...toPlaced(memberId, order),
    coupon_lines: [{ code: order.code }],
  };
}

function toPlaced(memberId: number, { email, postcode, planType }: Pick<Order, "email" | "postcode" | "planType">) {
  const item = { product_id: PRODUCT_ID, variation_id: plans[planType].variationId, quantity: 1 };
  return { customer_id: memberId, email, billing: { postcode }, emailVerified: true, line_items: [item] };
}
