import { expect, test } from "vitest";

import { demoFields } from "../../server/adapters/demo/card-gateway.ts";
import { stripeFields } from "../../server/adapters/stripe/card-fields.ts";
import { SECOND_IN_MS } from "../../server/platform/clock.ts";
import type { Trouble } from "../helpers/provider.ts";
import { openRemoteApp } from "../helpers/provider.ts";
import { ada, findChallenge, startDraft } from "../saga/visitor.ts";

/** Codes, emails and card fields of a provider with and without answers. */

const broken: Trouble[] = [
  "hang-up",
  { status: 500, type: "text/html", body: "<h1>500</h1>" },
  { status: 200, type: "text/html", body: "<h1>Hello</h1>" },
  { status: 200, type: "application/json", body: '{"valid":"yes","cardFields":7}' },
];
const company = { ...ada, accountType: "corporate" as const, code: "PILLOW" };

test("the code of a draft comes in the provider's email, and its link leads to the front", async () => {
  await using shop = await openRemoteApp();
  const token = await startDraft(shop);
  const { code, linkToken } = await findChallenge(shop, ada.email);
  expect(shop.emails).toHaveLength(1);
  expect(shop.emails[0]?.text).toContain(`${ada.site}signup?verify=${linkToken}`);
  expect((await shop.services.signUp.findVerification(linkToken))?.email).toBe(ada.email);
  expect(await shop.services.signUp.verifyByCode(token, code)).toEqual({ ok: true });
});

test("an email waits for a provider that does not answer, and is given up where it is refused", async () => {
  await using shop = await openRemoteApp();
  const { outbox } = shop.services;
  shop.provider.meddle((call) => (call === "sendemail" ? "hang-up" : undefined));
  await startDraft(shop);
  await outbox.deliver();
  expect(await outbox.list({ limit: 5 })).toMatchObject([{ state: "waiting" }]);
  shop.provider.stop();
  shop.clock.advance(600 * SECOND_IN_MS);
  await outbox.deliver();
  expect(await outbox.list({ limit: 5 })).toMatchObject([{ state: "sent" }]);
  const body = '{"data":{"message":"No such address"}}';
  shop.provider.meddle((call) => (call === "sendemail" ? { status: 400, type: "application/json", body } : undefined));
  await startDraft(shop, { email: "bo@example.org" });
  await outbox.deliver();
  const [last] = await outbox.list({ limit: 1 });
  expect(last).toMatchObject({ state: "failed", lastError: "The provider answered 400: No such address" });
});

test("a code that cannot be checked is answered with the sentence of our own page", async () => {
  for (const trouble of broken) {
    await using shop = await openRemoteApp();
    shop.provider.meddle((call) => (call === "checkcouponvalidity" ? trouble : undefined));
    const saved = await shop.services.signUp.saveDetails(company);
    expect(saved).toEqual({ ok: false, reason: "refused", refusals: [{ reason: "code-unchecked" }] });
  }
});

test("codes for other products are refused, and codes are not made here", async () => {
  await using shop = await openRemoteApp();
  const { codes } = shop.services;
  const refused = { isValid: false, message: expect.stringContaining("something else") };
  await shop.provider.site.services.codes.create({ code: "PILLOW", seats: 5, products: [999] });
  expect(await codes.check("PILLOW")).toMatchObject(refused);
  // Another back end may sell more than we do, and accept a code for that.
  await shop.provider.site.services.codes.create({ code: "BLANKET", seats: 5 });
  expect(await codes.check("BLANKET")).toMatchObject({ isValid: true });
  const body = '{"product_ids":[999]}';
  shop.provider.meddle((call) =>
    call === "checkcouponproducts" ? { status: 200, type: "application/json", body } : undefined,
  );
  expect(await codes.check("BLANKET")).toMatchObject(refused);
  expect(await codes.check("  ")).toMatchObject({ isValid: false });
  await expect(codes.create({ code: "MINE", seats: 5 })).rejects.toThrow("Codes are held by the provider");
});

test("a payment page shows the provider's card fields, and keeps them while the provider is silent", async () => {
  for (const trouble of broken) {
    await using shop = await openRemoteApp();
    expect(shop.services.cardFields).toEqual(demoFields);
    expect(shop.services.demoGateways).toBeDefined();
    shop.provider.meddle(() => trouble);
    shop.clock.advance(3600 * SECOND_IN_MS);
    expect(shop.services.cardFields).toEqual(demoFields);
  }
});

test("a payment page uses the provider's card gateway, and ignores an invalid key", async () => {
  await using shop = await openRemoteApp();
  const answers = [
    {
      given: { kind: "stripe", publishableKey: "pk_test_abc123" },
      shown: stripeFields("pk_test_abc123"),
    },
    { given: { kind: "stripe", publishableKey: '"><script>' }, shown: { kind: "none" } },
    { given: { kind: "none", publishableKey: null }, shown: { kind: "none" } },
  ];
  for (const { given, shown } of answers) {
    const body = JSON.stringify({ paymentMethodId: null, cardFields: given });
    shop.provider.meddle(() => ({ status: 200, type: "application/json", body }));
    shop.clock.advance(3600 * SECOND_IN_MS);
    void shop.services.cardFields;
    await expect.poll(() => shop.services.cardFields).toEqual(shown);
    expect(shop.services.demoGateways).toBeUndefined();
  }
});

test("a sign-up whose provider does not answer creates no account and takes no money", async () => {
  await using shop = await openRemoteApp();
  const token = await startDraft(shop);
  const { code } = await findChallenge(shop, ada.email);
  await shop.services.signUp.verifyByCode(token, code);
  await shop.services.signUp.choosePlan(token, 1);
  for (const trouble of broken) {
    shop.provider.meddle(() => trouble);
    const payment = { ...ada, shownPlanType: 1 as const, postcode: "EX1 1AA", methodId: "pm_1" };
    expect(await shop.services.signUp.pay(token, payment)).toEqual({
      ok: false,
      reason: "declined",
      decline: "gateway-unavailable",
    });
  }
});

test("a provider may send payers to a web page only", async () => {
  await using shop = await openRemoteApp();
  const token = await startDraft(shop);
  const { code } = await findChallenge(shop, ada.email);
  await shop.services.signUp.verifyByCode(token, code);
  await shop.services.signUp.choosePlan(token, 1);
  const order = { id: 1, status: "requires_action", payment_url: "javascript:alert(1)" };
  const body = JSON.stringify({ ...order, order });
  shop.provider.meddle((call) =>
    call === "sendcombined" ? { status: 200, type: "application/json", body } : undefined,
  );
  const payment = { ...ada, shownPlanType: 1 as const, postcode: "EX1 1AA", methodId: undefined };
  expect(await shop.services.signUp.pay(token, payment)).toEqual({ ok: true, next: "checking" });
});
