import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines, rollBack } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { CodeCheck } from "./code.ts";
import { insertCompany } from "./companies.ts";
import type { CompanyState } from "./company.ts";

const ONE_HELD = { "DORMOUSE-ONE": { counted: 1, held: 1 } };
const NONE_HELD = { "DORMOUSE-ONE": { counted: 0, held: 0 } };
const taken = (checks: CodeCheck[]) => checks.filter(({ isValid }) => isValid).length;

async function openSeats(engine: Engine, people = 2) {
  const app = await openApp({ engine });
  const { db } = app;
  const { codes, transact } = app.services;
  const members: number[] = [];
  for (let count = 0; count < people; count += 1) members.push(await addNamed(app, `Member${count}`));
  const seat = (memberId: number, code: string) => transact((trx) => codes.takeSeat({ code, memberId }, trx));
  const release = (memberId: number) => transact((trx) => codes.releaseSeat(memberId, trx));
  const end = (memberId: number, endsAt: Date) => transact((trx) => codes.endSeat({ memberId, endsAt }, trx));
  const count = async () => {
    const rows = await db.selectFrom("codes").select(["id", "code", "seatsTaken"]).orderBy("id").execute();
    const seats = await db.selectFrom("seats").select("codeId").execute();
    const held = (id: number) => seats.filter((each) => each.codeId === id).length;
    return Object.fromEntries(rows.map((row) => [row.code, { counted: row.seatsTaken, held: held(row.id) }]));
  };
  const [ada = 0, bo = 0] = members;
  return { ...app, codes, members, ada, bo, seat, release, end, count };
}

describe.each(engines)("seats on %s", (engine) => {
  test("a holder in ten tabs takes one seat and may renew by a full code; others may not join by it", async () => {
    await using app = await openSeats(engine);
    await app.codes.create({ code: "DORMOUSE-ONE", seats: 10 });
    await rollBack(app.db, (trx) => app.codes.takeSeat({ code: "DORMOUSE-ONE", memberId: app.bo }, trx));
    expect(await app.count()).toEqual(NONE_HELD);
    const checks = await Promise.all(Array.from({ length: 10 }, () => app.seat(app.ada, "dormouse-one")));
    expect(taken(checks)).toBe(10);
    expect(await app.count()).toEqual(ONE_HELD);
    await app.db.updateTable("codes").set({ seats: 1 }).execute();
    expect(await app.codes.check("DORMOUSE-ONE", app.ada)).toMatchObject({ isValid: true });
    expect(await app.seat(app.ada, "DORMOUSE-ONE")).toMatchObject({ isValid: true });
    expect(await app.codes.check("DORMOUSE-ONE", app.bo)).toMatchObject({ isValid: false, reason: "full" });
    expect(await app.seat(app.bo, "DORMOUSE-ONE")).toMatchObject({
      isValid: false,
      reason: "full",
      message: expect.stringContaining("All the places on this code are used"),
    });
  });

  test("a seat given back can be taken by another, and is given back once", async () => {
    await using app = await openSeats(engine);
    await app.codes.create({ code: "DORMOUSE-ONE", seats: 1 });
    await app.release(app.ada);
    await app.seat(app.ada, "DORMOUSE-ONE");
    await Promise.all([app.release(app.ada), app.release(app.ada), app.release(app.ada)]);
    expect(await app.count()).toEqual(NONE_HELD);
    expect(await app.seat(app.bo, "DORMOUSE-ONE")).toMatchObject({ isValid: true });
    await app.release(app.ada);
    expect(await app.count()).toEqual(ONE_HELD);
    await app.db.updateTable("codes").set({ seatsTaken: 0 }).execute();
    await app.release(app.bo);
    expect(await app.count(), "never below none, also where the count was mended by hand").toEqual(NONE_HELD);
  });

  test("a member who changes employers moves to the new seat, and keeps the old one when the new code is refused", async () => {
    await using app = await openSeats(engine);
    for (const code of ["OLD-JOB", "NEW-JOB", "FULL-JOB"])
      await app.codes.create({ code, seats: code === "FULL-JOB" ? 0 : 1 });
    await app.seat(app.ada, "OLD-JOB");
    expect(await app.seat(app.ada, "FULL-JOB")).toMatchObject({ isValid: false, reason: "full" });
    expect((await app.count())["OLD-JOB"]).toEqual({ counted: 1, held: 1 });
    expect(await app.seat(app.ada, "NEW-JOB")).toMatchObject({ isValid: true, code: { code: "NEW-JOB" } });
    expect(await app.count()).toMatchObject({
      "OLD-JOB": { counted: 0, held: 0 },
      "NEW-JOB": { counted: 1, held: 1 },
    });
  });

  test("fifty people race for the last seat: one gets it, the others read why", async () => {
    await using app = await openSeats(engine, 50);
    await app.codes.create({ code: "DORMOUSE-ONE", seats: 1 });
    const checks = await Promise.all(app.members.map((member) => app.seat(member, "DORMOUSE-ONE")));
    expect(taken(checks)).toBe(1);
    expect(checks.filter((check) => !check.isValid && check.reason === "full")).toHaveLength(49);
    expect(await app.count()).toEqual(ONE_HELD);
  });

  test("one member who takes the last seat in ten tabs at once succeeds in each", async () => {
    await using app = await openSeats(engine);
    await app.codes.create({ code: "DORMOUSE-ONE", seats: 1 });
    const checks = await Promise.all(Array.from({ length: 10 }, () => app.seat(app.ada, "DORMOUSE-ONE")));
    expect(taken(checks)).toBe(10);
    expect(await app.count()).toEqual(ONE_HELD);
  });

  test("one member who takes two codes at once ends with one seat", async () => {
    await using app = await openSeats(engine);
    for (const code of ["CODE-A", "CODE-B"]) await app.codes.create({ code, seats: 3 });
    const attempts = Array.from({ length: 10 }, (_, index) => app.seat(app.ada, index % 2 === 0 ? "CODE-A" : "CODE-B"));
    expect(taken(await Promise.all(attempts))).toBe(10);
    const counts = Object.values(await app.count());
    expect(counts.map(({ counted }) => counted)).toEqual(counts.map(({ held }) => held));
    expect(counts.reduce((sum, { held }) => sum + held, 0)).toBe(1);
  });

  test("twenty members who swap between two codes do not deadlock", async () => {
    await using app = await openSeats(engine, 20);
    for (const code of ["CODE-A", "CODE-B"]) await app.codes.create({ code, seats: 20 });
    const home = (index: number) => (index % 2 === 0 ? "CODE-A" : "CODE-B");
    for (const [index, member] of app.members.entries()) await app.seat(member, home(index));
    const checks = await Promise.all(app.members.map((member, index) => app.seat(member, home(index + 1))));
    expect(taken(checks)).toBe(20);
    expect(await app.count()).toEqual({ "CODE-A": { counted: 10, held: 10 }, "CODE-B": { counted: 10, held: 10 } });
  });

  test("members who take, change and leave seats at once do not deadlock, and the count stays right", async () => {
    await using app = await openSeats(engine, 4);
    const names = ["CODE-A", "CODE-B", "CODE-C"];
    for (const code of names) await app.codes.create({ code, seats: 2 });
    const attempts = Array.from({ length: 120 }, (_, index) => {
      const member = app.members[index % 4] ?? 0;
      const code = names[(index * 7) % 3] ?? "";
      return index % 5 === 0 ? app.release(member) : app.seat(member, code);
    });
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const { counted, held } of Object.values(await app.count())) {
      expect(counted).toBe(held);
      expect(held).toBeLessThanOrEqual(2);
    }
  });

  test("a revoked code admits no new member and keeps its present ones", async () => {
    await using app = await openSeats(engine);
    await app.codes.create({ code: "DORMOUSE-DEMO", seats: 5 });
    await app.seat(app.ada, "DORMOUSE-DEMO");
    const answers = await Promise.all([app.codes.revoke("dormouse-demo"), app.codes.revoke("DORMOUSE-DEMO")]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await app.codes.revoke("DORMOUSE-DEMO")).toBe(false);
    expect(await app.codes.check("DORMOUSE-DEMO")).toMatchObject({ isValid: false, reason: "revoked" });
    const revoked = { revokedAt: app.clock(), holders: [{ memberId: app.ada }] };
    expect(await app.codes.find("DORMOUSE-DEMO")).toMatchObject(revoked);
  });

  test("a code lists its holders and since when, and so does the member's export", async () => {
    await using app = await openSeats(engine);
    const { ada, bo } = app;
    await app.codes.create({ code: "Acme-Sleep", seats: 2 });
    const firstAt = app.clock();
    await app.seat(bo, "ACME-SLEEP");
    app.clock.advance(1000);
    await app.seat(ada, "acme-sleep");
    const [first, second] = [
      { memberId: bo, takenAt: firstAt },
      { memberId: ada, takenAt: app.clock() },
    ];
    expect(await app.codes.find("ACME-SLEEP")).toMatchObject({ seatsTaken: 2, holders: [first, second] });
    expect(await app.codes.listSeatsFor(bo)).toEqual([{ code: "Acme-Sleep", takenAt: firstAt, endsAt: undefined }]);
    expect(await app.codes.listSeatsFor(bo + 100)).toEqual([]);
  });

  test("a seat is taken exactly where the check would say so", async () => {
    await using app = await openSeats(engine, 1);
    const { db, clock } = app;
    const acme = { name: "Acme", contactEmail: "a@acme.example", accounts: 1, priceInPence: 1 };
    const id = await insertCompany(db, { ...acme, now: clock() });
    await app.codes.create({ code: "DORMOUSE-ONE", seats: 1 });
    const near = fc.constantFrom(-DAY_IN_MS, -1, 0, 1, DAY_IN_MS).map((ms) => after(clock(), ms));
    const facts = fc.record({
      seats: fc.constantFrom(0, 1),
      startsAt: near,
      endsAt: fc.option(near),
      revokedAt: fc.option(near),
      companyId: fc.option(fc.constant(id ?? 0)),
    });
    const status = fc.record({
      state: fc.constantFrom<CompanyState[]>("setting-up", "live", "grace", "stopped"),
      graceEndsAt: fc.option(near),
    });
    await fc.assert(
      fc.asyncProperty(facts, status, async (codeFacts, companyFacts) => {
        await app.release(app.ada);
        await db.updateTable("codes").set(codeFacts).execute();
        await db.updateTable("companies").set(companyFacts).execute();
        const check = await app.codes.check("DORMOUSE-ONE");
        const seated = await app.seat(app.ada, "DORMOUSE-ONE");
        expect(seated.isValid ? "valid" : seated.reason).toBe(check.isValid ? "valid" : check.reason);
      }),
      { numRuns: engine === "sqlite" ? 300 : 150 },
    );
  });
});

async function openTakenSeat(engine: Engine, people = 2) {
  const app = await openSeats(engine, people);
  await app.codes.create({ code: "DORMOUSE-ONE", seats: 1 });
  await app.seat(app.ada, "DORMOUSE-ONE");
  return app;
}

describe.each(engines)("the end of a seat on %s", (engine) => {
  test("comes at its instant and not before, and frees the seat for another member", async () => {
    await using app = await openTakenSeat(engine);
    const endsAt = after(app.clock(), DAY_IN_MS);
    await app.end(app.ada, endsAt);
    for (const nothing of [endsAt, app.clock()]) await app.end(app.bo, nothing);
    expect(await app.codes.listSeatsFor(app.ada)).toMatchObject([{ code: "DORMOUSE-ONE", endsAt }]);
    app.clock.advance(DAY_IN_MS - 1);
    expect(await app.codes.releaseEnded()).toBe(0);
    expect(await app.count()).toEqual(ONE_HELD);
    app.clock.advance(1);
    expect(await app.codes.releaseEnded()).toBe(1);
    expect(await app.count()).toEqual(NONE_HELD);
    expect(await app.seat(app.bo, "DORMOUSE-ONE")).toMatchObject({ isValid: true });
    expect(await app.codes.releaseEnded()).toBe(0);
  });

  test("is the earlier of two", async () => {
    await using app = await openTakenSeat(engine);
    const soon = after(app.clock(), DAY_IN_MS);
    await app.end(app.ada, soon);
    await app.end(app.ada, after(soon, DAY_IN_MS));
    expect(await app.codes.listSeatsFor(app.ada)).toMatchObject([{ endsAt: soon }]);
    await app.end(app.ada, after(soon, -1));
    expect(await app.codes.listSeatsFor(app.ada)).toMatchObject([{ endsAt: after(soon, -1) }]);
    await app.end(app.ada, app.clock());
    expect(await app.count(), "an end that has come already").toEqual(NONE_HELD);
  });

  test("is cancelled when its holder takes the seat again, or another", async () => {
    await using app = await openTakenSeat(engine);
    await app.codes.create({ code: "DORMOUSE-TWO", seats: 2 });
    for (const code of ["DORMOUSE-ONE", "DORMOUSE-TWO"]) {
      await app.end(app.ada, after(app.clock(), DAY_IN_MS));
      expect(await app.seat(app.ada, code)).toMatchObject({ isValid: true });
      app.clock.advance(DAY_IN_MS);
      expect(await app.codes.releaseEnded()).toBe(0);
    }
  });

  test("stays when the code is refused to its holder", async () => {
    await using app = await openTakenSeat(engine);
    const endsAt = after(app.clock(), DAY_IN_MS);
    await app.end(app.ada, endsAt);
    await app.codes.revoke("DORMOUSE-ONE");
    expect(await app.seat(app.ada, "DORMOUSE-ONE")).toMatchObject({ isValid: false });
    expect(await app.codes.listSeatsFor(app.ada)).toMatchObject([{ endsAt }]);
  });

  test("leaves the seat with one member when its holder and others want it at that moment", async () => {
    await using app = await openTakenSeat(engine, 5);
    for (let round = 0; round < 8; round += 1) {
      await app.release(app.ada);
      await Promise.all(app.members.map((member) => app.release(member)));
      await app.seat(app.ada, "DORMOUSE-ONE");
      await app.end(app.ada, after(app.clock(), DAY_IN_MS));
      app.clock.advance(DAY_IN_MS);
      const [, ...checks] = await Promise.all([
        app.codes.releaseEnded(),
        ...app.members.map((member) => app.seat(member, "DORMOUSE-ONE")),
        app.codes.releaseEnded(),
      ]);
      const seated = checks.filter((check) => typeof check === "object" && check.isValid).length;
      expect(seated).toBe(1);
      expect(await app.count()).toEqual(ONE_HELD);
      expect(await app.codes.releaseEnded()).toBe(0);
    }
  });
});
