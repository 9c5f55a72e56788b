import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { type CodeFacts, findFault, makeCode, toMessage } from "./code.ts";
import { type CodeFault, toCodeKey } from "./labels.ts";
import { plans } from "../membership/plans.ts";
import { type NewCode, refuseNewCode } from "./codes.ts";
import { codes as sentences } from "../../refusals.ts";
import { tidyCode } from "../../platform/text.ts";

const lastSold = Math.max(...Object.values(plans).map(({ variationId }) => variationId));

const now = new Date("2026-11-20T03:00:00.000Z");

describe("a typed code", () => {
  test.each([
    ["in small letters", "dormouse-demo"],
    ["with spaces in it", "Dormouse - Demo"],
    ["with the long dash of a phone", "DORMOUSE–DEMO"],
    ["with the hyphen of a word processor", "DORMOUSE\u2011DEMO"],
    ["with the invisible characters of a mail", "\u200BDORMOUSE\u00AD-\uFEFFDEMO\u0000"],
    ["in full-width letters", "ＤＯＲＭＯＵＳＥ－ＤＥＭＯ"],
  ])("is the same %s", (_, typed) => expect(toCodeKey(typed)).toBe("DORMOUSE-DEMO"));

  test.each(["", " ", "AB", "-DORMOUSE", "DORMOUSE-", "DORMOUSE_ONE", "DÖRMOUSE", "A".repeat(41), "A ".repeat(10_000)])(
    "%j can be no code",
    (typed) => expect(toCodeKey(typed)).toBeUndefined(),
  );

  test("whatever is typed, the same key comes of the tidied code, in any case", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "grapheme" })), (typed) => {
        const key = toCodeKey(typed);
        if (key === undefined) return;
        expect(toCodeKey(tidyCode(typed))).toBe(key);
        expect(toCodeKey(key.toLowerCase())).toBe(key);
        expect(key).toMatch(/^[A-Z0-9-]{4,40}$/);
      }),
    );
  });
});

describe("a made-up code", () => {
  test("has the product's name and two readable groups, and never repeats", () => {
    const made = Array.from({ length: 10_000 }, () => makeCode("Dormouse"));
    for (const code of made) {
      expect(code).toMatch(/^DORMOUSE-[34679CDFGHJKMNPQRTVWXY]{4}-[34679CDFGHJKMNPQRTVWXY]{4}$/);
    }
    expect(new Set(made).size).toBe(made.length);
  });

  test.each(["Sleep & Co.", "睡鼠", "", "A very long name of a product that would not fit"])(
    "can be a code for a product called %j",
    (name) => {
      const code = makeCode(name);
      expect(toCodeKey(code)).toBe(code);
    },
  );
});

const good: CodeFacts = {
  products: [117],
  seats: 2,
  seatsTaken: 1,
  startsAt: after(now, -DAY_IN_MS),
  endsAt: after(now, DAY_IN_MS),
  revokedAt: undefined,
  company: { state: "live", graceEndsAt: undefined },
};
const inGrace = (graceEndsAt: Date | undefined) => ({ company: { state: "grace" as const, graceEndsAt } });

test.each<[string, Partial<CodeFacts>, CodeFault | undefined]>([
  ["has neither end nor company", { endsAt: undefined, company: undefined }, undefined],
  ["begins now", { startsAt: now }, undefined],
  ["begins in a moment", { startsAt: after(now, 1) }, "not-started"],
  ["ends now", { endsAt: now }, "ended"],
  ["ends in a moment", { endsAt: after(now, 1) }, undefined],
  ["has a company whose grace ends in a moment", inGrace(after(now, 1)), undefined],
  ["has a company whose grace ends now", inGrace(now), "stopped"],
  ["has a company in grace without an end", inGrace(undefined), "stopped"],
  ["has a company that sets up", { company: { state: "setting-up", graceEndsAt: undefined } }, "setting-up"],
  ["has a company that stopped", { company: { state: "stopped", graceEndsAt: undefined } }, "stopped"],
  ["unlocks a plan of the product", { products: [118] }, undefined],
  ["unlocks something else", { products: [900] }, "not-sold"],
  ["unlocks the numbers beside ours", { products: [116, lastSold + 1] }, "not-sold"],
  ["is full, over and revoked", { seatsTaken: 2, endsAt: now, revokedAt: now }, "revoked"],
  ["is full", { seatsTaken: 2 }, "full"],
])("a code that %s has the right fault or none", (_, facts, fault) => {
  expect(findFault({ ...good, ...facts }, now)).toBe(fault);
});

describe("the message about a code", () => {
  const faults: CodeFault[] = ["not-started", "ended", "revoked", "full", "stopped", "setting-up", "not-sold"];

  test.each(faults)("that is %s ends in what to do, without a word about money", (fault) => {
    const sentence = toMessage(fault, good);
    expect(sentence).toContain("the person who gave it to you");
    expect(sentence).not.toMatch(/!|pay|paid|debit|mandate|bank|company|coupon|voucher/i);
  });

  test("names the days as a calendar in London has them", () => {
    const dates = { startsAt: new Date("2027-06-30T23:30:00.000Z"), endsAt: new Date("2026-12-31T23:30:00.000Z") };
    expect(toMessage("not-started", { ...good, ...dates })).toContain("01/07/2027");
    expect(toMessage("ended", { ...good, ...dates })).toContain("31/12/2026");
  });
});

test.each<[string, NewCode, string | undefined]>([
  ["no seats at all", { seats: 0 }, undefined],
  ["dates to come", { seats: 1, startsAt: after(now, 1), endsAt: after(now, 2) }, undefined],
  ["no text", { code: " ", seats: 1 }, "code-malformed"],
  ["other characters", { code: "DORM/OUSE", seats: 1 }, "code-malformed"],
  ["fewer than no seats", { seats: -1 }, "seats-invalid"],
  ["seats that are no number", { seats: Number.NaN }, "seats-invalid"],
  ["an end that is past", { seats: 1, endsAt: after(now, -1) }, "dates-invalid"],
  ["an end that is its start", { seats: 1, startsAt: now, endsAt: now }, "dates-invalid"],
  ["a start that is no date", { seats: 1, startsAt: new Date("soon") }, "dates-invalid"],
  ["a product twice", { seats: 1, products: [117, 117] }, "products-invalid"],
  ["a product that is no number", { seats: 1, products: [1.5] }, "products-invalid"],
])("a new code with %s is taken or refused: %j, %s", (_, wanted, reason) => {
  expect(refuseNewCode(wanted, now)).toBe(reason);
});

describe.each(engines)("codes on %s", (engine) => {
  test("a code made with seats alone works at once, without an end, for the members' product", async () => {
    await using app = await openApp({ engine });
    const made = await app.services.codes.create({ code: "DORMOUSE-DEMO", seats: 3 });
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
    expect(await app.services.codes.check("dormouse - demo ")).toEqual({ isValid: true, code: view });
    expect(await app.services.codes.find("Dormouse–Demo")).toEqual({ ...view, holders: [] });
  });

  test("a code keeps its products and its dates", async () => {
    await using app = await openApp({ engine });
    const endsAt = after(app.clock(), 2 * DAY_IN_MS);
    const startsAt = after(app.clock(), DAY_IN_MS);
    await app.services.codes.create({ code: "later", seats: 1, products: [117, 900], startsAt, endsAt });
    const message = expect.stringContaining("21/11/2026");
    expect(await app.services.codes.check("LATER")).toEqual({ isValid: false, reason: "not-started", message });
    app.clock.advance(DAY_IN_MS);
    const code = { products: [117, 900], code: "later" };
    expect(await app.services.codes.check("LATER")).toMatchObject({ isValid: true, code });
    app.clock.advance(DAY_IN_MS);
    expect(await app.services.codes.check("LATER")).toMatchObject({ isValid: false, reason: "ended" });
  });

  test("a code that was never given out is unknown, and an empty field is asked to be filled", async () => {
    await using app = await openApp({ engine });
    for (const code of ["DORMOUSE-NONE", "x".repeat(100_000), "'; drop table codes", "\u0000", "\uD800", "%"]) {
      expect(await app.services.codes.check(code)).toMatchObject({ isValid: false, reason: "unknown" });
    }
    const message = sentences.empty;
    expect(await app.services.codes.check("  ")).toMatchObject({ isValid: false, message });
    expect(await app.services.codes.find("DORMOUSE-NONE")).toBeUndefined();
    expect(await app.services.codes.revoke("DORMOUSE-NONE")).toBe(false);
  });

  test("an invalid code is not kept, and a code without a name gets a generated one", async () => {
    await using app = await openApp({ engine });
    expect(await app.services.codes.create({ seats: -1 })).toEqual({ ok: false, reason: "seats-invalid" });
    expect(await app.services.codes.create({ seats: 1, companyId: 77 })).toEqual({
      ok: false,
      reason: "company-unknown",
    });
    expect(await app.services.codes.list()).toEqual([]);
    for (let count = 0; count < 2; count += 1) await app.services.codes.create({ seats: 1 });
    const [first, second] = (await app.services.codes.list()).map(({ code }) => code);
    expect(first).toMatch(/^DORMOUSE-\w{4}-\w{4}$/);
    expect(first).not.toBe(second);
  });

  test("two codes cannot differ in case, spaces or dashes alone, even when made at once", async () => {
    await using app = await openApp({ engine });
    const inputs = ["ACME-SLEEP", "acme-sleep", "Acme - Sleep", "ACME–SLEEP"].map((code) => ({ code, seats: 1 }));
    const made = await Promise.all(inputs.map((input) => app.services.codes.create(input)));
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((each) => !each.ok && each.reason === "code-taken")).toHaveLength(3);
    expect(await app.services.codes.list()).toHaveLength(1);
  });

  test("lists codes newest first, each with its fault", async () => {
    await using app = await openApp({ engine });
    const past = { startsAt: after(app.clock(), -2 * DAY_IN_MS), endsAt: after(app.clock(), -DAY_IN_MS) };
    await app.services.codes.create({ code: "FIRST", seats: 1, ...past });
    await app.services.codes.create({ code: "SECOND", seats: 0 });
    await app.services.codes.create({ code: "THIRD", seats: 1 });
    app.clock.advance(1000);
    await app.services.codes.create({ code: "FOURTH", seats: 1 });
    await app.services.codes.revoke("FOURTH");
    expect((await app.services.codes.list()).map(({ code, fault }) => [code, fault])).toEqual([
      ["FOURTH", "revoked"],
      ["THIRD", undefined],
      ["SECOND", "full"],
      ["FIRST", "ended"],
    ]);
  });
});
