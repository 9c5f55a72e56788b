import { describe, expect, test } from "vitest";

import { cancelUrl, order } from "../../../tests/helpers/card-order.ts";
import { openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { NewHostedPayment, NewPayment } from "../../money/payments/card-gateway.ts";
import { readCard } from "./card-pages.ts";
import { createDemoCardGateway } from "./card-gateway.ts";
import { createDemo } from "./demo.ts";
import { listEvents, signDemoWebhook } from "./store.ts";

const wanted = { ...order, customerId: "cus_1" };
const toCard = (number: string) => ({ number, expiry: "04/30", cvc: "123" });

async function openDemoCardGateway() {
  const database = await openTestDatabase("sqlite");
  const clock = createTestClock();
  const pageUrl = (path: string) => `http://dormouse.test/sleep/${path}`;
  const { store, cardGateway, pages } = createDemo({ db: database.db, clock, secret: "a secret", pageUrl });
  async function makeMethod(number = "4242 4242 4242 4242"): Promise<string> {
    const made = await pages.makeMethod(toCard(number));
    return made.ok ? made.methodId : "";
  }
  const start = async (number?: string, changes: Partial<NewPayment> = {}) =>
    cardGateway.startPayment({ ...wanted, methodId: await makeMethod(number), ...changes });
  const startHosted = (changes: Partial<NewHostedPayment> = {}) =>
    cardGateway.startHostedPayment({
      ...wanted,
      cancelUrl,
      expiresAt: new Date("2026-11-20T04:30:00.000Z"),
      ...changes,
    });
  const listEventKinds = async () =>
    (await listEvents(store)).map(({ body }) => (JSON.parse(body) as { events: object[] }).events[0]);
  return { ...database, clock, store, cardGateway, pages, start, startHosted, listEventKinds, makeMethod };
}

describe("the pages of the demo's card gateway", () => {
  test("keeps no number and no CVC of a card", async () => {
    await using gateway = await openDemoCardGateway();
    await gateway.start();
    await gateway.startHosted({ key: "hosted" });
    const rows = await gateway.db.selectFrom("demoObjects").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/4242 ?4242|"cvc"|04\/30/);
    expect(await gateway.pages.makeMethod(toCard("1234"))).toMatchObject({
      ok: false,
      problems: [{ field: "number" }],
    });
  });

  test("a payment that waits for the bank knows the bank's page from its first moment", async () => {
    await using gateway = await openDemoCardGateway();
    // A reader between two writes of the gateway would see a payment without one.
    const db = new Proxy(gateway.db, {
      get(target, name: keyof Queries) {
        if (name === "updateTable") throw new Error("There is no second write");
        const own: unknown = target[name];
        return typeof own === "function" ? own.bind(target) : own;
      },
    });
    const cardGateway = createDemoCardGateway({ ...gateway.store, db }, "a secret");
    const payment = await cardGateway.startPayment({
      ...wanted,
      methodId: await gateway.makeMethod("4000 0027 6000 3184"),
    });
    expect(payment).toMatchObject({
      state: "requires-action",
      actionUrl: `http://dormouse.test/sleep/demo-gateway/authenticate/${payment.id}`,
    });
    expect(await cardGateway.listPaymentsFor({ orderId: 7, customerId: "cus_1" })).toEqual([payment]);
    const expiresAt = new Date("2026-11-20T04:30:00Z");
    const hosted = await cardGateway.startHostedPayment({
      ...wanted,
      key: "hosted",
      cancelUrl: wanted.returnUrl,
      expiresAt,
    });
    expect(hosted.actionUrl).toBe(`http://dormouse.test/sleep/demo-gateway/card/${hosted.id}`);
  });

  test("the bank's page: yes is paid, no is declined, and a page that is over changes nothing", async () => {
    await using gateway = await openDemoCardGateway();
    const { cardGateway, pages } = gateway;
    const yes = await gateway.start("4000 0027 6000 3184");
    expect(await pages.findAuthentication(yes.id)).toEqual({
      amountInPence: 6000,
      description: "Dormouse, 12 months",
      state: "open",
      returnUrl: wanted.returnUrl,
    });
    expect(await pages.authenticate(yes.id, true)).toEqual({ url: wanted.returnUrl });
    expect(await cardGateway.findPayment(yes.id)).toMatchObject({ state: "succeeded", actionUrl: undefined });
    expect(await pages.authenticate(yes.id, false)).toEqual({ url: wanted.returnUrl });
    expect(await cardGateway.findPayment(yes.id)).toMatchObject({ state: "succeeded" });
    expect(await pages.findAuthentication(yes.id)).toMatchObject({ state: "over" });

    const no = await gateway.start("4000 0027 6000 3184", { key: "order-7-attempt-2" });
    await pages.authenticate(no.id, false);
    expect(await cardGateway.findPayment(no.id)).toMatchObject({
      state: "requires-method",
      decline: "authentication-failed",
    });
    await pages.authenticate(no.id, true);
    expect(await cardGateway.findPayment(no.id)).toMatchObject({ state: "requires-method" });
    expect(await pages.findAuthentication("pay_demo_nobody")).toBeUndefined();
    await expect(pages.authenticate("pay_demo_nobody", true)).rejects.toThrow();
  });

  test("its own card page: refuses bad cards in words, pays good ones, leads to the bank or back", async () => {
    await using gateway = await openDemoCardGateway();
    const { cardGateway, pages } = gateway;
    const { id } = await gateway.startHosted();
    expect(await pages.findCardPage(id)).toMatchObject({ state: "open", amountInPence: 6000 });
    expect(await pages.leaveCardPage(id)).toEqual({ url: cancelUrl });
    expect(await pages.payCardPage(id, toCard("4000 0000 0000 0002"))).toMatchObject({
      ok: false,
      problems: [{ field: "number" }],
    });
    expect(await pages.payCardPage(id, toCard("4000 0000 0000 9995"))).toMatchObject({
      problems: [{ sentence: expect.stringContaining("You haven't been charged") }],
    });
    expect(await cardGateway.findPayment(id)).toMatchObject({ state: "requires-action" });
    expect(await pages.payCardPage(id, toCard("4000 0027 6000 3184"))).toEqual({
      ok: true,
      url: `http://dormouse.test/sleep/demo-gateway/authenticate/${id}`,
    });
    expect(await pages.payCardPage(id, toCard("4242 4242 4242 4242"))).toEqual({ ok: true, url: wanted.returnUrl });
    expect(await cardGateway.findPayment(id)).toMatchObject({ state: "succeeded" });
    await expect(pages.payCardPage("pay_demo_nobody", toCard("4242 4242 4242 4242"))).rejects.toThrow();
    await expect(pages.leaveCardPage("pay_demo_nobody")).rejects.toThrow();
  });
});

const now = new Date("2026-11-20T03:00:00.000Z");
const card = { number: "4242 4242 4242 4242", expiry: "04 / 30", cvc: "123" };

test.each([
  ["4242424242424242", "paid", "4242"],
  ["4242-4242-4242-4242", "paid", "4242"],
  ["4000 0000 0000 0002", "declined", "0002"],
  ["4000 0000 0000 9995", "insufficient-funds", "9995"],
  ["4000 0027 6000 3184", "authentication", "3184"],
])("%s is read: %s", (number, outcome, last4) => {
  expect(readCard({ ...card, number }, now)).toEqual({ ok: true, outcome, last4 });
});

test.each([
  "",
  "4242",
  "4242 4242 4242 4243",
  "4242 4242 4242 424x",
  "42424242424242424242",
  "４２４２４２４２４２４２４２４２",
])("“%s” is no card number", (number) => {
  expect(readCard({ ...card, number }, now)).toMatchObject({ ok: false, problems: [{ field: "number" }] });
});

test("a real card number is refused and not repeated", () => {
  const refused = readCard({ ...card, number: "5555 5555 5555 4444" }, now);
  expect(refused).toMatchObject({
    ok: false,
    problems: [{ field: "number", sentence: expect.stringContaining("one of the demo's cards") }],
  });
  expect(JSON.stringify(refused)).not.toContain("5555");
});

test.each(["04/30", "4/30", "0430", "04 / 2030", " 11 / 26 ", "11/26"])("the expiry “%s” is ahead", (expiry) => {
  expect(readCard({ ...card, expiry }, now)).toMatchObject({ ok: true });
});

test.each(["", "13/30", "00/30", "2030", "04-30-99", "soon"])("“%s” is no expiry", (expiry) => {
  expect(readCard({ ...card, expiry }, now)).toMatchObject({ ok: false, problems: [{ field: "expiry" }] });
});

test("a card is valid until the end of its month", () => {
  const expiry = "11/26";
  expect(readCard({ ...card, expiry }, new Date("2026-11-30T23:59:59.999Z"))).toMatchObject({ ok: true });
  expect(readCard({ ...card, expiry }, new Date("2026-12-01T00:00:00.000Z"))).toMatchObject({ ok: false });
});

test.each(["", "12", "12345", "abc"])("“%s” is no CVC", (cvc) => {
  expect(readCard({ ...card, cvc }, now)).toMatchObject({ ok: false, problems: [{ field: "cvc" }] });
  expect(readCard({ ...card, cvc: " 1234 " }, now)).toMatchObject({ ok: true });
});

test("a webhook event of another kind than its own is about nothing", async () => {
  await using gateway = await openDemoCardGateway();
  const body = JSON.stringify({ events: [{ id: "evt_2", kind: "mandate", subject: "md_1" }] });
  const read = gateway.cardGateway.readEvents(body, new Headers(signDemoWebhook("a secret", body)));
  expect(read).toEqual([{ id: "evt_2", kind: "other", subject: "md_1" }]);
});
