import { describe, expect, test } from "vitest";

import { startStripeFake } from "../../../tests/fakes/stripe.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { createStripe } from "./stripe.ts";

const good = { secretKey: "sk_test_1", publishableKey: "pk_test_1", webhookSecret: "whsec_1" };
const clock = createTestClock();

describe("a look at Stripe", () => {
  test("says in which mode it answers", async () => {
    await using fake = await startStripeFake({ clock });
    const check = await createStripe({ ...fake.keys, apiBase: fake.url, clock }).check();
    expect(check).toEqual({ isWell: true, says: "Stripe answers, in test mode: no card is charged" });
    await using live = await startStripeFake({ clock, isLive: true });
    expect(await createStripe({ ...live.keys, apiBase: live.url, clock }).check()).toEqual({
      isWell: true,
      says: "Stripe answers, in live mode: cards are charged",
    });
  });

  test.each([
    [{ secretKey: "pk_test_1" }, /^STRIPE_SECRET_KEY is no secret key/],
    [{ publishableKey: "sk_test_1" }, /^STRIPE_PUBLISHABLE_KEY is no publishable key/],
    [{ publishableKey: "pk_live_1" }, /different modes/],
    [{ secretKey: "rk_live_1" }, /different modes/],
    [{ webhookSecret: undefined }, /^STRIPE_WEBHOOK_SECRET is missing/],
    [{ webhookSecret: "we_123" }, /^STRIPE_WEBHOOK_SECRET is no signing secret/],
  ])("sees what is wrong with %o without asking", async (wrong, says) => {
    const check = await createStripe({ ...good, ...wrong, apiBase: "http://127.0.0.1:9", clock }).check();
    expect(check).toEqual({ isWell: false, says: expect.stringMatching(says) });
  });

  test("says that a key is refused, and repeats none", async () => {
    await using fake = await startStripeFake({ clock });
    const check = await createStripe({ ...good, secretKey: "sk_test_revoked", apiBase: fake.url, clock }).check();
    expect(check.isWell).toBe(false);
    expect(check.says).toMatch(/^STRIPE_SECRET_KEY is refused by Stripe: copy it anew/);
    expect(check.says).not.toContain("revoked");
  });

  test("says that Stripe is out of reach, or asked too often", async () => {
    await using fake = await startStripeFake({ clock });
    const gateway = createStripe({ ...fake.keys, apiBase: fake.url, clock });
    for (const kind of ["reset", "500", "garbage"] as const) {
      fake.fail({ kind });
      expect(await gateway.check()).toEqual({
        isWell: false,
        says: expect.stringMatching(/^Stripe cannot be reached/),
      });
      fake.heal();
    }
    fake.fail({ kind: "429" });
    expect((await gateway.check()).says).toMatch(/asked too often/);
  });
});
