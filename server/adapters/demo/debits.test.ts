import { describe, expect, test } from "vitest";

import { openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { createDemo } from "./demo.ts";
import { listEvents, listObjects, signDemoWebhook } from "./store.ts";

async function openBank(debitsBegin?: "pending") {
  const database = await openTestDatabase("sqlite");
  const clock = createTestClock();
  const pageUrl = (path: string) => `https://dormouse.example/${path}`;
  const { store, debits, pages } = createDemo({ db: database.db, clock, secret: "secret", pageUrl, debitsBegin });
  const debit = { ...debits, ...pages };
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
  const listEventKinds = async () => (await listEvents(store)).map(({ body }) => /"kind":"([\w-]+)"/.exec(body)?.[1]);
  return { ...database, clock, store, debit, ask, open, agree, listEventKinds };
}

const links = { returnUrl: "https://dormouse.example/?agreed", exitUrl: "https://dormouse.example/?left" };
const bank = { accountHolderName: "Acme Ltd", accountNumber: "55779911", sortCode: "20-00-00" };
const dues = { amountInPence: 60_000, currency: "GBP", description: "Dormouse", companyId: 1 } as const;

describe("the demo's Direct Debit gateway", () => {
  test("shows the company a page for a week, as often as one is asked for", async () => {
    await using app = await openBank();
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
    expect(await app.debit.leaveDebit(second)).toEqual({ url: links.exitUrl });
    expect(await app.debit.findDebitPage(second)).toMatchObject({ state: "open" });
    expect(await app.debit.findDebitPage("brf_demo_0")).toBeUndefined();
    await expect(app.debit.leaveDebit("brf_demo_0")).rejects.toThrow();
    await expect(app.debit.agreeDebit("brf_demo_0", bank)).rejects.toThrow();
  });

  test("agreeing makes one active mandate, also when pressed twice or on two pages, and is told", async () => {
    await using app = await openBank();
    const { id } = await app.ask();
    const [first, second] = [await app.open(id), await app.open(id)];
    const answers = await Promise.all([first, first, second].map((flowId) => app.debit.agreeDebit(flowId, bank)));
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ ok: true, url: links.returnUrl })));
    const request = await app.debit.findBillingRequest(id);
    expect(request).toMatchObject({ state: "fulfilled" });
    expect(await app.debit.findMandate(request?.mandateId ?? "")).toMatchObject({ state: "active" });
    expect(await listObjects(app.store, "mdt", id)).toHaveLength(1);
    expect(await app.debit.findDebitPage(first)).toMatchObject({ state: "over" });
    expect(new Set(await app.listEventKinds())).toEqual(new Set(["mandate", "billing-request"]));
    await expect(app.open(id)).rejects.toThrow("pending");
  });

  test("keeps no account number", async () => {
    await using app = await openBank();
    await app.agree();
    const rows = JSON.stringify(await app.db.selectFrom("demoObjects").select("body").execute());
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
    await using app = await openBank();
    const { id } = await app.ask();
    expect(await app.debit.agreeDebit(await app.open(id), wrong)).toMatchObject({
      ok: false,
      problems: [{ field, sentence: expect.stringMatching(/\.$/) }],
    });
    expect(await app.debit.findBillingRequest(id)).toMatchObject({ state: "pending" });
    expect(await app.listEventKinds()).toEqual([]);
  });

  test("takes numbers as people write them", async () => {
    await using app = await openBank();
    const { id } = await app.ask();
    const typed = { accountHolderName: "Acme", accountNumber: " 5577 9911", sortCode: "20 00 00" };
    expect(await app.debit.agreeDebit(await app.open(id), typed)).toMatchObject({ ok: true });
  });

  test("debits may begin as pending, and a webhook event of another kind is about nothing", async () => {
    await using app = await openBank("pending");
    expect(await app.debit.collect({ ...dues, key: "1", mandateId: await app.agree() })).toMatchObject({
      state: "pending",
    });
    const strange = JSON.stringify({ events: [{ id: "evt", kind: "payout", subject: "po" }] });
    expect(app.debit.readEvents(strange, new Headers(signDemoWebhook("secret", strange)))).toEqual([
      { id: "evt", kind: "other", subject: "po" },
    ]);
  });
});
