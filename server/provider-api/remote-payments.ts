import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { CardFields, CardGateway, GatewayPayment, NewPayment } from "../payments/card-gateway.ts";
import type { Order } from "../payments/order-rows.ts";
import type { ProviderClient } from "./provider-client.ts";
import { ProviderError, type ProviderRefusal } from "./provider-client-refusal.ts";
import { readDecline } from "./remote-payments-declines.ts";
import { toPlanOrder } from "./remote-payments-order.ts";
import type { PreparedPayment, PreparedPayments } from "./remote-payments-rows.ts";
import { findStanding, readPlaced, toGatewayPayment, type Standing } from "./remote-payments-standing.ts";
import { isAway, toError } from "./remote-sign-up.ts";
import type { Admissions } from "./remote-sign-up-rows.ts";

type RemoteCardsSetting = {
  client: Pick<ProviderClient, "call">;
  clock: Clock;
  log: Log;
  prepared: PreparedPayments;
  admissions: Pick<Admissions, "findMemberByEmail" | "findToken" | "forgetTokens">;
  findOrder: (orderId: number) => Promise<Order | undefined>;
  fields: () => CardFields;
};

/** A page of a bank that was left for so long is open no more, wherever it was. */
const ACTION_LIFE_IN_MS = DAY_IN_MS;

type Charge = Omit<NewPayment, "methodId"> & { methodId: string | undefined; cancelUrl: string };

/**
 * A provider that takes payments for its own members, as a gateway: our saga stays the same. The provider's `sendcombined` is what
 * charges; it takes the same payment method once. What was prepared is written down before it is sent, so that a lost answer can be
 * asked for. Its API neither cancels nor refunds: what it has completed is somebody's membership.
 */
export function createRemoteCards(setting: RemoteCardsSetting): CardGateway {
  const { client, clock, log, prepared, admissions, findOrder, fields } = setting;

  return {
    name: "provider",
    get fields() {
      return fields();
    },

    /** Whoever pays has an account there since before the order: nothing is made here. */
    async createCustomer({ email }) {
      const memberId = await admissions.findMemberByEmail(email);
      if (memberId === undefined) throw new Error("Nobody was admitted with the address of an order");
      return { customerId: String(memberId) };
    },

    startPayment: (payment) => charge({ ...payment, cancelUrl: payment.returnUrl }),
    startHostedPayment: (payment) => charge({ ...payment, methodId: undefined }),

    async findPayment(paymentId) {
      const payment = await prepared.findByPaymentId(paymentId);
      return payment && look(payment);
    },

    async listPaymentsOf({ orderId, customerId }) {
      const listed: GatewayPayment[] = [];
      for (const payment of await prepared.listOf({ orderId, memberId: Number(customerId) })) {
        const standing = await findStanding(client, payment);
        // It may still be on its way to the provider: whoever asks knows how long to wait for it.
        if (standing.state !== "not-placed") listed.push(await note(payment, standing));
      }
      return listed;
    },

    async cancelPayment(paymentId) {
      const payment = await prepared.findByPaymentId(paymentId);
      if (!payment) throw new Error("A payment is to be ended that was never prepared");
      const found = await look(payment);
      const isOver = clock() >= after(payment.preparedAt, ACTION_LIFE_IN_MS);
      return found.state === "requires-action" && isOver ? { ...found, state: "cancelled" } : found;
    },

    refund: () => Promise.reject(new Error("A provider's payments are given back by the provider")),
    findRefund: async () => undefined,
    findDispute: async () => undefined,
    readNotices: () => undefined,
    listNoticesSince: async () => [],

    async check() {
      const kind = fields().kind;
      return kind === "none"
        ? { isWell: false, says: "The provider has not told how it takes cards. Does it answer, and does it take any?" }
        : { isWell: true, says: `The provider takes the payments; its card fields are of kind “${kind}”.` };
    },
  };

  async function charge(payment: Charge): Promise<GatewayPayment> {
    const ready = (await prepared.find(payment.key)) ?? (await prepare(payment));
    const order = await findOrder(payment.orderId);
    const token = await admissions.findToken(ready.memberId);
    if (!order) throw new Error("A payment is to be made for an order that is not there");
    if (token === undefined) return decline(ready, "gateway-unavailable");
    // Members who join have no subscription before they have paid: an active one was paid for by what seemed lost.
    if ((await prepared.isAnyOther(ready)) && (await isActive(ready.memberId, token))) {
      return note(ready, { state: "succeeded" });
    }
    const placed = await client.call("sendcombined", toPlanOrder(order, { ...payment, ...ready }), { token });
    if (!placed.ok) return answerRefusal(ready, placed);
    const standing = readPlaced(placed.answer) ?? (await findStanding(client, ready));
    return note(ready, standing);
  }

  async function prepare({ key, email, orderId, attempt, methodId, customerId, amountInPence }: Charge) {
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

  /** What a refusal says of money is believed only where the payment itself says nothing else. */
  async function answerRefusal(payment: PreparedPayment, refusal: ProviderRefusal): Promise<GatewayPayment> {
    if (refusal.status >= 500) throw toError(refusal);
    if (refusal.status === 401) await admissions.forgetTokens(payment.memberId);
    if (refusal.status === 402) return decline(payment, readDecline(refusal.message));
    const standing = await findStanding(client, payment);
    if (standing.state !== "not-placed") return note(payment, standing);
    if (!isAway(refusal)) log.warn({ order: payment.orderId, message: refusal.message }, "an order was refused");
    return decline(payment, "gateway-unavailable");
  }

  function decline(payment: PreparedPayment, reason: GatewayPayment["decline"]): GatewayPayment {
    const ended = toGatewayPayment(payment, { state: "cancelled" });
    return { ...ended, state: "requires-method", decline: reason };
  }

  async function look(payment: PreparedPayment): Promise<GatewayPayment> {
    return note(payment, await findStanding(client, payment));
  }

  /** A provider may wait for a word before it makes active what is paid for. Ours does not, so this one may fail. */
  async function note(payment: PreparedPayment, standing: Standing): Promise<GatewayPayment> {
    const { memberId } = payment;
    const token = standing.state === "succeeded" ? await admissions.findToken(memberId) : undefined;
    if (token !== undefined) {
      await client.call("activatesubscription", { id: memberId }, { token }).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ error, order: payment.orderId }, "a subscription could not be asked for");
      });
    }
    return toGatewayPayment(payment, standing);
  }

  async function isActive(id: number, token: string): Promise<boolean> {
    const status = await client.call("getsubscriptionstatus", { id }, { token });
    if (!status.ok) throw toError(status);
    return status.answer;
  }
}
