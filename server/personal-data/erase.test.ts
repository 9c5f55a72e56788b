import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse } from "../../tests/helpers/house.ts";
import {
  bo,
  dump,
  hersToPay,
  join,
  joinWithEverything,
  toPerson,
  traces,
  zsofia,
} from "../../tests/helpers/personal-data-house.ts";
import { from, prepareDraft } from "../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../clock.ts";

describe.each(engines)("an erasure on %s", (engine) => {
  test("an erased member is named nowhere, and what tax law wants kept is there", async () => {
    await using house = await openHouse(engine);
    const other = await join(house, bo);
    const othersRecords = { ...(await house.rooms.personalData.gather(toPerson(other))), exportedAt: undefined };
    const member = await joinWithEverything(house);
    const erased = await house.rooms.personalData.erase(toPerson(member), "op");
    expect(erased).toEqual({
      ok: true,
      kept: { orders: 2, actions: 2, customersAtGateway: [expect.any(String), expect.any(String)] },
    });

    const tables = await dump(house.database.db);
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
    expect((await house.rooms.codes.find("PILLOW"))?.seatsTaken).toBe(0);
    expect({ ...(await house.rooms.personalData.gather(toPerson(other))), exportedAt: undefined }).toEqual(
      othersRecords,
    );
    expect(await house.rooms.audit.listFor(member.id)).toMatchObject([
      { operator: "op", action: "member erase", facts: { orders: 2 } },
      { action: "member export" },
    ]);
  });

  test("whoever is erased is logged out, and may join anew with the same address", async () => {
    await using house = await openHouse(engine);
    const member = await joinWithEverything(house);
    const { token } = await house.rooms.sessions.start(member.id);
    await house.rooms.personalData.erase(toPerson(member), "op");
    expect(await house.rooms.sessions.find(token)).toBeUndefined();
    house.clock.advance(60_000);
    expect((await join(house, zsofia)).id).not.toBe(member.id);
  });

  test("nobody is erased while money of theirs is on its way, and nothing is forgotten by halves", async () => {
    let isCut = false;
    const down = () => Promise.reject(new Error("The line is down"));
    await using house = await openHouse(engine, {
      wrapCards: (cards) => ({
        ...cards,
        findPayment: (id) => (isCut ? down() : cards.findPayment(id)),
        cancelPayment: (id) => (isCut ? down() : cards.cancelPayment(id)),
      }),
    });
    const { rooms } = house;
    const member = await join(house, zsofia);
    const renewal = await rooms.signUp.startRenewal(rooms.renewalLinks.make(member.id), from);
    await rooms.signUp.choosePlan(renewal?.token ?? "", 3);
    expect(await rooms.signUp.pay(renewal?.token ?? "", hersToPay)).toMatchObject({ next: "continue" });
    const before = await dump(house.database.db);

    isCut = true;
    expect(await rooms.personalData.erase(toPerson(member), "op")).toEqual({ ok: false, reason: "payment-under-way" });
    expect(await dump(house.database.db)).toEqual(before);
    isCut = false;
    expect(await rooms.personalData.erase(toPerson(member), "op")).toMatchObject({ ok: true, kept: { orders: 2 } });
  });

  test("what a member did not pay for goes with the account, also under an address that they had before", async () => {
    await using house = await openHouse(engine);
    const { rooms, database } = house;
    const { id } = await join(house, zsofia);
    const { token = "" } = (await rooms.signUp.startRenewal(rooms.renewalLinks.make(id), from)) ?? {};
    await rooms.signUp.choosePlan(token, 3);
    expect(await rooms.signUp.pay(token, hersToPay)).toMatchObject({ next: "continue" });
    await rooms.signUp.choosePlan(token, 1);
    await database.db.updateTable("members").set({ email: "new@example.org", email_key: "new@example.org" }).execute();
    house.clock.advance(DAY_IN_MS);
    await rooms.tasks.run("purge-expired");

    const person = { memberId: id, email: "new@example.org" };
    expect((await rooms.personalData.gather(person)).orders).toHaveLength(2);
    expect(await rooms.personalData.erase(person, "op")).toMatchObject({ ok: true, kept: { orders: 2 } });
    expect(JSON.stringify((await dump(database.db)).get("orders"))).not.toMatch(traces);
  });

  test("whoever gave up paying and never joined is forgotten after thirty days", async () => {
    await using house = await openHouse(engine);
    const { rooms, database } = house;
    const token = await prepareDraft(house, { ...zsofia, planType: 1 });
    expect(await rooms.signUp.pay(token, { ...hersToPay, shownPlanType: 1 })).toMatchObject({ next: "continue" });
    await rooms.signUp.choosePlan(token, 2);
    house.clock.advance(30 * DAY_IN_MS - 1);
    await rooms.tasks.run("purge-expired");
    expect(JSON.stringify((await dump(database.db)).get("orders"))).toMatch(traces);
    house.clock.advance(1);
    await rooms.tasks.run("purge-expired");
    expect(JSON.stringify((await dump(database.db)).get("orders"))).not.toMatch(traces);
  });

  test("two operators erase one member at once: one does", async () => {
    await using house = await openHouse(engine);
    const member = await joinWithEverything(house);
    const erase = () => house.rooms.personalData.erase(toPerson(member), "op");
    const results = await Promise.all([erase(), erase(), erase()]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.reason === "already-gone")).toHaveLength(2);
    expect((await house.rooms.codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("a letter from before there was an account goes with the account, however late", async () => {
    await using house = await openHouse(engine);
    const member = await join(house, zsofia);
    // Letters about the account itself are forgotten after ninety days; this one came last.
    house.clock.advance(60 * DAY_IN_MS);
    const letter = { subject: "Refund", text: "£60.00 goes back.", html: "" };
    await house.rooms.outbox.add(
      { key: "refund payment-9", kind: "refund", to: member.email, letter },
      house.database.db,
    );
    house.clock.advance(31 * DAY_IN_MS);
    await house.rooms.outbox.purge();
    expect((await house.rooms.personalData.gather(toPerson(member))).letters).toHaveLength(1);
    await house.rooms.personalData.erase(toPerson(member), "op");
    expect(await house.rooms.outbox.list({ limit: 9 })).toEqual([]);
  });
});
