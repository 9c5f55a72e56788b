import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../../clock.ts";
import type { Engine } from "../../database/database.ts";
import { createDemoDebitPages } from "./debit-pages.ts";
import { createDemoDebit, DEMO_DEBIT } from "./debits.ts";
import { createDemoStore, signDemoNotice } from "./store.ts";

async function openHouse(engine: Engine, debitsBegin?: "pending") {
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
  const noticed = async () => (await store.listNotices()).map(({ body }) => /"kind":"([\w-]+)"/.exec(body)?.[1]);
  return { ...database, clock, store, debit, ask, open, agree, noticed };
}

const links = { returnUrl: "https://dormouse.example/?agreed", exitUrl: "https://dormouse.example/?left" };
const bank = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
const dues = { amountInPence: 60_000, currency: "GBP", description: "Dormouse", companyId: 1 } as const;

describe.each(engines)("the demo's Direct Debit gateway on %s", (engine) => {
  test("makes one billing request a key, however often and at once it is asked", async () => {
    await using house = await openHouse(engine);
    const requests = await Promise.all(Array.from({ length: 10 }, () => house.ask()));
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
    expect(requests[0]).toMatchObject({ state: "pending", mandateId: undefined });
    expect((await house.ask("another")).id).not.toBe(requests[0]?.id);
    expect(await house.debit.findBillingRequest("brq_demo_0")).toBeUndefined();
  });

  test("shows the company a page for a week, as often as one is asked for", async () => {
    await using house = await openHouse(engine);
    const { id } = await house.ask();
    const flow = await house.debit.openFlow({
      billingRequestId: id,
      companyName: "Acme",
      email: "a@acme.example",
      ...links,
    });
    expect(flow.authorisationUrl).toMatch(/^https:\/\/dormouse\.example\/demo-gateway\/debit\/brf_demo_[0-9a-f]+$/);
    const flowId = flow.authorisationUrl.split("/").at(-1) ?? "";
    expect(await house.debit.findDebitPage(flowId)).toEqual({ companyName: "Acme", state: "open", ...links });
    house.clock.advance(7 * DAY_IN_MS);
    expect(flow.expiresAt).toEqual(house.clock());
    expect(await house.debit.findDebitPage(flowId)).toMatchObject({ state: "over" });
    expect(await house.debit.agreeDebit(flowId, bank)).toEqual({ ok: true, url: links.exitUrl });
    expect(await house.debit.findBillingRequest(id)).toMatchObject({ state: "pending" });
    const second = await house.open(id);
    expect(second).not.toBe(flowId);
    expect(await house.debit.findDebitPage(second)).toMatchObject({ state: "open" });
    expect(await house.debit.findDebitPage("brf_demo_0")).toBeUndefined();
  });

  test("agreeing makes one active mandate, also when pressed twice or on two pages, and is told", async () => {
    await using house = await openHouse(engine);
    const { id } = await house.ask();
    const [first, second] = [await house.open(id), await house.open(id)];
    const answers = await Promise.all([first, first, second].map((flowId) => house.debit.agreeDebit(flowId, bank)));
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ ok: true, url: links.returnUrl })));
    const request = await house.debit.findBillingRequest(id);
    expect(request).toMatchObject({ state: "fulfilled" });
    expect(await house.debit.findMandate(request?.mandateId ?? "")).toMatchObject({ state: "active" });
    expect(await house.store.list("mdt", id)).toHaveLength(1);
    expect(await house.debit.findDebitPage(first)).toMatchObject({ state: "over" });
    expect(new Set(await house.noticed())).toEqual(new Set(["mandate", "billing-request"]));
    await expect(house.open(id)).rejects.toThrow("pending");
  });

  test("keeps no account number", async () => {
    await using house = await openHouse(engine);
    await house.agree();
    const rows = JSON.stringify(await house.db.selectFrom("demo_objects").select("body").execute());
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
    await using house = await openHouse(engine);
    const { id } = await house.ask();
    expect(await house.debit.agreeDebit(await house.open(id), wrong)).toMatchObject({
      ok: false,
      problems: [{ field, sentence: expect.stringMatching(/\.$/) }],
    });
    expect(await house.debit.findBillingRequest(id)).toMatchObject({ state: "pending" });
    expect(await house.noticed()).toEqual([]);
  });

  test("takes numbers as people write them", async () => {
    await using house = await openHouse(engine);
    const { id } = await house.ask();
    const typed = { accountHolderName: "Acme", accountNumber: " 5577 9911", sortCode: "20 00 00" };
    expect(await house.debit.agreeDebit(await house.open(id), typed)).toMatchObject({ ok: true });
  });

  test("who leaves may come back", async () => {
    await using house = await openHouse(engine);
    const { id } = await house.ask();
    const flowId = await house.open(id);
    expect(await house.debit.leaveDebit(flowId)).toEqual({ url: links.exitUrl });
    expect(await house.debit.findDebitPage(flowId)).toMatchObject({ state: "open" });
    await expect(house.debit.leaveDebit("brf_demo_0")).rejects.toThrow();
    await expect(house.debit.agreeDebit("brf_demo_0", bank)).rejects.toThrow();
  });

  test("makes one debit a key, and answers it even when the mandate has died since", async () => {
    await using house = await openHouse(engine);
    const mandateId = await house.agree();
    const collect = () => house.debit.collect({ ...dues, key: "company:1:dd:0", mandateId });
    const debits = await Promise.all(Array.from({ length: 10 }, collect));
    expect(new Set(debits.map(({ id }) => id)).size).toBe(1);
    expect(debits[0]).toMatchObject({ state: "confirmed" });
    await house.debit.failMandate(mandateId);
    expect(await collect()).toEqual(debits[0]);
    await expect(house.debit.collect({ ...dues, key: "company:1:dd:1", mandateId })).rejects.toThrow();
    expect(await house.store.list("dd", mandateId)).toHaveLength(1);
  });

  test("collects under a mandate that is good, and under no other", async () => {
    await using house = await openHouse(engine);
    const mandateId = await house.agree();
    const collect = (key: string, from = mandateId) => house.debit.collect({ ...dues, key, mandateId: from });
    await house.debit.suspendMandate(mandateId);
    await expect(collect("1")).rejects.toThrow();
    await house.debit.restoreMandate(mandateId);
    await expect(collect("2")).resolves.toMatchObject({ state: "confirmed" });
    const nextId = await house.debit.replaceMandate(mandateId);
    expect(await house.debit.findMandate(mandateId)).toEqual({
      id: mandateId,
      state: "replaced",
      replacementId: nextId,
    });
    await expect(collect("3")).rejects.toThrow();
    await expect(collect("3", nextId)).resolves.toMatchObject({ state: "confirmed" });
    await expect(collect("4", "mdt_demo_0")).rejects.toThrow();
  });

  test("what happens to a debit at the bank is seen and told", async () => {
    await using house = await openHouse(engine, "pending");
    const mandateId = await house.agree();
    const { id, state } = await house.debit.collect({ ...dues, key: "1", mandateId });
    expect(state).toBe("pending");
    for (const [control, seen] of [
      ["confirmDebit", "confirmed"],
      ["chargeBack", "charged-back"],
      ["failDebit", "failed"],
    ] as const) {
      await house.debit[control](id);
      expect(await house.debit.findDebit(id)).toEqual({ id, state: seen });
      await expect(house.debit[control]("dd_demo_0")).rejects.toThrow();
    }
    await expect(house.debit.failMandate("mdt_demo_0")).rejects.toThrow();
    expect((await house.noticed()).filter((kind) => kind === "debit")).toHaveLength(4);
  });

  test("its notices are read with its signature only", async () => {
    await using house = await openHouse(engine);
    const mandateId = await house.agree();
    const [notice] = await house.store.listNotices();
    const body = notice?.body ?? "";
    expect(notice?.gateway).toBe(DEMO_DEBIT);
    const read = house.debit.readNotices(body, new Headers(signDemoNotice("secret", body)));
    expect([read?.[0]?.kind, read?.[0]?.id]).toEqual([expect.stringMatching(/mandate|billing-request/), notice?.id]);
    expect(read?.[0]?.subject.endsWith(mandateId) ?? false).toBe(read?.[0]?.kind === "mandate");
    expect(house.debit.readNotices(body, new Headers(signDemoNotice("other", body)))).toBeUndefined();
    const strange = JSON.stringify({ notices: [{ id: "evt", kind: "payout", subject: "po" }] });
    expect(house.debit.readNotices(strange, new Headers(signDemoNotice("secret", strange)))).toEqual([
      { id: "evt", kind: "other", subject: "po" },
    ]);
  });
});
