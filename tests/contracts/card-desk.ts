import { MINUTE_IN_MS } from "../../server/clock.ts";
import type {
  CardGateway,
  WebhookEvent,
  GatewayPayment,
  NewHostedPayment,
  NewPayment,
} from "../../server/payments/card-gateway.ts";
import { ada, cancelUrl, order } from "../helpers/card-order.ts";
import type { TestClock } from "../helpers/test-clock.ts";

/** A card gateway with its far side: what a browser, a payer and a payer's bank do there. */
export type CardPlace = AsyncDisposable & {
  gateway: CardGateway;
  clock: TestClock;
  makeMethod(card: TestCard): Promise<string>;
  /** What the payer does on their bank's page. */
  authenticate(payment: GatewayPayment, isComplete: boolean): Promise<unknown>;
  /** What the payer does on the gateway's page. */
  payOnPage(payment: GatewayPayment, card: TestCard): Promise<unknown>;
  /** The webhooks that are due, as they would come. */
  takeWebhooks(): Promise<{ body: string; headers: Headers }[]>;
};

export type TestCard = "paid" | "declined" | "poor" | "authentication";

export const cardNumbers: Record<TestCard, string> = {
  paid: "4242424242424242",
  declined: "4000000000000002",
  poor: "4000000000009995",
  authentication: "4000002760003184",
};

export type CardDesk = Awaited<ReturnType<typeof openCardDesk>>;

/** A place with a customer at it, and an order to be paid for. */
export async function openCardDesk(openPlace: () => Promise<CardPlace>) {
  const place = await openPlace();
  const { gateway, clock } = place;
  const { customerId } = await gateway.createCustomer({ key: "order-7-customer", ...ada });
  const wanted = { ...order, customerId };
  return {
    ...place,
    wanted,
    customerId,
    start: async (card: TestCard = "paid", changes: Partial<NewPayment> = {}) =>
      gateway.startPayment({ ...wanted, methodId: await place.makeMethod(card), ...changes }),
    startHosted: (changes: Partial<NewHostedPayment> = {}) =>
      gateway.startHostedPayment({
        ...wanted,
        cancelUrl,
        expiresAt: new Date(clock().getTime() + 90 * MINUTE_IN_MS),
        ...changes,
      }),
    async readWebhooks(): Promise<WebhookEvent[]> {
      const webhooks = await place.takeWebhooks();
      return webhooks.flatMap(({ body, headers }) => gateway.readEvents(body, headers) ?? []);
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}
