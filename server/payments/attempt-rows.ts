import type { Selectable } from "kysely";

import type { Schema } from "../database/schema.ts";
import type { Decline } from "./card-gateway.ts";
import { liveStates, type PaymentState } from "./payment-states.ts";

/** One try at charging a card for an order. */
export type Attempt = {
  id: number;
  orderId: number;
  number: number;
  page: "fields" | "hosted";
  methodId: string | undefined;
  gatewayId: string | undefined;
  state: PaymentState;
  amountInPence: number;
  actionUrl: string | undefined;
  decline: Decline | undefined;
  refundId: string | undefined;
  createdAt: Date;
};

/** What the gateway has told of an attempt. */
export type AttemptFacts = {
  gatewayId?: string | undefined;
  actionUrl?: string | undefined;
  decline?: Decline | undefined;
};

/** Whether an attempt may still take money. */
export function isLive({ state }: Attempt): boolean {
  return (liveStates as readonly PaymentState[]).includes(state);
}

/** The columns that hold what the gateway told. */
export function toColumns({ gatewayId, actionUrl, decline }: AttemptFacts) {
  return {
    ...(gatewayId !== undefined && { gateway_id: gatewayId }),
    ...(actionUrl !== undefined && { action_url: actionUrl }),
    ...(decline !== undefined && { decline }),
  };
}

type AttemptRow = Selectable<Schema["payments"]>;

export function toAttempt(row: AttemptRow): Attempt {
  return {
    id: row.id,
    orderId: row.order_id,
    number: row.attempt,
    page: row.page,
    methodId: row.method_id ?? undefined,
    gatewayId: row.gateway_id ?? undefined,
    state: row.state as PaymentState,
    amountInPence: row.amount_in_pence,
    actionUrl: row.action_url ?? undefined,
    decline: (row.decline as Decline | null) ?? undefined,
    refundId: row.refund_id ?? undefined,
    createdAt: new Date(row.created_at),
  };
}
