import { z } from "zod";

import type {
  CardFields,
  CardGateway,
  Decline,
  WebhookEvent,
  GatewayPayment,
  GatewayRefund,
  NewHostedPayment,
  NewPayment,
  NewRefund,
  TestCard,
} from "../../money/payments/card-gateway.ts";
import {
  addEvent,
  changeObject,
  findByKey,
  findObject,
  listEventsSince,
  listObjects,
  putObject,
  readDemoEvents,
  type DemoObject,
  type DemoStore,
} from "./store.ts";

export const DEMO_CARDS = "demo-cards";

/** Any future expiry and any CVC. The numbers are Stripe's for tests (docs.stripe.com/testing). */
export const testCards: (TestCard & { outcome: CardOutcome })[] = [
  { number: "4242 4242 4242 4242", outcome: "paid", note: "pays" },
  { number: "4000 0027 6000 3184", outcome: "authentication", note: "needs bank approval" },
  { number: "4000 0000 0000 0002", outcome: "declined", note: "declined" },
  { number: "4000 0000 0000 9995", outcome: "insufficient-funds", note: "not enough money" },
];

export const demoFields: CardFields = {
  kind: "demo",
  testCards: testCards.map(({ number, note }) => ({ number, note })),
};

/** A card gateway that takes no money. It stores idempotency keys, states and webhook events, and no card number. */
export function createDemoCardGateway(store: DemoStore, secret: string): CardGateway {
  return {
    name: DEMO_CARDS,
    fields: demoFields,
    createCustomer: async ({ key, name }) => ({
      customerId: (await putObject(store, { name }, { kind: "cus", key })).id,
    }),
    startPayment: (wanted) => startPayment(store, wanted),
    startHostedPayment: async (wanted) =>
      toGatewayPayment(await putPayment(store, { wanted, outcome: { state: "requires-action" } })),

    async findPayment(id) {
      const found = await findObject(store, "pay", id);
      return found && toGatewayPayment(found);
    },

    async listPaymentsFor({ orderId, customerId }) {
      const listed = (await listObjects(store, "pay", String(orderId))).map(toGatewayPayment);
      return listed.filter((each) => each.customerId === customerId);
    },

    cancelPayment: (id) => cancelPayment(store, id),
    refund: (wanted) => refundPayment(store, wanted),

    async findRefund(id) {
      const found = await findObject(store, "re", id);
      return found && toGatewayRefund(found);
    },

    async findPartRefund({ key }) {
      const found = await findByKey(store, "re", key);
      return found && toGatewayRefund(found);
    },

    findRefunded: (paymentId) => findRefunded(store, paymentId),

    async findCardDigits(paymentId) {
      const found = await findObject(store, "pay", paymentId);
      return found && payment.parse(found.body).last4;
    },

    // No payer was charged, so no bank opens a dispute.
    findDispute: async () => undefined,

    readEvents: (body, headers) => readDemoEvents(secret, { body, headers })?.map(toCardEvent),

    listEventsSince: async (since) => (await listEventsSince(store, DEMO_CARDS, since)).map(toCardEvent),

    check: async () => ({ isWell: true, message: "the demo's own: no card is charged" }),
  };
}

function toCardEvent({ id, kind, subject }: { id: string; kind: string; subject: string }): WebhookEvent {
  return { id, kind: kind === "payment" || kind === "refund" ? kind : "other", subject };
}

async function startPayment(store: DemoStore, wanted: NewPayment): Promise<GatewayPayment> {
  const found = await findObject(store, "pm", wanted.methodId);
  if (!found) throw new Error("The demo gateway knows no such payment method");
  const { outcome, last4 } = method.parse(found.body);
  return announce(store, await putPayment(store, { wanted, outcome: { ...outcomes[outcome], last4 } }));
}

function putPayment(
  store: DemoStore,
  { wanted, outcome }: { wanted: NewPayment | NewHostedPayment; outcome: Outcome },
): Promise<DemoObject> {
  return putObject(store, toPayment(wanted, outcome), { kind: "pay", key: wanted.key, parent: String(wanted.orderId) });
}

async function cancelPayment(store: DemoStore, id: string): Promise<GatewayPayment> {
  const changed = await changeObject(store, { kind: "pay", id }, (body) => {
    const before = payment.parse(body);
    return before.state === "succeeded" ? undefined : { ...before, state: "cancelled" };
  });
  if (!changed) throw new Error("The demo gateway knows no such payment");
  return announce(store, changed);
}

async function announce(store: DemoStore, object: DemoObject): Promise<GatewayPayment> {
  await addEvent(store, { gateway: DEMO_CARDS, kind: "payment", subject: object.id });
  return toGatewayPayment(object);
}

async function refundPayment(store: DemoStore, { key, paymentId, amountInPence }: NewRefund): Promise<GatewayRefund> {
  const paid = await findObject(store, "pay", paymentId);
  if (!paid || payment.parse(paid.body).state !== "succeeded") throw new Error("Only what was paid can be refunded");
  const before = (await findRefunded(store, paymentId))?.amountInPence ?? 0;
  const isTooMuch = before + amountInPence > payment.parse(paid.body).amountInPence;
  if (isTooMuch && !(await findByKey(store, "re", key))) throw new Error("More than is left cannot be refunded");
  const made = await putObject(store, { paymentId, amountInPence }, { kind: "re", key, parent: paymentId });
  const refundedInPence = (await findRefunded(store, paymentId))?.amountInPence ?? 0;
  await changeObject(store, { kind: "pay", id: paymentId }, (body) => ({ ...payment.parse(body), refundedInPence }));
  await addEvent(store, { gateway: DEMO_CARDS, kind: "refund", subject: made.id });
  return toGatewayRefund(made);
}

async function findRefunded(store: DemoStore, paymentId: string): Promise<GatewayRefund | undefined> {
  const refunds = (await listObjects(store, "re", paymentId)).map(toGatewayRefund);
  const [first] = refunds;
  return first && { ...first, amountInPence: refunds.reduce((sum, each) => sum + each.amountInPence, 0) };
}

export const payment = z.object({
  state: z.enum(["requires-method", "requires-action", "processing", "succeeded", "cancelled"]),
  amountInPence: z.int(),
  currency: z.string(),
  customerId: z.string(),
  orderId: z.int(),
  attempt: z.int(),
  description: z.string(),
  page: z.enum(["card", "authenticate"]),
  decline: z.custom<Decline>((value) => typeof value === "string").optional(),
  returnUrl: z.string(),
  cancelUrl: z.string().optional(),
  refundedInPence: z.int(),
  last4: z.string().optional(),
});

type Payment = z.infer<typeof payment>;

export type CardOutcome = "paid" | "declined" | "insufficient-funds" | "authentication";

const method = z.object({
  outcome: z.custom<CardOutcome>((value) => typeof value === "string"),
  last4: z.string(),
});
const refund = z.object({ paymentId: z.string(), amountInPence: z.int() });

export type Outcome = Pick<Payment, "state" | "decline" | "last4">;

const outcomes: Record<CardOutcome, Outcome> = {
  paid: { state: "succeeded" },
  declined: { state: "requires-method", decline: "declined" },
  "insufficient-funds": { state: "requires-method", decline: "insufficient-funds" },
  authentication: { state: "requires-action" },
};

/** A hosted payment has an address for a payer who leaves the page. */
function toPayment(wanted: NewPayment | NewHostedPayment, outcome: Outcome): Payment {
  return {
    amountInPence: wanted.amountInPence,
    currency: wanted.currency,
    customerId: wanted.customerId,
    orderId: wanted.orderId,
    attempt: wanted.attempt,
    description: wanted.description,
    returnUrl: wanted.returnUrl,
    ...("cancelUrl" in wanted ? { page: "card", cancelUrl: wanted.cancelUrl } : { page: "authenticate" }),
    refundedInPence: 0,
    ...outcome,
  };
}

/** Beside the page that the payer returns to, on the same site. */
export function toPageUrl(id: string, { page, returnUrl }: Pick<Payment, "page" | "returnUrl">): string {
  return new URL(`demo-gateway/${page}/${id}`, returnUrl).href;
}

function toGatewayPayment({ id, body }: DemoObject): GatewayPayment {
  const stored = payment.parse(body);
  const { state, amountInPence, currency, customerId, orderId, attempt, decline } = stored;
  return {
    id,
    state,
    amountInPence,
    currency,
    customerId,
    orderId,
    attempt,
    actionUrl: state === "requires-action" ? toPageUrl(id, stored) : undefined,
    decline,
  };
}

function toGatewayRefund({ id, body }: DemoObject): GatewayRefund {
  return { id, ...refund.parse(body), state: "succeeded" };
}
