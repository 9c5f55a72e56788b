import { createStripe } from "../../server/adapters/stripe/stripe.ts";
import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { createStripePayer } from "../fakes/stripe-pages.ts";
import { startStripeFake, type StripeFakeSetting } from "../fakes/stripe.ts";
import { ada, cancelUrl, order } from "./card-order.ts";
import { createTestClock } from "./test-clock.ts";

export async function openStripe(setting: StripeFakeSetting = {}) {
  const clock = createTestClock();
  const fake = await startStripeFake({ clock, ...setting });
  const gateway = createStripe({ ...fake.keys, apiBase: fake.url, clock });
  const { customerId } = await gateway.createCustomer({ key: "order-7-customer", ...ada });
  const wanted = { ...order, customerId };
  const hosted = {
    ...wanted,
    cancelUrl,
    expiresAt: new Date(clock().getTime() + 90 * MINUTE_IN_MS),
  };
  return {
    fake,
    clock,
    gateway,
    wanted,
    hosted,
    customerId,
    pay: () => gateway.startPayment({ ...wanted, methodId: "pm_card_visa" }),
    payer: createStripePayer(fake),
    [Symbol.asyncDispose]: () => fake.stop(),
  };
}
