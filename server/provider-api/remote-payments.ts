import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { CardFields, CardGateway, GatewayPayment } from "../payments/card-gateway.ts";
import { createRemoteCharge, type ChargeSetting } from "./remote-payments-charging.ts";
import { createLook } from "./remote-payments-look.ts";

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
    readNotices: () => undefined,
    listNoticesSince: async () => [],

    async check() {
      const { kind } = fields();
      return kind === "none"
        ? { isWell: false, says: "The provider has not told how it takes cards. Does it answer, and does it take any?" }
        : { isWell: true, says: `The provider takes the payments; its card fields are of kind “${kind}”.` };
    },
  };
}
