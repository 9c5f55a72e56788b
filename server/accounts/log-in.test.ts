import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createSessions } from "../sessions/sessions.ts";
import { createRateLimiter } from "../rate-limit/rate-limit.ts";
import { logIn, type Credentials } from "./log-in.ts";
import { registerMember } from "./members.ts";

const right = { email: "ada@dormouse.example", password: "sleep-well-tonight", address: "198.51.100.7" };

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const sessions = createSessions(ctx);
  const rateLimiter = createRateLimiter(ctx);
  await registerMember(ctx, { ...right, firstName: "Ada", lastName: "Lovell", accountType: "individual" });
  /** Logs in a member to whom something happens once their password was compared. */
  const logInWhile = (happens: () => Promise<unknown>) => {
    const start: typeof sessions.start = async (...who) => {
      await happens();
      return sessions.start(...who);
    };
    return logIn({ ...ctx, sessions: { ...sessions, start }, rateLimiter }, right);
  };
  return {
    ...database,
    clock: ctx.clock,
    log: ctx.log,
    sessions,
    logIn: (credentials: Credentials) => logIn({ ...ctx, sessions, rateLimiter }, credentials),
    logInWhile,
  };
}

type House = Awaited<ReturnType<typeof openHouse>>;

async function failTimes(house: House, times: number, attempt = {}) {
  for (let count = 0; count < times; count += 1) await house.logIn({ ...right, password: "wrong", ...attempt });
}

describe.each(engines)("log-in on %s", (engine) => {
  test("the right password starts a session and ends the one before", async () => {
    await using house = await openHouse(engine);
    const first = await house.logIn(right);
    if (!first.ok) throw new Error(first.reason);
    const second = await house.logIn({ ...right, replacedToken: first.session.token });
    if (!second.ok) throw new Error(second.reason);
    expect(await house.sessions.find(first.session.token)).toBeUndefined();
    expect(await house.sessions.find(second.session.token)).toBeDefined();
  });

  test.each([
    ["changed", { password_hash: "$argon2id$another" }],
    ["closed with its account", { erase_at: "2026-12-04T03:00:00.000Z" }],
  ])("a password that is %s while it is looked at lets nobody in", async (_, columns) => {
    await using house = await openHouse(engine);
    const result = await house.logInWhile(() => house.db.updateTable("members").set(columns).execute());
    expect(result).toEqual({ ok: false, reason: "wrong-credentials" });
    expect(await house.db.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  test("a wrong password and an unknown address get the same answer", async () => {
    await using house = await openHouse(engine);
    const wrong = await house.logIn({ ...right, password: "wrong" });
    expect(wrong).toEqual({ ok: false, reason: "wrong-credentials" });
    expect(await house.logIn({ ...right, email: "nobody@dormouse.example" })).toEqual(wrong);
  });

  test("ten failures of one address close it for fifteen minutes, even to the right password", async () => {
    await using house = await openHouse(engine);
    await failTimes(house, 10);
    expect(await house.logIn(right)).toEqual({ ok: false, reason: "too-many-attempts", waitInMs: 15 * MINUTE_IN_MS });
    house.clock.advance(15 * MINUTE_IN_MS);
    expect(await house.logIn(right)).toMatchObject({ ok: true });
  });

  test("twenty tries at once are counted before any is looked at", async () => {
    await using house = await openHouse(engine);
    const tries = Array.from({ length: 20 }, () => house.logIn({ ...right, password: "wrong" }));
    const reasons = (await Promise.all(tries)).map((result) => (result.ok ? "in" : result.reason));
    expect(reasons.filter((reason) => reason === "wrong-credentials")).toHaveLength(10);
    expect(reasons.filter((reason) => reason === "too-many-attempts")).toHaveLength(10);
  });

  test("an unknown address is throttled like a known one", async () => {
    await using house = await openHouse(engine);
    await failTimes(house, 10, { email: "nobody@dormouse.example" });
    expect(await house.logIn({ ...right, email: "nobody@dormouse.example" })).toMatchObject({
      reason: "too-many-attempts",
    });
  });

  test("under an attack from many addresses the owner still gets in from their own", async () => {
    await using house = await openHouse(engine);
    for (let host = 1; host <= 20; host += 1) await failTimes(house, 3, { address: `203.0.113.${host}` });
    await failTimes(house, 2);
    expect(await house.logIn(right)).toMatchObject({ ok: true });
  });

  test("under an attack an address has three tries, not ten", async () => {
    await using house = await openHouse(engine);
    for (let host = 1; host <= 20; host += 1) await failTimes(house, 3, { address: `203.0.113.${host}` });
    await failTimes(house, 3);
    expect(await house.logIn(right)).toMatchObject({ reason: "too-many-attempts" });
    house.clock.advance(HOUR_IN_MS);
    expect(await house.logIn(right)).toMatchObject({ ok: true });
  });

  test("one address that tries many accounts is closed after sixty failures", async () => {
    await using house = await openHouse(engine);
    for (let guess = 0; guess < 60; guess += 1) await failTimes(house, 1, { email: `guess${guess}@dormouse.example` });
    expect(await house.logIn(right)).toMatchObject({ reason: "too-many-attempts" });
    expect(await house.logIn({ ...right, address: "192.0.2.1" })).toMatchObject({ ok: true });
  });

  test("each end of it is told in the log, by number and reason, and nothing that was typed", async () => {
    await using house = await openHouse(engine);
    await house.logIn(right);
    await failTimes(house, 11);
    const told = house.log.lines.map(({ level, event, facts }) => [level, event, facts]);
    expect(told[0]).toEqual(["info", "a member logged in", { member: 1 }]);
    expect(told[1]).toEqual(["warn", "a log-in was refused", { reason: "wrong-credentials" }]);
    expect(told.at(-1)).toEqual(["warn", "a log-in was refused", { reason: "too-many-attempts" }]);
    expect(told).toHaveLength(12);
  });

  test("logging in often and rightly never closes the door", async () => {
    await using house = await openHouse(engine);
    for (let count = 0; count < 70; count += 1) expect(await house.logIn(right)).toMatchObject({ ok: true });
  });
});
