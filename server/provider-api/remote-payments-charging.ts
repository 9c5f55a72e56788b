import type { Log } from "../log.ts";
import type { GatewayPayment, NewPayment } from "../payments/card-gateway.ts";
import type { Order } from "../payments/orders.ts";
import type { ProviderClient } from "./provider-client.ts";
import type { ProviderRefusal } from "./provider-client-refusal.ts";
import { readDecline } from "./remote-payments-declines.ts";
import type { Look } from "./remote-payments-look.ts";
import { toPlanOrder } from "./remote-payments-order.ts";
import type { PreparedPayment, PreparedPayments } from "./remote-payments-rows.ts";
import { readPlaced, toGatewayPayment } from "./remote-payments-standing.ts";
import { isAway, toError } from "./provider-errors.ts";
import type { Admissions } from "./remote-sign-up-rows.ts";

export type ChargeSetting = {
  client: Pick<ProviderClient, "call">;
  log: Log;
  prepared: PreparedPayments;
  admissions: Pick<Admissions, "findMemberByEmail" | "findToken" | "forgetTokens">;
  findOrder: (orderId: number) => Promise<Order | undefined>;
};

export type RemoteCharge = Omit<NewPayment, "methodId"> & { methodId: string | undefined; cancelUrl: string };

/** Has the provider take a payment. Asked twice with one key, it takes it once. */
export function createRemoteCharge(
  setting: ChargeSetting,
  standings: Pick<Look, "note" | "findStanding">,
): (payment: RemoteCharge) => Promise<GatewayPayment> {
  const { client, log, prepared, admissions, findOrder } = setting;

  return async (payment) => {
    const ready = (await prepared.find(payment.key)) ?? (await prepare(payment, setting));
    const order = await findOrder(payment.orderId);
    const token = await admissions.findToken(ready.memberId);
    if (!order) throw new Error("A payment is to be made for an order that is not there");
    if (token === undefined) return decline(ready, "gateway-unavailable");
    // Members who join have no subscription before they have paid: an active one was paid for by what seemed lost.
    if ((await prepared.isAnyOther(ready)) && (await isActive(ready.memberId, token))) {
      return standings.note(ready, { state: "succeeded" });
    }
    const placed = await client.call("sendcombined", toPlanOrder(order, { ...payment, ...ready }), { token });
    if (!placed.ok) return answerRefusal(ready, placed);
    if (placed.answer.id !== undefined) await prepared.noteOrder(ready.key, placed.answer.id);
    return standings.note(ready, readPlaced(placed.answer) ?? (await standings.findStanding(ready)));
  };

  /** What a refusal says of money is believed only where the payment itself says nothing else. */
  async function answerRefusal(payment: PreparedPayment, refusal: ProviderRefusal): Promise<GatewayPayment> {
    if (refusal.status >= 500) throw toError(refusal);
    if (refusal.status === 401) await admissions.forgetTokens(payment.memberId);
    if (refusal.status === 402) return decline(payment, readDecline(refusal.message));
    const standing = await standings.findStanding(payment);
    if (standing.state !== "not-placed") return standings.note(payment, standing);
    if (!isAway(refusal)) log.warn({ order: payment.orderId, message: refusal.message }, "an order was refused");
    return decline(payment, "gateway-unavailable");
  }

  async function isActive(id: number, token: string): Promise<boolean> {
    const status = await client.call("getsubscriptionstatus", { id }, { token });
    if (!status.ok) throw toError(status);
    return status.answer;
  }
}

async function prepare(
  { key, email, orderId, attempt, methodId, customerId, amountInPence }: RemoteCharge,
  { client, prepared, findOrder }: ChargeSetting,
): Promise<PreparedPayment> {
  const order = await findOrder(orderId);
  const name = order && `${order.firstName} ${order.lastName}`;
  const method = methodId === undefined ? {} : { paymentMethodId: methodId };
  const customer = await client.call("createstripecustomer", { email, ...method, ...(name && { name }) });
  if (!customer.ok) throw toError(customer);
  const intent = await client.call("createpaymentintent", {
    email,
    ...method,
    stripeCustomerId: customer.answer.customerId,
    // The provider refuses what is not its own price.
    amount: amountInPence,
    planType: order?.planType,
  });
  if (!intent.ok) throw toError(intent);
  const { paymentId } = intent.answer;
  return prepared.note({ key, orderId, attempt, memberId: Number(customerId), paymentId, amountInPence });
}

function decline(payment: PreparedPayment, reason: GatewayPayment["decline"]): GatewayPayment {
  return { ...toGatewayPayment(payment, { state: "cancelled" }), state: "requires-method", decline: reason };
}
