import { describe, expect, test } from "vitest";

import { openCodeApp as openApp } from "../../tests/helpers/code-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import { refuseNewCode, type NewCode } from "./codes.ts";

describe.each(engines)("codes on %s", (engine) => {
  test("a code of which only the seats were told works at once, for good, for what members buy", async () => {
    await using app = await openApp(engine);
    const made = await app.codes.create({ code: "DORMOUSE-DEMO", seats: 3 });
    const view = {
      code: "DORMOUSE-DEMO",
      products: [117],
      seats: 3,
      seatsTaken: 0,
      startsAt: app.clock(),
      endsAt: undefined,
      revokedAt: undefined,
      createdAt: app.clock(),
      company: undefined,
      fault: undefined,
    };
    expect(made).toEqual({ ok: true, code: view });
    expect(await app.codes.check("dormouse - demo ")).toEqual({ isValid: true, code: view });
    expect(await app.codes.find("Dormouse–Demo")).toEqual({ ...view, holders: [] });
  });

  test("a code keeps its products and its dates", async () => {
    await using app = await openApp(engine);
    const endsAt = after(app.clock(), 2 * DAY_IN_MS);
    const startsAt = after(app.clock(), DAY_IN_MS);
    await app.codes.create({ code: "later", seats: 1, products: [117, 900], startsAt, endsAt });
    expect(await app.codes.check("LATER")).toMatchObject({
      isValid: false,
      reason: "not-started",
      message: expect.stringContaining("21/11/2026"),
    });
    app.clock.advance(DAY_IN_MS);
    expect(await app.codes.check("LATER")).toMatchObject({
      isValid: true,
      code: { products: [117, 900], code: "later" },
    });
    app.clock.advance(DAY_IN_MS);
    expect(await app.codes.check("LATER")).toMatchObject({ isValid: false, reason: "ended" });
  });

  test("a code that nobody gave out is unknown, and an empty field is asked to be filled", async () => {
    await using app = await openApp(engine);
    for (const code of ["DORMOUSE-NONE", "x".repeat(100_000), "'; drop table codes", "\u0000", "\uD800", "%"]) {
      expect(await app.codes.check(code)).toMatchObject({ isValid: false, reason: "unknown" });
    }
    const empty = await app.codes.check("  ");
    expect(empty).toMatchObject({ isValid: false, message: expect.stringContaining("Please enter the code") });
    expect(await app.codes.find("DORMOUSE-NONE")).toBeUndefined();
    expect(await app.codes.revoke("DORMOUSE-NONE")).toBe(false);
  });

  test("without a name a code is made up, and each is another", async () => {
    await using app = await openApp(engine);
    const first = await app.codes.create({ seats: 1 });
    const second = await app.codes.create({ seats: 1 });
    const names = [first, second].map((each) => (each.ok ? each.code.code : ""));
    expect(names[0]).toMatch(/^DORMOUSE-\w{4}-\w{4}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  test("two codes cannot differ in case, spaces or dashes alone, even when made at once", async () => {
    await using app = await openApp(engine);
    const wishes = ["ACME-SLEEP", "acme-sleep", "Acme - Sleep", "ACME–SLEEP"].map((code) => ({ code, seats: 1 }));
    const made = await Promise.all(wishes.map((wish) => app.codes.create(wish)));
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((each) => !each.ok && each.reason === "code-taken")).toHaveLength(3);
    expect(await app.codes.list()).toHaveLength(1);
  });

  test("what cannot be a code is refused with a reason, and not kept", async () => {
    await using app = await openApp(engine);
    expect(await app.codes.create({ seats: -1 })).toEqual({ ok: false, reason: "seats-invalid" });
    expect(await app.codes.create({ seats: 1, companyId: 77 })).toEqual({ ok: false, reason: "company-unknown" });
    expect(await app.codes.list()).toEqual([]);
  });

  test("a code may have been over before it was written down, and have no seats", async () => {
    await using app = await openApp(engine);
    const past = { startsAt: after(app.clock(), -2 * DAY_IN_MS), endsAt: after(app.clock(), -DAY_IN_MS) };
    expect(await app.codes.create({ code: "DORMOUSE-OLD", seats: 1, ...past })).toMatchObject({
      ok: true,
      code: { fault: "ended" },
    });
    expect(await app.codes.create({ code: "DORMOUSE-NONE", seats: 0 })).toMatchObject({ code: { fault: "full" } });
  });

  test("revoking is done once, lets nobody in any more and leaves those who are in", async () => {
    await using app = await openApp(engine);
    await app.codes.create({ code: "DORMOUSE-DEMO", seats: 5 });
    const ada = await app.admit("ada");
    await app.seat(ada, "DORMOUSE-DEMO");
    const answers = await Promise.all([app.codes.revoke("dormouse-demo"), app.codes.revoke("DORMOUSE-DEMO")]);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await app.codes.revoke("DORMOUSE-DEMO")).toBe(false);
    expect(await app.codes.check("DORMOUSE-DEMO")).toMatchObject({ isValid: false, reason: "revoked" });
    expect(await app.codes.find("DORMOUSE-DEMO")).toMatchObject({
      revokedAt: app.clock(),
      holders: [{ memberId: ada }],
    });
  });

  test("codes are listed newest first, with what is wrong with each", async () => {
    await using app = await openApp(engine);
    await app.codes.create({ code: "FIRST", seats: 1 });
    await app.codes.create({ code: "SECOND", seats: 0 });
    app.clock.advance(1000);
    await app.codes.create({ code: "THIRD", seats: 1 });
    await app.codes.revoke("THIRD");
    expect((await app.codes.list()).map(({ code, fault }) => [code, fault])).toEqual([
      ["THIRD", "revoked"],
      ["SECOND", "full"],
      ["FIRST", undefined],
    ]);
  });

  test("a code knows who sits where since when, and so does the member's export", async () => {
    await using app = await openApp(engine);
    const [ada, bo] = [await app.admit("ada"), await app.admit("bo")];
    await app.codes.create({ code: "Acme-Sleep", seats: 2 });
    const firstAt = app.clock();
    await app.seat(bo, "ACME-SLEEP");
    app.clock.advance(1000);
    await app.seat(ada, "acme-sleep");
    expect(await app.codes.find("ACME-SLEEP")).toMatchObject({
      seatsTaken: 2,
      holders: [
        { memberId: bo, takenAt: firstAt },
        { memberId: ada, takenAt: app.clock() },
      ],
    });
    expect(await app.codes.listSeatsFor(bo)).toEqual([{ code: "Acme-Sleep", takenAt: firstAt }]);
    expect(await app.codes.listSeatsFor(bo + 100)).toEqual([]);
  });
});

const now = new Date("2026-11-20T03:00:00.000Z");

test.each<[string, NewCode]>([
  ["seats alone", { seats: 1 }],
  ["no seats at all", { seats: 0 }],
  ["dates that are over", { seats: 1, startsAt: after(now, -2), endsAt: after(now, -1) }],
  ["dates to come", { seats: 1, startsAt: after(now, 1), endsAt: after(now, 2) }],
  ["several products", { seats: 1, products: [117, 900] }],
])("a code with %s is taken", (_, wanted) => {
  expect(refuseNewCode(wanted, now)).toBeUndefined();
});

test.each<[string, NewCode, string]>([
  ["no text", { code: " ", seats: 1 }, "code-malformed"],
  ["other characters", { code: "DORM/OUSE", seats: 1 }, "code-malformed"],
  ["fewer than no seats", { seats: -1 }, "seats-invalid"],
  ["half a seat", { seats: 1.5 }, "seats-invalid"],
  ["seats that are no number", { seats: Number.NaN }, "seats-invalid"],
  ["seats without end", { seats: Number.POSITIVE_INFINITY }, "seats-invalid"],
  ["an end at its start", { seats: 1, startsAt: now, endsAt: now }, "dates-invalid"],
  ["an end that is past", { seats: 1, endsAt: after(now, -1) }, "dates-invalid"],
  ["a start that is no date", { seats: 1, startsAt: new Date("soon") }, "dates-invalid"],
  ["an end that is no date", { seats: 1, endsAt: new Date("never") }, "dates-invalid"],
  ["no products", { seats: 1, products: [] }, "products-invalid"],
  ["a product twice", { seats: 1, products: [117, 117] }, "products-invalid"],
  ["a product that is no number", { seats: 1, products: [1.5] }, "products-invalid"],
])("a code with %s is refused", (_, wanted, reason) => {
  expect(refuseNewCode(wanted, now)).toBe(reason);
});
