import { Stripe } from "stripe";

import type { GatewayPayment } from "../../payments/card-gateway.ts";
import { isLiveKey, type StripeSetting } from "./client.ts";
import { fromIntent, fromSession, intent, isHosted, session, type Intent, type Session } from "./objects.ts";

/** Reads what Stripe answers, and knows which of its objects is the payment. */
export type StripeReading = {
  readIntent(answer: unknown): GatewayPayment;
  readSession(answer: unknown): GatewayPayment;
  findSession(id: string): Promise<Session | undefined>;
  /** The id that a PaymentIntent's payment goes by here: its session's where it was made on Stripe's page. */
  findPaymentId(made: Intent | null): Promise<string | undefined>;
  /** Throws when an object is of the other mode than our keys: pretended money must never count, nor real money be overlooked. */
  requireMode<Read extends { id: string; livemode: boolean }>(read: Read): Read;
};

export function createStripeReading(client: Stripe, { secretKey }: StripeSetting): StripeReading {
  const isLive = isLiveKey(secretKey);

  function requireMode<Read extends { id: string; livemode: boolean }>(read: Read): Read {
    if (read.livemode !== isLive) throw new Error(`Stripe's ${read.id} is not of the mode of our keys`);
    return read;
  }

  return {
    requireMode,
    readIntent: (answer) => fromIntent(requireMode(intent.parse(answer))),
    readSession: (answer) => fromSession(requireMode(session.parse(answer))),

    async findSession(id) {
      const found = await orNothing(client.checkout.sessions.retrieve(id, { expand: ["payment_intent"] }));
      return found && requireMode(session.parse(found));
    },

    async findPaymentId(made) {
      if (!made || !isHosted(made)) return made?.id;
      const { data } = await client.checkout.sessions.list({ payment_intent: made.id, limit: 1 });
      return data[0]?.id;
    },
  };
}

/** What Stripe has; `undefined` when it says that there is no such thing. */
export async function orNothing<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    // Any other 404 is a wrong address or a proxy's.
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return undefined;
    throw error;
  }
}
