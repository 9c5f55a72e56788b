import { describe, expect, test } from "vitest";

import { createDemo } from "../../server/adapters/demo/demo.ts";
import { listEvents, markDelivered, signDemoWebhook } from "../../server/adapters/demo/store.ts";
import { debitGateways } from "../../server/adapters/gateways.ts";
import { createGoCardless } from "../../server/adapters/gocardless/gocardless.ts";
import { after, type Clock, DAY_IN_MS } from "../../server/platform/clock.ts";
import type { WebhookHeaders } from "../../server/platform/webhooks/webhooks.ts";
import type { DebitGateway, DebitEvent } from "../../server/money/payments/debit-gateway.ts";
import { startGoCardlessFake, visitFlow } from "../fakes/gocardless.ts";
import { openTestDatabase } from "../helpers/databases.ts";
import { createTestClock } from "../helpers/test-clock.ts";

/** A gateway, and the acts of payers and banks at its far side. */
type DebitBench = AsyncDisposable & {
  gateway: DebitGateway;
  clock: Clock & { advance(ms: number): void };
  /** On the gateway's page; returns where the browser continues. */
  agree(authorisationUrl: string): Promise<string>;
  leave(authorisationUrl: string): Promise<string>;
  failMandate(id: string): Promise<void>;
  suspendMandate(id: string): Promise<void>;
  restoreMandate(id: string): Promise<void>;
  replaceMandate(id: string): Promise<string>;
  confirmDebit(id: string): Promise<void>;
  failDebit(id: string): Promise<void>;
  chargeBack(id: string): Promise<void>;
  takeEvents(): Promise<{ body: string; headers: WebhookHeaders }[]>;
};

const links = { returnUrl: "https://dormouse.example/?agreed", exitUrl: "https://dormouse.example/?left" };
const acme = { companyId: 7, companyName: "Acme & Söhne" };
const dues = { amountInPence: 60_000, currency: "GBP", description: "Dormouse, 12 months", companyId: 7 } as const;

function describeDebitGateway(name: string, openBench: () => Promise<DebitBench>): void {
  const openFlow = ({ gateway }: DebitBench, billingRequestId: string) =>
    gateway.openFlow({ billingRequestId, companyName: acme.companyName, email: "pay@acme.example", ...links });
  const ask = ({ gateway }: DebitBench, key = "company:7:request") => gateway.createBillingRequest({ key, ...acme });
  const agree = async (bench: DebitBench): Promise<string> => {
    const { id } = await ask(bench);
    await bench.agree((await openFlow(bench, id)).authorisationUrl);
    return (await bench.gateway.findBillingRequest(id))?.mandateId ?? "";
  };
  const collect = (bench: DebitBench, mandateId: string, key = "company:7:dd:0") =>
    bench.gateway.collect({ ...dues, key, mandateId });
  const read = async (bench: DebitBench): Promise<DebitEvent[]> => {
    const events = await bench.takeEvents();
    return events.flatMap(({ body, headers }) => bench.gateway.readEvents(body, headers) ?? []);
  };

  describe(`the agreement with ${name}`, () => {
    test("one key makes one request, however often and concurrently it is asked for", async () => {
      await using bench = await openBench();
      const requests = await Promise.all(Array.from({ length: 5 }, () => ask(bench)));
      expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
      expect(requests[0]).toEqual({ id: requests[0]?.id, state: "pending", mandateId: undefined });
      expect(await bench.gateway.findBillingRequest(requests[0]?.id ?? "")).toEqual(requests[0]);
      expect((await ask(bench, "another")).id).not.toBe(requests[0]?.id);
    });

    test("its page may be opened again and again, and lives for a week", async () => {
      await using bench = await openBench();
      const { id } = await ask(bench);
      const [first, second] = [await openFlow(bench, id), await openFlow(bench, id)];
      expect(first.authorisationUrl).not.toBe(second.authorisationUrl);
      expect(first.expiresAt).toEqual(after(bench.clock(), 7 * DAY_IN_MS));
      bench.clock.advance(8 * DAY_IN_MS);
      const third = await openFlow(bench, id);
      expect(await bench.agree(third.authorisationUrl)).toContain(links.returnUrl);
      expect(await bench.gateway.findBillingRequest(id)).toMatchObject({ state: "fulfilled" });
    });

    test("leaving the page agrees to nothing", async () => {
      await using bench = await openBench();
      const { id } = await ask(bench);
      expect(await bench.leave((await openFlow(bench, id)).authorisationUrl)).toContain(links.exitUrl);
      expect(await bench.gateway.findBillingRequest(id)).toMatchObject({ state: "pending", mandateId: undefined });
    });

    test("agreeing makes one mandate, and no further page opens", async () => {
      await using bench = await openBench();
      const { id } = await ask(bench);
      const { authorisationUrl } = await openFlow(bench, id);
      await bench.agree(authorisationUrl);
      await bench.agree(authorisationUrl);
      const request = await bench.gateway.findBillingRequest(id);
      expect(request).toEqual({ id, state: "fulfilled", mandateId: expect.any(String) });
      const mandate = await bench.gateway.findMandate(request?.mandateId ?? "");
      expect(["pending", "active"]).toContain(mandate?.state);
      await expect(openFlow(bench, id)).rejects.toThrow();
      expect(await ask(bench)).toEqual(request);
    });

    test("an unknown id is not found", async () => {
      await using bench = await openBench();
      expect(await bench.gateway.findBillingRequest("BRQ0")).toBeUndefined();
      expect(await bench.gateway.findMandate("MD0")).toBeUndefined();
      expect(await bench.gateway.findDebit("PM0")).toBeUndefined();
      expect(await bench.gateway.findDebit("../events")).toBeUndefined();
      await expect(openFlow(bench, "BRQ0")).rejects.toThrow();
      await expect(collect(bench, "MD0")).rejects.toThrow();
    });
  });

  describe(`collecting by ${name}`, () => {
    test("one key makes one debit, also when the mandate has died or was replaced since", async () => {
      await using bench = await openBench();
      const mandateId = await agree(bench);
      const debits = await Promise.all(Array.from({ length: 5 }, () => collect(bench, mandateId)));
      expect(new Set(debits.map(({ id }) => id)).size).toBe(1);
      const nextId = await bench.replaceMandate(mandateId);
      expect((await collect(bench, nextId)).id).toBe(debits[0]?.id);
      await bench.failMandate(nextId);
      expect((await collect(bench, nextId)).id).toBe(debits[0]?.id);
      await expect(collect(bench, nextId, "company:7:dd:1")).rejects.toThrow();
    });

    test("a mandate that is suspended or replaced is not collected from", async () => {
      await using bench = await openBench();
      const mandateId = await agree(bench);
      await bench.suspendMandate(mandateId);
      expect(await bench.gateway.findMandate(mandateId)).toMatchObject({ state: "suspended" });
      await expect(collect(bench, mandateId, "1")).rejects.toThrow();
      await bench.restoreMandate(mandateId);
      expect(await bench.gateway.findMandate(mandateId)).toMatchObject({ state: "active" });
      const nextId = await bench.replaceMandate(mandateId);
      expect(await bench.gateway.findMandate(mandateId)).toEqual({
        id: mandateId,
        state: "replaced",
        replacementId: nextId,
      });
      await expect(collect(bench, mandateId, "2")).rejects.toThrow();
      const debit = await collect(bench, nextId, "3");
      expect(await bench.gateway.findDebit(debit.id)).toEqual(debit);
      await bench.failMandate(nextId);
      expect(await bench.gateway.findMandate(nextId)).toMatchObject({ state: "dead", replacementId: undefined });
    });

    test("a debit has the bank's state, forwards and back", async () => {
      await using bench = await openBench();
      const { id } = await collect(bench, await agree(bench));
      for (const [control, state] of [
        ["confirmDebit", "confirmed"],
        ["failDebit", "failed"],
        ["confirmDebit", "confirmed"],
        ["chargeBack", "charged-back"],
        ["confirmDebit", "confirmed"],
      ] as const) {
        await bench[control](id);
        expect(await bench.gateway.findDebit(id)).toEqual({ id, state });
      }
    });
  });

  describe(`what ${name} tells`, () => {
    test("is read only with its signature, and says what to look up", async () => {
      await using bench = await openBench();
      const mandateId = await agree(bench);
      const { id } = await collect(bench, mandateId);
      await bench.confirmDebit(id);
      const events = await bench.takeEvents();
      expect(events.length).toBeGreaterThan(0);
      for (const { body, headers } of events) {
        expect(bench.gateway.readEvents(body, headers)?.length).toBeGreaterThan(0);
        expect(bench.gateway.readEvents(`${body} `, headers)).toBeUndefined();
        expect(bench.gateway.readEvents(body, new Headers())).toBeUndefined();
        expect(bench.gateway.readEvents(body, { get: () => "" })).toBeUndefined();
        expect(bench.gateway.readEvents(body, { get: () => "garbage" })).toBeUndefined();
      }
      const webhooks = events.flatMap(({ body, headers }) => bench.gateway.readEvents(body, headers) ?? []);
      expect(new Set(webhooks.map((webhook) => webhook.id)).size).toBe(webhooks.length);
      expect(webhooks).toContainEqual({ id: expect.any(String), kind: "mandate", subject: mandateId });
      expect(webhooks).toContainEqual({ id: expect.any(String), kind: "debit", subject: id });
      expect(webhooks.map(({ kind }) => kind)).toContain("billing-request");
    });

    test("can be listed from any instant, oldest first, with the same ids", async () => {
      await using bench = await openBench();
      const start = bench.clock();
      bench.clock.advance(DAY_IN_MS);
      const mandateId = await agree(bench);
      const early = await read(bench);
      bench.clock.advance(DAY_IN_MS);
      const lateFrom = bench.clock();
      await bench.suspendMandate(mandateId);
      bench.clock.advance(1000);
      await bench.restoreMandate(mandateId);
      const late = await read(bench);
      expect(late).toHaveLength(2);
      expect(await bench.gateway.listEventsSince(lateFrom)).toEqual(late);
      const all = await bench.gateway.listEventsSince(start);
      expect(all.slice(-2)).toEqual(late);
      expect(new Set(all.map(({ id }) => id))).toEqual(new Set([...early, ...late].map(({ id }) => id)));
      bench.clock.advance(1000);
      expect(await bench.gateway.listEventsSince(bench.clock())).toEqual([]);
    });

    test("reports its state in one line", async () => {
      await using bench = await openBench();
      const { isWell, message } = await bench.gateway.check();
      expect(isWell).toBe(true);
      expect(message).toMatch(/^[^\n]{5,160}$/);
    });
  });
}

const benches: Record<string, () => Promise<DebitBench>> = { demo: openDemo, gocardless: openGoCardless };
for (const [kind, openBench] of Object.entries(benches)) describeDebitGateway(kind, openBench);

test("every gateway for Direct Debits that a setting can choose keeps this contract", () => {
  expect(debitGateways.filter(({ kind }) => !benches[kind])).toEqual([]);
});

async function openDemo(): Promise<DebitBench> {
  const database = await openTestDatabase("sqlite");
  const clock = createTestClock();
  const pageUrl = (path: string) => `https://dormouse.example/${path}`;
  const { store, debits: gateway, pages } = createDemo({ db: database.db, clock, secret: "secret", pageUrl });
  const toFlowId = (url: string) => url.split("/").at(-1) ?? "";
  const bank = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
  return {
    ...gateway,
    gateway,
    clock,
    async agree(url) {
      const answer = await pages.agreeDebit(toFlowId(url), bank);
      return answer.ok ? answer.url : "";
    },
    leave: async (url) => (await pages.leaveDebit(toFlowId(url))).url,
    async takeEvents() {
      const waiting = await listEvents(store, 1000);
      await markDelivered(
        store,
        waiting.map(({ id }) => id),
      );
      return waiting.map(({ body }) => ({ body, headers: new Headers(signDemoWebhook("secret", body)) }));
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function openGoCardless(): Promise<DebitBench> {
  const clock = createTestClock();
  const fake = await startGoCardlessFake({ clock });
  const gateway = createGoCardless({ ...fake, clock });
  return {
    gateway,
    clock,
    agree: async (url) => (await visitFlow(url, "agree")) ?? "",
    leave: async (url) => (await visitFlow(url, "exit")) ?? "",
    failMandate: async (id) => fake.failMandate(id),
    suspendMandate: async (id) => fake.suspendMandate(id),
    restoreMandate: async (id) => fake.resumeMandate(id),
    replaceMandate: async (id) => fake.replaceMandate(id),
    confirmDebit: async (id) => fake.confirm(id),
    failDebit: async (id) => fake.failPayment(id),
    chargeBack: async (id) => fake.chargeBack(id),
    takeEvents: async () => fake.takeWebhooks(),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}
