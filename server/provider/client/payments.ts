import { after, type Clock, DAY_IN_MS } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { CardFields, CardGateway, Decline, GatewayPayment, NewPayment } from "../../payments/card-gateway.ts";
import type { Order } from "../../payments/orders.ts";
import type { ProviderClient } from "./client.ts";
import { isAway, toError } from "./errors.ts";
import { ProviderError, type ProviderRefusal } from "./line.ts";
import {
  findStanding,
  type PreparedPayment,
  type PreparedPayments,
  readPlaced,
  type Standing,
  toGatewayPayment,
  toPlanOrder,
} from "./payment-rows.ts";
import type { Admissions } from "./sign-up-rows.ts";

type RemoteCardsSetting = ChargeSetting & { clock: Clock; fields: () => CardFields };

/** A page of a bank that was left for so long is open no more, wherever it was. */
const ACTION_LIFE_IN_MS = DAY_IN_MS;

/**
 * A provider that takes payments for its own members, as a gateway: our saga stays the same. The provider's `sendcombined` is what
 * charges; it takes the same payment method once. What was prepared is written down before it is sent, so that a lost answer can be
 * asked for. Its API neither cancels nor refunds: what it has completed is somebody's membership.
 */
export function createRemoteCards(setting: RemoteCardsSetting): CardGateway {
  const { clock, prepared, admissions, fields } = setting;
  const standings = createLook(setting);
  const charge = createRemoteCharge(setting, standings);

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
      return payment && standings.look(payment);
    },

    async listPaymentsOf({ orderId, customerId }) {
      const listed: GatewayPayment[] = [];
      for (const payment of await prepared.listOf({ orderId, memberId: Number(customerId) })) {
        const standing = await standings.findStanding(payment);
        // It may still be on its way to the provider: whoever asks knows how long to wait for it.
        if (standing.state !== "not-placed") listed.push(await standings.note(payment, standing));
      }
      return listed;
    },

    async cancelPayment(paymentId) {
      const payment = await prepared.findByPaymentId(paymentId);
      if (!payment) throw new Error("A payment is to be ended that was never prepared");
      const found = await standings.look(payment);
      const isOver = clock() >= after(payment.preparedAt, ACTION_LIFE_IN_MS);
      return found.state === "requires-action" && isOver ? { ...found, state: "cancelled" } : found;
    },

    refund: () => Promise.reject(new Error("A provider's payments are given back by the provider")),
    findRefund: async () => undefined,
    findRefunded: async () => undefined,
    findDispute: async () => undefined,
    readEvents: () => undefined,
    listEventsSince: async () => [],

    async check() {
      const { kind } = fields();
      return kind === "none"
        ? { isWell: false, says: "The provider has not told how it takes cards. Does it answer, and does it take any?" }
        : { isWell: true, says: `The provider takes the payments; its card fields are of kind “${kind}”.` };
    },
  };
}

export type ChargeSetting = {
  client: Pick<ProviderClient, "call">;
  log: Log;
  prepared: PreparedPayments;
  admissions: Pick<Admissions, "findMemberByEmail" | "findToken" | "forgetTokens">;
  findOrder: (orderId: number) => Promise<Order | undefined>;
};

export type RemoteCharge = Omit<NewPayment, "methodId"> & { methodId: string | undefined; cancelUrl: string };

/** Has the provider take a payment. Asked twice with one key, it takes it once. */
function createRemoteCharge(
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

/** The words by which providers, and card providers behind them, say why a card was not charged; the first that fits counts. */
const words: [RegExp, Decline][] = [
  [/insufficient|not enough money/i, "insufficient-funds"],
  [/\bexpir/i, "expired-card"],
  [/\bcvc\b|\bcvv\b|security code/i, "wrong-cvc"],
  [/card number|number is (?:not right|incorrect|invalid)/i, "wrong-number"],
  [/authenticat|confirm that it was you/i, "authentication-failed"],
  [/stopped before it was finished|cancell?ed/i, "cancelled"],
  [/could not be reached/i, "gateway-unavailable"],
];

/** Why a card was declined, out of what the provider says to the payer: so that it is said in our words. */
function readDecline(message: string): Decline {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? "declined";
}

/** How payments stand at the provider, and what follows from it there. */
export type Look = {
  /** @throws {ProviderError} when the provider does not say. */
  findStanding(payment: PreparedPayment): Promise<Standing>;
  /** The same as the payments room knows it. */
  look(payment: PreparedPayment): Promise<GatewayPayment>;
  /** Takes in a standing that was told otherwise. */
  note(payment: PreparedPayment, standing: Standing): Promise<GatewayPayment>;
};

type LookSetting = {
  client: Pick<ProviderClient, "call">;
  admissions: Pick<Admissions, "findToken">;
  log: Log;
};

function createLook({ client, admissions, log }: LookSetting): Look {
  const find = (payment: PreparedPayment) => findStanding(client, payment);
  return { findStanding: find, note, look: async (payment) => note(payment, await find(payment)) };

  /** A provider may wait for a word before it makes active what is paid for. Ours does not, so this one may fail. */
  async function note(payment: PreparedPayment, standing: Standing): Promise<GatewayPayment> {
    const { memberId, orderId } = payment;
    const token = standing.state === "succeeded" ? await admissions.findToken(memberId) : undefined;
    if (token !== undefined) {
      await client.call("activatesubscription", { id: memberId }, { token }).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ error, order: orderId }, "a subscription could not be asked for");
      });
    }
    return toGatewayPayment(payment, standing);
  }
}
