import type { CardGateway, GatewayNotice, GatewayPayment, GatewayRefund } from "../../payments/card-gateway.ts";
import { method, outcomes, payment, toGatewayPayment, toGatewayRefund, toPayment } from "./card-objects.ts";
import { openDemoNotices, readDemoNotices, type DemoObject, type DemoStore } from "./store.ts";

export const DEMO_CARDS = "demo-cards";

/** `secret` signs the notices. */
type Setting = { store: DemoStore; secret: string };

/** A card gateway that charges nobody. It keeps idempotency keys, states and notices as a real one does, and no card number. */
export function createDemoCards(setting: Setting): CardGateway {
  const { store, secret } = setting;
  return {
    name: DEMO_CARDS,
    fields: { kind: "demo" },
    ...createCharging(setting),
    ...createRefunding(setting),

    // No bank disputes what nobody has paid.
    findDispute: async () => undefined,

    readNotices: (body, headers) => readDemoNotices(secret, { body, headers })?.map(toCardNotice),

    async listNoticesSince(since) {
      const told = await store.listNoticesSince(DEMO_CARDS, since);
      return told.flatMap(({ body }) => openDemoNotices(body) ?? []).map(toCardNotice);
    },

    check: async () => ({ isWell: true, says: "the demo's own: nobody is charged" }),
  };
}

function toCardNotice({ id, kind, subject }: { id: string; kind: string; subject: string }): GatewayNotice {
  return { id, kind: kind === "payment" || kind === "refund" ? kind : "other", subject };
}

type Charging = Pick<
  CardGateway,
  "createCustomer" | "startPayment" | "startHostedPayment" | "findPayment" | "listPaymentsOf" | "cancelPayment"
>;

function createCharging({ store }: Setting): Charging {
  return {
    async createCustomer({ key, ...customer }) {
      const { id } = await store.put({ name: customer.name }, { kind: "cus", key });
      return { customerId: id };
    },

    async startPayment(wanted) {
      const found = await store.find("pm", wanted.methodId);
      if (!found) throw new Error("The demo gateway knows no such payment method");
      const { outcome } = method.parse(found.body);
      const made = await store.put(toPayment(wanted, outcomes[outcome]), {
        kind: "pay",
        key: wanted.key,
        parent: String(wanted.orderId),
      });
      return announce(made);
    },

    async startHostedPayment(wanted) {
      const made = await store.put(toPayment(wanted, { state: "requires-action" }), {
        kind: "pay",
        key: wanted.key,
        parent: String(wanted.orderId),
      });
      return toGatewayPayment(made);
    },

    async findPayment(id) {
      const found = await store.find("pay", id);
      return found && toGatewayPayment(found);
    },

    async listPaymentsOf({ orderId, customerId }) {
      const listed = (await store.list("pay", String(orderId))).map(toGatewayPayment);
      return listed.filter((each) => each.customerId === customerId);
    },

    async cancelPayment(id) {
      const changed = await store.change("pay", id, (body) => {
        const before = payment.parse(body);
        return before.state === "succeeded" ? undefined : { ...before, state: "cancelled" };
      });
      if (!changed) throw new Error("The demo gateway knows no such payment");
      return announce(changed);
    },
  };

  async function announce(object: DemoObject): Promise<GatewayPayment> {
    await store.addNotice({ gateway: DEMO_CARDS, kind: "payment", subject: object.id });
    return toGatewayPayment(object);
  }
}

function createRefunding({ store }: Setting): Pick<CardGateway, "refund" | "findRefund" | "findRefunded"> {
  async function findRefunded(paymentId: string): Promise<GatewayRefund | undefined> {
    const [first, ...others] = (await store.list("re", paymentId)).map(toGatewayRefund);
    return first && { ...first, amountInPence: sumOf([first, ...others]) };
  }

  return {
    findRefunded,

    async refund({ key, paymentId, amountInPence }) {
      const paid = await store.find("pay", paymentId);
      if (!paid || payment.parse(paid.body).state !== "succeeded")
        throw new Error("Only what was paid can be refunded");
      const before = (await findRefunded(paymentId))?.amountInPence ?? 0;
      const isTooMuch = before + amountInPence > payment.parse(paid.body).amountInPence;
      if (isTooMuch && !(await store.findByKey("re", key))) throw new Error("More than is left cannot be refunded");
      const made = await store.put({ paymentId, amountInPence }, { kind: "re", key, parent: paymentId });
      const refundedInPence = (await findRefunded(paymentId))?.amountInPence ?? 0;
      await store.change("pay", paymentId, (body) => ({ ...payment.parse(body), refundedInPence }));
      await store.addNotice({ gateway: DEMO_CARDS, kind: "refund", subject: made.id });
      return toGatewayRefund(made);
    },

    async findRefund(id) {
      const found = await store.find("re", id);
      return found && toGatewayRefund(found);
    },
  };
}

function sumOf(refunds: GatewayRefund[]): number {
  return refunds.reduce((sum, { amountInPence }) => sum + amountInPence, 0);
}
