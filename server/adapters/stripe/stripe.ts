import type { CardGateway } from "../../payments/card-gateway.ts";
import { createStripeCharging } from "./charging.ts";
import { createStripeCheck } from "./check.ts";
import { createStripeClient, type StripeSetting } from "./client.ts";
import { createStripeNotices } from "./events.ts";
import { createStripeReading } from "./reading.ts";
import { createStripeRefunding } from "./refunds.ts";

/**
 * Card payments by Stripe. In card fields a payment is a PaymentIntent, confirmed by us: a bank that wants to see its payer gets the
 * browser by redirect, so no script of Stripe's is needed for it. On Stripe's own page a payment is a Checkout Session; the
 * PaymentIntent that it makes goes by the session's id everywhere here.
 */
export function createStripe(setting: StripeSetting): CardGateway {
  const client = createStripeClient(setting);
  const reading = createStripeReading(client, setting);
  return {
    name: "stripe",
    fields: { kind: "stripe", publishableKey: setting.publishableKey },
    ...createStripeCharging(client, reading),
    ...createStripeRefunding(client, reading),
    ...createStripeNotices(client, setting),
    check: createStripeCheck(client, setting),
  };
}
