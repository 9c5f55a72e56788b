import { describe, expect, test } from "vitest";

import { signWebhook, startGoCardlessFake, visitFlow } from "../../../tests/fakes/gocardless.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import samples from "../../../tests/vendors/gocardless-samples.json" with { type: "json" };
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { createGoCardless } from "./gocardless.ts";
import { billingRequestAnswer, flowAnswer, mandateAnswer, paymentAnswer } from "./objects.ts";

async function openBank() {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const gateway = createGoCardless({ ...fake, clock });
  const { id } = await gateway.createBillingRequest({ key: "1", companyId: 7, companyName: "Acme Ltd" });
  const flow = await gateway.openFlow({
    billingRequestId: id,
    companyName: "Acme Ltd",
    email: "pay@acme.example",
    returnUrl: "https://dormouse.example/agreed",
    exitUrl: "https://dormouse.example/left",
  });
  await visitFlow(flow.authorisationUrl, "agree");
  const mandateId = (await gateway.findBillingRequest(id))?.mandateId ?? "";
  const dues = { amountInPence: 60_000, currency: "GBP", description: "Dormouse, 12 months", companyId: 7 } as const;
  const debit = await gateway.collect({ ...dues, key: "2", mandateId });
  const findState = async () => (await gateway.findDebit(debit.id))?.state;
  return {
    clock,
    fake,
    gateway,
    requestId: id,
    flow,
    mandateId,
    debit,
    findState,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

test.each([
  ["sandbox_1", "https://manage-sandbox.gocardless.com"],
  ["live_1", "https://manage.gocardless.com"],
])("with the token %s operators find mandates and collections at %s", (accessToken, root) => {
  const { dashboard } = createGoCardless({ accessToken, webhookSecret: undefined, clock: createTestClock() });
  expect([dashboard?.title, dashboard?.mandateUrl("MD1"), dashboard?.debitUrl("PM1")]).toEqual([
    "GoCardless",
    `${root}/mandates/MD1`,
    `${root}/payments/PM1`,
  ]);
});

describe("requests to GoCardless", () => {
  test("an agreement to be collected from by Bacs, in pounds, with the company's number and name", async () => {
    await using bank = await openBank();
    const request = bank.fake.state.find("billing_requests", bank.requestId);
    expect(request).toMatchObject({
      mandate_request: { scheme: "bacs", currency: "GBP" },
      metadata: { company_id: "7", company_name: "Acme Ltd" },
    });
    expect([...bank.fake.state.all.billing_request_flows.values()][0]).toMatchObject({
      redirect_uri: "https://dormouse.example/agreed",
      exit_uri: "https://dormouse.example/left",
      prefilled_customer: { company_name: "Acme Ltd", email: "pay@acme.example" },
    });
  });

  test("a payment in pence, on a day of GoCardless's choosing", async () => {
    await using bank = await openBank();
    expect(bank.fake.state.find("payments", bank.debit.id)).toMatchObject({
      amount: 60_000,
      currency: "GBP",
      description: "Dormouse, 12 months",
      metadata: { company_id: "7" },
      links: { mandate: bank.mandateId },
    });
  });

  test("a name of any length and in any script fits into what GoCardless keeps", async () => {
    await using bank = await openBank();
    const companyName = "Schläfer & Söhne 睡眠 ".repeat(60);
    await bank.gateway.createBillingRequest({ key: "long", companyId: 8, companyName });
    const metadata = [...bank.fake.state.all.billing_requests.values()].at(-1)?.["metadata"] as Record<string, string>;
    expect(metadata["company_name"]?.length).toBeLessThanOrEqual(500);
  });
});

describe("states of GoCardless", () => {
  test.each([
    ["activate", "active"],
    ["suspendMandate", "suspended"],
    ["resumeMandate", "active"],
    ["reinstateMandate", "active"],
    ["transferMandate", "active"],
    ["failMandate", "dead"],
    ["cancelMandate", "dead"],
    ["expireMandate", "dead"],
    ["blockMandate", "dead"],
  ] as const)("a mandate after %s is %s", async (control, state) => {
    await using bank = await openBank();
    expect(await bank.gateway.findMandate(bank.mandateId)).toMatchObject({ state: "pending" });
    bank.fake[control](bank.mandateId);
    expect(await bank.gateway.findMandate(bank.mandateId)).toEqual({
      id: bank.mandateId,
      state,
      replacementId: undefined,
    });
  });

  test.each([
    ["submit", "pending"],
    ["confirm", "confirmed"],
    ["payOut", "paid-out"],
    ["cancelPayment", "cancelled"],
    ["failPayment", "failed"],
    ["retryPayment", "pending"],
    ["chargeBack", "charged-back"],
    ["cancelChargeback", "paid-out"],
  ] as const)("a payment after %s is %s", async (control, state) => {
    await using bank = await openBank();
    expect(bank.debit.state).toBe("pending");
    bank.fake[control](bank.debit.id);
    expect(await bank.findState()).toBe(state);
  });

  test("a payment that failed and will be tried again is pending until its last failure (D8)", async () => {
    await using bank = await openBank();
    bank.fake.failPayment(bank.debit.id, { willRetry: true });
    expect(await bank.findState()).toBe("pending");
    bank.clock.advance(DAY_IN_MS);
    bank.fake.retryPayment(bank.debit.id);
    expect(await bank.findState()).toBe("pending");
    bank.clock.advance(DAY_IN_MS);
    bank.fake.failPayment(bank.debit.id);
    expect(await bank.findState()).toBe("failed");
  });

  test("a payment whose failure does not say that it will be tried again has failed (D8)", async () => {
    await using bank = await openBank();
    bank.fake.failPayment(bank.debit.id);
    delete bank.fake.state.events.at(-1)?.details["will_attempt_retry"];
    expect(await bank.findState()).toBe("failed");
  });

  test("a state that GoCardless did not have before is a fault, not a guess", async () => {
    await using bank = await openBank();
    bank.fake.state.find("mandates", bank.mandateId).status = "sleeping";
    await expect(bank.gateway.findMandate(bank.mandateId)).rejects.toThrow();
    bank.fake.breaches.length = 0;
  });

  test("GoCardless's own sample answers can be read", () => {
    for (const sample of [samples.samples.billing_requests.create, samples.samples.billing_requests.get]) {
      expect(billingRequestAnswer.safeParse(sample).error).toBeUndefined();
    }
    expect(flowAnswer.parse(samples.samples.billing_request_flows.create).billing_request_flows).toMatchObject({
      authorisation_url: "https://monzo.com/abc-123-things",
    });
    expect(mandateAnswer.parse(samples.samples.mandates.get).mandates).toMatchObject({ id: "MD123" });
    expect(paymentAnswer.parse(samples.samples.payments.get).payments).toMatchObject({ id: "PM123", amount: 1000 });
  });
});

describe("the check of GoCardless", () => {
  const clock = createTestClock();
  const creditor = { id: "CR1", name: "Sleep Well Ltd", verification_status: "in_review" };

  test.each([
    [[creditor], true, "collects for Sleep Well Ltd (verification: in_review)"],
    [[], false, "has no creditor yet"],
    [[creditor, { ...creditor, id: "CR2" }], false, "Sleep Well Ltd and others"],
    [[{ ...creditor, verification_status: "action_required" }], false, "who isn't verified"],
  ])("%j", async (creditors, isWell, message) => {
    await using fake = await startGoCardlessFake({ accessToken: "live_x", creditors });
    expect(await createGoCardless({ ...fake, clock }).check()).toEqual({
      isWell,
      message: expect.stringContaining(message),
    });
  });

  test("a sandbox need not be verified", async () => {
    const creditors = [{ ...creditor, verification_status: "action_required" }];
    await using fake = await startGoCardlessFake({ creditors });
    expect(await createGoCardless({ ...fake, clock }).check()).toMatchObject({ isWell: true });
  });

  test("a missing webhook secret and a wrong token are named, and no secret is", async () => {
    await using fake = await startGoCardlessFake();
    const deaf = createGoCardless({ ...fake, webhookSecret: undefined, clock });
    expect((await deaf.check()).message).toContain("set GOCARDLESS_WEBHOOK_SECRET");
    const locked = await createGoCardless({ ...fake, accessToken: "sandbox_wrong", clock }).check();
    expect(locked).toEqual({ isWell: false, message: expect.stringContaining("GOCARDLESS_ACCESS_TOKEN") });
    expect(JSON.stringify(locked)).not.toContain("sandbox_wrong");
  });
});

describe("webhook events of GoCardless", () => {
  test("one event of a batch that cannot be read loses none of the others (D10)", async () => {
    await using bank = await openBank();
    const good = Array.from({ length: 249 }, (_, number) => ({
      id: `EV${number}`,
      resource_type: "payments",
      action: "confirmed",
      links: { payment: `PM${number}` },
    }));
    for (const bad of [null, 7, "EV", [], {}, { id: 7 }, { id: "" }, { resource_type: "payments" }]) {
      const events = [...good.slice(0, 100), bad, ...good.slice(100)];
      const { body, headers } = signWebhook(JSON.stringify({ events }), bank.fake.webhookSecret);
      const webhooks = bank.gateway.readEvents(body, headers);
      expect(webhooks).toHaveLength(249);
      expect(webhooks?.[100]).toEqual({ id: "EV100", kind: "debit", subject: "PM100" });
    }
  });

  test("an irrelevant or incomplete event is stored with the kind “other”", async () => {
    await using bank = await openBank();
    bank.fake.takeWebhooks();
    bank.fake.announcePayout();
    const [event] = bank.fake.takeWebhooks();
    expect(bank.gateway.readEvents(event?.body ?? "", event?.headers ?? new Headers())).toMatchObject([
      { kind: "other" },
    ]);
    const events = [
      { id: "EV1", resource_type: "payments", links: null },
      { id: "EV2", resource_type: "payments", links: { payment: { id: 1 } }, details: 7 },
      { id: "EV3", resource_type: 9, links: { payment: "PM1" } },
      { id: "EV4", resource_type: "mandates", links: { payment: "PM1" } },
      { id: "EV5", resource_type: "__proto__", links: { mandate: "MD1" } },
    ];
    const { body, headers } = signWebhook(JSON.stringify({ events }), bank.fake.webhookSecret);
    expect(bank.gateway.readEvents(body, headers)).toEqual(
      events.map(({ id }) => ({ id, kind: "other", subject: id })),
    );
  });

  test.each(["", "null", "[]", "{", '{"events":{}}', '{"events":null}', "\0"])(
    "signed nonsense (%j) is no batch",
    async (body) => {
      await using bank = await openBank();
      expect(bank.gateway.readEvents(body, signWebhook(body, bank.fake.webhookSecret).headers)).toBeUndefined();
    },
  );

  test("only the right signature over the exact body is accepted", async () => {
    await using bank = await openBank();
    const { body, headers } = signWebhook('{"events":[]}', bank.fake.webhookSecret);
    const good = headers.get("Webhook-Signature") ?? "";
    const read = (signature: string, text = body) => bank.gateway.readEvents(text, { get: () => signature });
    expect(read(good)).toEqual([]);
    expect(read(good.toUpperCase())).toEqual([]);
    for (const wrong of [
      "",
      "0".repeat(64),
      good.slice(1),
      `${good}zz`,
      `${good}${good}`,
      ` ${good}`,
      "ü".repeat(64),
    ]) {
      expect(read(wrong)).toBeUndefined();
    }
    expect(read(good, '{"events": []}')).toBeUndefined();
    expect(bank.gateway.readEvents(body, signWebhook(body, "another secret").headers)).toBeUndefined();
  });

  test.each([undefined, ""])(
    "without a secret (%j) no webhook is accepted, not even one signed with an empty secret",
    async (webhookSecret) => {
      const gateway = createGoCardless({ accessToken: "sandbox_x", webhookSecret, clock: createTestClock() });
      const { body, headers } = signWebhook('{"events":[]}', "");
      expect(gateway.readEvents(body, headers)).toBeUndefined();
    },
  );

  test("a list of many pages is walked to its end, and is oldest first", async () => {
    await using bank = await openBank();
    const start = bank.clock();
    bank.clock.advance(1000);
    for (let number = 0; number < 1300; number += 1) {
      bank.clock.advance(10);
      bank.fake.suspendMandate(bank.mandateId);
    }
    const listed = await bank.gateway.listEventsSince(after(start, 500));
    expect(listed.map(({ id }) => id)).toEqual(bank.fake.state.events.slice(-1300).map(({ id }) => id));
    expect(bank.fake.calls.filter(({ path }) => path === "/events")).toHaveLength(6);
  });
});
