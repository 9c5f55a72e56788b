import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openApp } from "../../tests/helpers/app.ts";
import {
  bo,
  dump,
  hersToPay,
  join,
  joinWithEverything,
  toPerson,
  traces,
  zsofia,
} from "../../tests/helpers/personal-data-app.ts";
import { from, prepareDraft } from "../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("an erasure on %s", (engine) => {
  test("an erased member is named nowhere, and what tax law wants kept is there", async () => {
    await using app = await openApp(engine);
    const other = await join(app, bo);
    const othersRecords = { ...(await app.services.personalData.gather(toPerson(other))), exportedAt: undefined };
    const member = await joinWithEverything(app);
    const erased = await app.services.personalData.erase(toPerson(member), "op");
    expect(erased).toEqual({
      ok: true,
      kept: { orders: 2, actions: 2, customersAtGateway: [expect.any(String), expect.any(String)] },
    });

    const tables = await dump(app.database.db);
    for (const [table, rows] of tables) {
      // What payment providers keep is theirs, in the demo as anywhere.
      if (table.startsWith("demo_")) continue;
      expect(JSON.stringify(rows), table).not.toMatch(traces);
      const hers = rows.filter((row) => row.member_id === member.id);
      expect(hers.length, table).toBe(table === "audit" ? 2 : 0);
    }
    const orders = tables.get("orders") ?? [];
    expect(orders).toContainEqual(
      expect.objectContaining({
        state: "completed",
        amount_in_pence: 6000,
        receipt_number: expect.stringMatching(/^D-2026-/),
        paid_at: expect.any(String),
        member_id: null,
        first_name: "",
      }),
    );
    expect((await app.services.codes.find("PILLOW"))?.seatsTaken).toBe(0);
    expect({ ...(await app.services.personalData.gather(toPerson(other))), exportedAt: undefined }).toEqual(
      othersRecords,
    );
    expect(await app.services.audit.listFor(member.id)).toMatchObject([
      { operator: "op", action: "member erase", facts: { orders: 2 } },
      { action: "member export" },
    ]);
  });

  test("whoever is erased is logged out, and may join anew with the same address", async () => {
    await using app = await openApp(engine);
    const member = await joinWithEverything(app);
    const { token } = await app.services.sessions.start(member.id);
    await app.services.personalData.erase(toPerson(member), "op");
    expect(await app.services.sessions.find(token)).toBeUndefined();
    app.clock.advance(60_000);
    expect((await join(app, zsofia)).id).not.toBe(member.id);
  });

  test("nobody is erased while money of theirs is on its way, and nothing is forgotten by halves", async () => {
    let isCut = false;
    const down = () => Promise.reject(new Error("The line is down"));
    await using app = await openApp(engine, {
      wrapCards: (cards) => ({
        ...cards,
        findPayment: (id) => (isCut ? down() : cards.findPayment(id)),
        cancelPayment: (id) => (isCut ? down() : cards.cancelPayment(id)),
      }),
    });
    const { services } = app;
    const member = await join(app, zsofia);
    const renewal = await services.signUp.startRenewal(services.renewalLinks.make(member.id), from);
    await services.signUp.choosePlan(renewal?.token ?? "", 3);
    expect(await services.signUp.pay(renewal?.token ?? "", hersToPay)).toMatchObject({ next: "continue" });
    const before = await dump(app.database.db);

    isCut = true;
    expect(await services.personalData.erase(toPerson(member), "op")).toEqual({
      ok: false,
      reason: "payment-under-way",
    });
    expect(await dump(app.database.db)).toEqual(before);
    isCut = false;
    expect(await services.personalData.erase(toPerson(member), "op")).toMatchObject({ ok: true, kept: { orders: 2 } });
  });

  test("what a member did not pay for goes with the account, also under an address that they had before", async () => {
    await using app = await openApp(engine);
    const { services, database } = app;
    const { id } = await join(app, zsofia);
    const { token = "" } = (await services.signUp.startRenewal(services.renewalLinks.make(id), from)) ?? {};
    await services.signUp.choosePlan(token, 3);
    expect(await services.signUp.pay(token, hersToPay)).toMatchObject({ next: "continue" });
    await services.signUp.choosePlan(token, 1);
    await database.db.updateTable("members").set({ email: "new@example.org", email_key: "new@example.org" }).execute();
    app.clock.advance(DAY_IN_MS);
    await services.jobs.run("purge-expired");

    const person = { memberId: id, email: "new@example.org" };
    expect((await services.personalData.gather(person)).orders).toHaveLength(2);
    expect(await services.personalData.erase(person, "op")).toMatchObject({ ok: true, kept: { orders: 2 } });
    expect(JSON.stringify((await dump(database.db)).get("orders"))).not.toMatch(traces);
  });

  test("whoever gave up paying and never joined is forgotten after thirty days", async () => {
    await using app = await openApp(engine);
    const { services, database } = app;
    const token = await prepareDraft(app, { ...zsofia, planType: 1 });
    expect(await services.signUp.pay(token, { ...hersToPay, shownPlanType: 1 })).toMatchObject({ next: "continue" });
    await services.signUp.choosePlan(token, 2);
    app.clock.advance(30 * DAY_IN_MS - 1);
    await services.jobs.run("purge-expired");
    expect(JSON.stringify((await dump(database.db)).get("orders"))).toMatch(traces);
    app.clock.advance(1);
    await services.jobs.run("purge-expired");
    expect(JSON.stringify((await dump(database.db)).get("orders"))).not.toMatch(traces);
  });

  test("two operators erase one member at once: one does", async () => {
    await using app = await openApp(engine);
    const member = await joinWithEverything(app);
    const erase = () => app.services.personalData.erase(toPerson(member), "op");
    const results = await Promise.all([erase(), erase(), erase()]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.reason === "already-gone")).toHaveLength(2);
    expect((await app.services.codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("an email from before there was an account goes with the account, however late", async () => {
    await using app = await openApp(engine);
    const member = await join(app, zsofia);
    // Emails about the account itself are forgotten after ninety days; this one came last.
    app.clock.advance(60 * DAY_IN_MS);
    const mail = { subject: "Refund", text: "£60.00 goes back.", html: "" };
    await app.services.outbox.add({ key: "refund payment-9", kind: "refund", to: member.email, mail }, app.database.db);
    app.clock.advance(31 * DAY_IN_MS);
    await app.services.outbox.purge();
    expect((await app.services.personalData.gather(toPerson(member))).emails).toHaveLength(1);
    await app.services.personalData.erase(toPerson(member), "op");
    expect(await app.services.outbox.list({ limit: 9 })).toEqual([]);
  });
});
