import { z } from "zod";

import type {
  CardGateway,
  Decline,
  GatewayPayment,
  GatewayRefund,
  NewHostedPayment,
  NewPayment,
} from "../payments/card-gateway.ts";
import { readCard, type CardOutcome } from "./demo-card-numbers.ts";
import type { Card, CardPage, DemoGateways } from "./demo-gateways.ts";
import { readDemoNotices, type DemoObject, type DemoStore } from "./demo-store.ts";
import type { Clock } from "../clock.ts";

/** A card gateway that charges nobody. It keeps idempotency keys, states and notices as a real one does, and no card number. */
export type DemoCards = CardGateway & CardPages;

type CardPages = Pick<
  DemoGateways,
  "makeMethod" | "findCardPage" | "payCardPage" | "leaveCardPage" | "findAuthentication" | "authenticate"
>;

export const DEMO_CARDS = "demo-cards";

type Setting = {
  store: DemoStore;
  clock: Clock;
  /** Signs the notices. */
  secret: string;
};

const payment = z.object({
  state: z.enum(["requires-method", "requires-action", "processing", "succeeded", "cancelled"]),
  amountInPence: z.int(),
  currency: z.string(),
  customerId: z.string(),
  orderId: z.int(),
  attempt: z.int(),
  description: z.string(),
  actionUrl: z.string().optional(),
  decline: z.custom<Decline>((value) => typeof value === "string").optional(),
  returnUrl: z.string(),
  cancelUrl: z.string().optional(),
  refundedInPence: z.int(),
});

type Payment = z.infer<typeof payment>;

const method = z.object({ outcome: z.custom<CardOutcome>((value) => typeof value === "string"), last4: z.string() });
const refund = z.object({ paymentId: z.string(), amountInPence: z.int() });

export function createDemoCards(setting: Setting): DemoCards {
  return { ...createGateway(setting), ...createPages(setting) };
}

function createGateway({ store, secret }: Setting): CardGateway {
  return {
    name: DEMO_CARDS,
    fields: { kind: "demo" },

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
      return announce(await withPage(made, "authenticate"));
    },

    async startHostedPayment(wanted) {
      const made = await store.put(toPayment(wanted, { state: "requires-action" }), {
        kind: "pay",
        key: wanted.key,
        parent: String(wanted.orderId),
      });
      return toGatewayPayment(await withPage(made, "card"));
    },

    async findPayment(id) {
      const found = await store.find("pay", id);
      return found && toGatewayPayment(found);
    },

    async listPaymentsOf(orderId) {
      return (await store.list("pay", String(orderId))).map(toGatewayPayment);
    },

    async cancelPayment(id) {
      const changed = await store.change("pay", id, (body) => {
        const before = payment.parse(body);
        return before.state === "succeeded" ? undefined : { ...before, state: "cancelled" };
      });
      if (!changed) throw new Error("The demo gateway knows no such payment");
      return announce(changed);
    },

    async refund({ key, paymentId, amountInPence }) {
      const paid = await store.find("pay", paymentId);
      if (!paid || payment.parse(paid.body).state !== "succeeded")
        throw new Error("Only what was paid can be refunded");
      const made = await store.put({ paymentId, amountInPence }, { kind: "re", key, parent: paymentId });
      await store.change("pay", paymentId, (body) => ({ ...payment.parse(body), refundedInPence: amountInPence }));
      await store.addNotice({ gateway: DEMO_CARDS, kind: "refund", subject: made.id });
      return toGatewayRefund(made);
    },

    async findRefund(id) {
      const found = await store.find("re", id);
      return found && toGatewayRefund(found);
    },

    readNotices(body, headers) {
      return readDemoNotices(secret, { body, headers })?.map(({ id, kind, subject }) => ({
        id,
        kind: kind === "payment" || kind === "refund" ? kind : "other",
        subject,
      }));
    },
  };

  /** A payment that waits for its payer knows the page they wait on, beside the one they come back to on the same site. */
  async function withPage(made: DemoObject, page: "authenticate" | "card"): Promise<DemoObject> {
    const changed = await store.change("pay", made.id, (body) => {
      const before = payment.parse(body);
      if (before.state !== "requires-action" || before.actionUrl) return undefined;
      return { ...before, actionUrl: new URL(`demo-gateway/${page}/${made.id}`, before.returnUrl).href };
    });
    return changed ?? made;
  }

  async function announce(object: DemoObject): Promise<GatewayPayment> {
    await store.addNotice({ gateway: DEMO_CARDS, kind: "payment", subject: object.id });
    return toGatewayPayment(object);
  }
}

function createPages({ store, clock }: Setting): CardPages {
  async function findPage(id: string): Promise<CardPage | undefined> {
    const found = await store.find("pay", id);
    if (!found) return undefined;
    const { amountInPence, description, state, returnUrl } = payment.parse(found.body);
    return { amountInPence, description, returnUrl, state: state === "requires-action" ? "open" : "over" };
  }

  /** Ends the wait for the payer. A page that is over already changes nothing and leads back all the same. */
  async function finish(id: string, outcome: Outcome): Promise<{ url: string }> {
    const changed = await store.change("pay", id, (body) => {
      const before = payment.parse(body);
      return before.state === "requires-action" ? { ...before, ...outcome } : undefined;
    });
    if (!changed) throw new Error("The demo gateway knows no such payment");
    await store.addNotice({ gateway: DEMO_CARDS, kind: "payment", subject: id });
    return { url: payment.parse(changed.body).returnUrl };
  }

  return {
    async makeMethod(card) {
      const read = readCard(card, clock());
      if (!read.ok) return read;
      const { id } = await store.put({ outcome: read.outcome, last4: read.last4 }, { kind: "pm" });
      return { ok: true, methodId: id };
    },

    findCardPage: findPage,
    findAuthentication: findPage,

    async payCardPage(id, card: Card) {
      const read = readCard(card, clock());
      if (!read.ok) return read;
      const sentence = pageRefusals[read.outcome];
      if (sentence) return { ok: false, field: "number", sentence };
      if (read.outcome !== "authentication") return { ok: true, ...(await finish(id, { state: "succeeded" })) };
      const found = await store.find("pay", id);
      if (!found) throw new Error("The demo gateway knows no such payment");
      const { actionUrl = "" } = payment.parse(found.body);
      return { ok: true, url: actionUrl.replace("demo-gateway/card/", "demo-gateway/authenticate/") };
    },

    async leaveCardPage(id) {
      const found = await store.find("pay", id);
      if (!found) throw new Error("The demo gateway knows no such payment");
      const { cancelUrl, returnUrl } = payment.parse(found.body);
      return { url: cancelUrl ?? returnUrl };
    },

    authenticate: (id, isComplete) =>
      finish(id, isComplete ? { state: "succeeded" } : { state: "requires-method", decline: "authentication-failed" }),
  };
}

type Outcome = Pick<Payment, "state" | "decline">;

const outcomes: Record<CardOutcome, Outcome> = {
  paid: { state: "succeeded" },
  declined: { state: "requires-method", decline: "declined" },
  "insufficient-funds": { state: "requires-method", decline: "insufficient-funds" },
  authentication: { state: "requires-action" },
};

/** On its own page the gateway says itself what became of a card. */
const pageRefusals: Record<CardOutcome, string | undefined> = {
  paid: undefined,
  authentication: undefined,
  declined: "Your bank declined this card. Nothing was taken. Please try another card.",
  "insufficient-funds": "There is not enough money in this account. Nothing was taken. Please try another card.",
};

function toPayment(wanted: NewPayment | NewHostedPayment, outcome: Outcome): Payment {
  return {
    amountInPence: wanted.amountInPence,
    currency: wanted.currency,
    customerId: wanted.customerId,
    orderId: wanted.orderId,
    attempt: wanted.attempt,
    description: wanted.description,
    returnUrl: wanted.returnUrl,
    ...("cancelUrl" in wanted && { cancelUrl: wanted.cancelUrl }),
    refundedInPence: 0,
    ...outcome,
  };
}

function toGatewayPayment({ id, body }: DemoObject): GatewayPayment {
  const { state, amountInPence, currency, customerId, orderId, attempt, actionUrl, decline } = payment.parse(body);
  const isWaiting = state === "requires-action";
  return {
    id,
    state,
    amountInPence,
    currency,
    customerId,
    orderId,
    attempt,
    actionUrl: isWaiting ? actionUrl : undefined,
    decline,
  };
}

function toGatewayRefund({ id, body }: DemoObject): GatewayRefund {
  return { id, paymentId: refund.parse(body).paymentId, state: "succeeded" };
}
