import type { Stripe } from "stripe";

import type { CardFate } from "./stripe-cards.ts";
import { missing } from "./stripe-errors.ts";
import type { Params } from "./stripe-form.ts";
import { makeId, type About } from "./stripe-objects.ts";
import { API_VERSION } from "./stripe-version.ts";

type Setting = { now: () => Date; isLive: boolean; tell: (event: Stripe.Event) => void };

/** All that this Stripe knows, and what has happened in it. */
export type StripeBooks = ReturnType<typeof createBooks>;

export function createBooks({ now, isLive, tell }: Setting) {
  const nowInSeconds = () => Math.floor(now().getTime() / 1000);
  const events: Stripe.Event[] = [];

  const books = {
    customers: new Map<string, Stripe.Customer>(),
    methods: new Map<string, { method: Stripe.PaymentMethod; fate: CardFate; isUsed: boolean }>(),
    intents: new Map<string, Stripe.PaymentIntent>(),
    sessions: new Map<string, Stripe.Checkout.Session>(),
    refunds: new Map<string, Stripe.Refund>(),
    disputes: new Map<string, Stripe.Dispute>(),
    /** What a session will say of the PaymentIntent that it makes. */
    intentData: new Map<string, Params>(),
    /** How a charged PaymentIntent's card behaves later. */
    fates: new Map<string, CardFate>(),
    events,
    nowInSeconds,
    about: (): About => ({ created: nowInSeconds(), livemode: isLive }),

    /** Something has happened: an event with the object as it is this moment. */
    happen(type: string, object: { object: string }): void {
      const event = {
        id: makeId("evt"),
        object: "event",
        api_version: API_VERSION,
        created: nowInSeconds(),
        data: { object: structuredClone(object) },
        livemode: isLive,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      } as unknown as Stripe.Event;
      events.push(event);
      tell(event);
    },

    requireIntent(id: string, param = "id"): Stripe.PaymentIntent {
      const found = books.intents.get(id);
      if (!found) throw missing("payment_intent", { id, param });
      return found;
    },

    /** A session that is past its time is expired when it is next looked at. */
    requireSession(id: string): Stripe.Checkout.Session {
      const found = books.sessions.get(id);
      if (!found) throw missing("checkout.session", { id, param: "id" });
      if (found.status === "open" && nowInSeconds() >= found.expires_at) books.expire(found);
      return found;
    },

    findSessionOf: (intentId: string) =>
      [...books.sessions.values()].find(({ payment_intent: made }) => made === intentId),

    expire(session: Stripe.Checkout.Session): void {
      session.status = "expired";
      session.url = null;
      const made = typeof session.payment_intent === "string" ? books.intents.get(session.payment_intent) : undefined;
      if (made && made.status !== "succeeded") books.cancel(made, "expired");
      books.happen("checkout.session.expired", session);
    },

    cancel(intent: Stripe.PaymentIntent, reason: Stripe.PaymentIntent.CancellationReason | null): void {
      intent.status = "canceled";
      intent.canceled_at = nowInSeconds();
      intent.cancellation_reason = reason;
      intent.next_action = null;
      books.happen("payment_intent.canceled", intent);
    },
  };
  return books;
}
