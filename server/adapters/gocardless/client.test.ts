import { describe, expect, test } from "vitest";

import { type Fault, startGoCardlessFake, visitFlow } from "../../../tests/fakes/gocardless.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { after, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Patience } from "./client.ts";
import { createGoCardless } from "./gocardless.ts";

/** `hangInMs`: how long an unanswered request hangs. */
async function openLine({ hangInMs = 10 * SECOND_IN_MS } = {}) {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock, onHang: () => clock.advance(hangInMs) });
  const patience: Patience = { timeOut: clock.timeOut, wait: async (ms) => clock.advance(ms) };
  const gateway = createGoCardless({ ...fake, clock, patience });
  const ask = (key = "company:7:request") =>
    gateway.createBillingRequest({ key, companyId: 7, companyName: "Acme Ltd" });
  const openFlow = (billingRequestId: string) =>
    gateway.openFlow({
      billingRequestId,
      companyName: "Acme Ltd",
      email: "pay@acme.example",
      returnUrl: "https://dormouse.example/agreed",
      exitUrl: "https://dormouse.example/left",
    });
  const agree = async () => {
    const { id } = await ask();
    await visitFlow((await openFlow(id)).authorisationUrl, "agree");
    return (await gateway.findBillingRequest(id))?.mandateId ?? "";
  };
  const collect = (mandateId: string, wanted = {}) =>
    gateway.collect({
      key: "company:7:dd:0",
      mandateId,
      amountInPence: 60_000,
      currency: "GBP",
      description: "Dormouse",
      companyId: 7,
      ...wanted,
    });
  return {
    clock,
    patience,
    fake,
    gateway,
    ask,
    openFlow,
    agree,
    collect,
    listRequests: () => [...fake.state.all.billing_requests.values()],
    countCalls: () => fake.calls.length,
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

const passing: Fault["kind"][] = ["hang", "reset", "lost", "garbage", "huge", 429, 500, 502];

describe("a failing connection to GoCardless", () => {
  test.each(passing)(
    "after one fault (%s) the call is repeated and nothing is created twice (D1, D5)",
    async (kind) => {
      await using line = await openLine();
      const fault = (on: RegExp): Fault => ({ kind, on, times: 1 });
      line.fake.fail(fault(/^POST \/billing_requests$/));
      line.fake.fail(fault(/^GET \/billing_requests/));
      const mandateId = await line.agree();
      expect(line.listRequests()).toHaveLength(1);
      line.fake.fail(fault(/^POST \/payments/));
      line.fake.fail(fault(/^GET \/payments/));
      const { id } = await line.collect(mandateId);
      expect([...line.fake.state.all.payments.keys()]).toEqual([id]);
      expect(await line.gateway.findDebit(id)).toEqual({ id, state: "pending" });
    },
  );

  test.each(passing.slice(1, 4))("once (%s) gives a page all the same, under another key (D2)", async (kind) => {
    await using line = await openLine();
    const { id } = await line.ask();
    line.fake.fail({ kind, on: /billing_request_flows/, times: 1 });
    const flow = await line.openFlow(id);
    expect(await visitFlow(flow.authorisationUrl, "agree")).toBe("https://dormouse.example/agreed");
    const keys = line.fake.calls.filter(({ path }) => path === "/billing_request_flows").map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  test.each(passing)("after three faults (%s) under one key the outcome is unknown", async (kind) => {
    await using line = await openLine();
    line.fake.fail({ kind });
    await expect(line.ask()).rejects.toThrow(/^GoCardless (?:cannot be reached|answered)/);
    expect(line.fake.calls.map(({ method, key }) => [method, key])).toEqual(
      Array.from({ length: 3 }, () => ["POST", "company:7:request"]),
    );
    await expect(line.gateway.findDebit("PM1")).rejects.toThrow("GoCardless");
    line.fake.heal();
    await line.ask();
    expect(line.listRequests()).toHaveLength(1);
  });

  test("is given up when all tries together take too long", async () => {
    await using line = await openLine({ hangInMs: 25 * SECOND_IN_MS });
    line.fake.fail({ kind: "hang" });
    await expect(line.ask()).rejects.toThrow("cannot be reached");
    expect(line.countCalls()).toBe(1);
  });

  test("distinguishes an unreachable server from a refusal", async () => {
    const clock = createTestClock();
    const setting = { accessToken: "sandbox_x", webhookSecret: "s", apiBase: "http://127.0.0.1:1", clock };
    const patience = { timeOut: clock.timeOut, wait: async () => undefined };
    const gateway = createGoCardless({ ...setting, patience });
    await expect(gateway.findMandate("MD1")).rejects.toThrow("cannot be reached");
    expect(await gateway.check()).toEqual({
      isWell: false,
      message: "GoCardless (sandbox) can't be reached: check the network and GOCARDLESS_API_BASE",
    });
  });
});

describe("a rate limit of GoCardless", () => {
  test("is asked again after its minute when that is soon over", async () => {
    await using line = await openLine();
    const until = after(line.clock(), SECOND_IN_MS).toUTCString();
    line.fake.fail({ kind: 429, times: 1, headers: { "RateLimit-Remaining": "0", "RateLimit-Reset": until } });
    await line.ask();
    expect(line.countCalls()).toBe(2);
  });

  test.each([
    ["Retry-After", "26"],
    ["RateLimit-Reset", "Fri, 20 Nov 2026 03:00:58 GMT"],
    ["RateLimit-Reset", "58"],
  ])("is not asked again when it would take too long (%s: %s)", async (name, value) => {
    await using line = await openLine();
    line.fake.fail({ kind: 429, headers: { [name]: value } });
    await expect(line.ask()).rejects.toThrow("GoCardless answered 429");
    expect(line.countCalls()).toBe(1);
  });
});

describe("answers of GoCardless", () => {
  test("redirects are not followed, so that the token goes nowhere else", async () => {
    await using line = await openLine();
    line.fake.fail({ kind: "redirect" });
    await expect(line.ask()).rejects.toThrow("GoCardless answered 302");
    await expect(line.gateway.findMandate("MD1")).rejects.toThrow("GoCardless answered 302");
    expect(line.fake.calls.map(({ path }) => path)).toEqual(["/billing_requests", "/mandates/MD1"]);
  });

  test("a refusal is final, and says why without saying what was sent", async () => {
    await using line = await openLine();
    const mandateId = await line.agree();
    line.fake.cancelMandate(mandateId);
    const before = line.countCalls();
    const refusal = await line.collect(mandateId).catch((error: unknown) => String(error));
    expect(refusal).toMatch(/answered 422 to POST \/payments \(invalid_state, mandate_is_inactive, request [\w-]+\)/);
    expect(line.countCalls()).toBe(before + 1);
  });

  test("a 404 that is not GoCardless's own does not mean that there is nothing", async () => {
    await using line = await openLine();
    const elsewhere = createGoCardless({
      ...line.fake,
      apiBase: `${line.fake.apiBase}/flow?`,
      clock: line.clock,
      patience: line.patience,
    });
    await expect(elsewhere.findMandate("MD1")).rejects.toThrow("GoCardless answered 404");
  });

  test("an object that another company's call made under the same key is not taken for ours", async () => {
    await using line = await openLine();
    const mandateId = await line.agree();
    await line.collect(mandateId);
    const stranger = { key: "company:7:request", companyId: 8, companyName: "Other" };
    await expect(line.gateway.createBillingRequest(stranger)).rejects.toThrow("something else");
    await expect(line.collect(mandateId, { companyId: 8 })).rejects.toThrow("something else");
    await expect(line.collect(mandateId, { amountInPence: 1 })).rejects.toThrow("something else");
  });

  test("every call carries token, version and, when it makes something, a key", async () => {
    await using line = await openLine();
    await line.collect(await line.agree());
    for (const { method, key, headers } of line.fake.calls) {
      expect(headers.authorization).toBe(`Bearer ${line.fake.accessToken}`);
      expect(headers["gocardless-version"]).toBe("2015-07-06");
      expect(key !== undefined).toBe(method === "POST");
    }
  });
});
