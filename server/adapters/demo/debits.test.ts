import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../../clock.ts";
import type { Engine } from "../../database/database.ts";
import { createDemoDebitPages } from "./debit-pages.ts";
import { createDemoDebit, DEMO_DEBIT } from "./debits.ts";
import { createDemoStore, signDemoWebhook } from "./store.ts";

async function openApp(engine: Engine, debitsBegin?: "pending") {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const store = createDemoStore({ db: database.db, clock });
  const pageUrl = (path: string) => `https://dormouse.example/${path}`;
  const debit = {
    ...createDemoDebit({ store, clock, secret: "secret", pageUrl, ...(debitsBegin && { debitsBegin }) }),
    ...createDemoDebitPages({ store, clock }),
  };
  const ask = (key = "company:1:billing-request") =>
    debit.createBillingRequest({ key, companyId: 1, companyName: "Acme" });
  const open = async (billingRequestId: string) => {
    const { authorisationUrl } = await debit.openFlow({
      billingRequestId,
      companyName: "Acme",
      email: "a@acme.example",
      ...links,
    });
    return authorisationUrl.split("/").at(-1) ?? "";
  };
  const agree = async () => {
    const { id } = await ask();
    await debit.agreeDebit(await open(id), bank);
    return (await debit.findBillingRequest(id))?.mandateId ?? "";
  };
  const noticed = async () => (await store.listEvents()).map(({ body }) => /"kind":"([\w-]+)"/.exec(body)?.[1]);
  return { ...database, clock, store, debit, ask, open, agree, noticed };
}

const links = { returnUrl: "https://dormouse.example/?agreed", exitUrl: "https://dormouse.example/?left" };
const bank = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
const dues = { amountInPence: 60_000, currency: "GBP", description: "Dormouse", companyId: 1 } as const;

describe.each(engines)("the demo's Direct Debit gateway on %s", (engine) => {
  test("makes one billing request a key, however often and at once it is asked", async () => {
    await using app = await openApp(engine);
    const requests = await Promise.all(Array.from({ length: 10 }, () => app.ask()));
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
    expect(requests[0]).toMatchObject({ state: "pending", mandateId: undefined });
    expect((await app.ask("another")).id).not.toBe(requests[0]?.id);
    expect(await app.debit.findBillingRequest("brq_demo_0")).toBeUndefined();
  });

  test("shows the company a page for a week, as often as one is asked for", async () => {
    await using app = await openApp(engine);
    const { id } = await app.ask();
    const flow = await app.debit.openFlow({
      billingRequestId: id,
      companyName: "Acme",
      email: "a@acme.example",
      ...links,
    });
    expect(flow.authorisationUrl).toMatch(/^https:\/\/dormouse\.example\/demo-gateway\/debit\/brf_demo_[0-9a-f]+$/);
    const flowId = flow.authorisationUrl.split("/").at(-1) ?? "";
    expect(await app.debit.findDebitPage(flowId)).toEqual({ companyName: "Acme", state: "open", ...links });
    app.clock.advance(7 * DAY_IN_MS);
    expect(flow.expiresAt).toEqual(app.clock());
    expect(await app.debit.findDebitPage(flowId)).toMatchObject({ state: "over" });
    expect(await app.debit.agreeDebit(flowId, bank)).toEqual({ ok: true, url: links.exitUrl });
    expect(await app.debit.findBillingRequest(id)).toMatchObject({ state: "pending" });
    const second = await app.open(id);
    expect(second).not.toBe(flowId);
    expect(await app.debit.findDebitPage(second)).toMatchObject({ state: "open" });
    expect(await app.debit.findDebitPage("brf_demo_0")).toBeUndefined();
  });

  test("agreeing makes one active mandate, also when pressed twice or on two pages, and is told", async () => {
    await using app = await openApp(engine);
    const { id } = await app.ask();
    const [first, second] = [await app.open(id), await app.open(id)];
    const answers = await Promise.all([first, first, second].map((flowId) => app.debit.agreeDebit(flowId, bank)));
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ ok: true, url: links.returnUrl })));
    const request = await app.debit.findBillingRequest(id);
    expect(request).toMatchObject({ state: "fulfilled" });
    expect(await app.debit.findMandate(request?.mandateId ?? "")).toMatchObject({ state: "active" });
    expect(await app.store.list("mdt", id)).toHaveLength(1);
    expect(await app.debit.findDebitPage(first)).toMatchObject({ state: "over" });
    expect(new Set(await app.noticed())).toEqual(new Set(["mandate", "billing-request"]));
    await expect(app.open(id)).rejects.toThrow("pending");
  });

  test("keeps no account number", async () => {
    await using app = await openApp(engine);
    await app.agree();
    const rows = JSON.stringify(await app.db.selectFrom("demo_objects").select("body").execute());
    expect(rows).not.toContain(bank.accountNumber);
    expect(rows).not.toMatch(/20-?00-?00/);
  });

  test.each([
    ["accountHolderName", { ...bank, accountHolderName: " " }],
    ["sortCode", { ...bank, sortCode: "20000" }],
    ["sortCode", { ...bank, sortCode: "20/00/00" }],
    ["accountNumber", { ...bank, accountNumber: "5577991" }],
    ["accountNumber", { ...bank, accountNumber: "5577991a" }],
    ["accountNumber", { ...bank, accountNumber: "" }],
  ] as const)("refuses a wrong %s with a sentence, and makes nothing", async (field, wrong) => {
    await using app = await openApp(engine);
    const { id } = await app.ask();
    expect(await app.debit.agreeDebit(await app.open(id), wrong)).toMatchObject({
      ok: false,
      problems: [{ field, sentence: expect.stringMatching(/\.$/) }],
    });
    expect(await app.debit.findBillingRequest(id)).toMatchObject({ state: "pending" });
    expect(await app.noticed()).toEqual([]);
  });

  test("takes numbers as people write them", async () => {
    await using app = await openApp(engine);
    const { id } = await app.ask();
    const typed = { accountHolderName: "Acme", accountNumber: " 5577 9911", sortCode: "20 00 00" };
    expect(await app.debit.agreeDebit(await app.open(id), typed)).toMatchObject({ ok: true });
  });

  test("who leaves may come back", async () => {
    await using app = await openApp(engine);
    const { id } = await app.ask();
    const flowId = await app.open(id);
    expect(await app.debit.leaveDebit(flowId)).toEqual({ url: links.exitUrl });
    expect(await app.debit.findDebitPage(flowId)).toMatchObject({ state: "open" });
    await expect(app.debit.leaveDebit("brf_demo_0")).rejects.toThrow();
    await expect(app.debit.agreeDebit("brf_demo_0", bank)).rejects.toThrow();
  });

  test("makes one debit a key, and answers it even when the mandate has died since", async () => {
    await using app = await openApp(engine);
    const mandateId = await app.agree();
    const collect = () => app.debit.collect({ ...dues, key: "company:1:dd:0", mandateId });
    const debits = await Promise.all(Array.from({ length: 10 }, collect));
    expect(new Set(debits.map(({ id }) => id)).size).toBe(1);
    expect(debits[0]).toMatchObject({ state: "confirmed" });
    await app.debit.failMandate(mandateId);
    expect(await collect()).toEqual(debits[0]);
    await expect(app.debit.collect({ ...dues, key: "company:1:dd:1", mandateId })).rejects.toThrow();
    expect(await app.store.list("dd", mandateId)).toHaveLength(1);
  });

  test("collects under a mandate that is good, and under no other", async () => {
    await using app = await openApp(engine);
    const mandateId = await app.agree();
    const collect = (key: string, from = mandateId) => app.debit.collect({ ...dues, key, mandateId: from });
    await app.debit.suspendMandate(mandateId);
    await expect(collect("1")).rejects.toThrow();
    await app.debit.restoreMandate(mandateId);
    await expect(collect("2")).resolves.toMatchObject({ state: "confirmed" });
    const nextId = await app.debit.replaceMandate(mandateId);
    expect(await app.debit.findMandate(mandateId)).toEqual({
      id: mandateId,
      state: "replaced",
      replacementId: nextId,
    });
    await expect(collect("3")).rejects.toThrow();
    await expect(collect("3", nextId)).resolves.toMatchObject({ state: "confirmed" });
    await expect(collect("4", "mdt_demo_0")).rejects.toThrow();
  });

  test("what happens to a debit at the bank is seen and told", async () => {
    await using app = await openApp(engine, "pending");
    const mandateId = await app.agree();
    const { id, state } = await app.debit.collect({ ...dues, key: "1", mandateId });
    expect(state).toBe("pending");
    for (const [control, seen] of [
      ["confirmDebit", "confirmed"],
      ["chargeBack", "charged-back"],
      ["failDebit", "failed"],
    ] as const) {
      await app.debit[control](id);
      expect(await app.debit.findDebit(id)).toEqual({ id, state: seen });
      await expect(app.debit[control]("dd_demo_0")).rejects.toThrow();
    }
    await expect(app.debit.failMandate("mdt_demo_0")).rejects.toThrow();
    expect((await app.noticed()).filter((kind) => kind === "debit")).toHaveLength(4);
  });

  test("its webhook events are read with its signature only", async () => {
    await using app = await openApp(engine);
    const mandateId = await app.agree();
    const [webhook] = await app.store.listEvents();
    const body = webhook?.body ?? "";
    expect(webhook?.gateway).toBe(DEMO_DEBIT);
    const read = app.debit.readEvents(body, new Headers(signDemoWebhook("secret", body)));
    expect([read?.[0]?.kind, read?.[0]?.id]).toEqual([expect.stringMatching(/mandate|billing-request/), webhook?.id]);
    expect(read?.[0]?.subject.endsWith(mandateId) ?? false).toBe(read?.[0]?.kind === "mandate");
    expect(app.debit.readEvents(body, new Headers(signDemoWebhook("other", body)))).toBeUndefined();
    const strange = JSON.stringify({ notices: [{ id: "evt", kind: "payout", subject: "po" }] });
    expect(app.debit.readEvents(strange, new Headers(signDemoWebhook("secret", strange)))).toEqual([
      { id: "evt", kind: "other", subject: "po" },
    ]);
  });
});
