import { describe, expect, test, vi } from "vitest";

import { addMember, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { createRateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import { logIn as logInWith, turns } from "./log-in.ts";
import { findHashAt } from "./members.ts";
import { isOwnHash } from "./passwords.ts";

const right = { email: "ada@dormouse.example", password: "sleep-well-tonight", address: "198.51.100.7" };

async function openLogIn(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const { sessions, logIn } = app.services;
  await addMember(app);
  /** Logs in a member; `happens` runs right after the password was compared. */
  const logInWhile = (happens: () => Promise<unknown>) => {
    const start: typeof sessions.start = async (...who) => {
      await happens();
      return sessions.start(...who);
    };
    const rateLimiter = createRateLimiter(app.ctx);
    return logInWith({ ...app.ctx, sessions: { ...sessions, start }, rateLimiter }, right);
  };
  return { ...app, sessions, logIn, logInWhile };
}

type App = Awaited<ReturnType<typeof openLogIn>>;

async function failTimes(app: App, times: number, attempt = {}) {
  for (let count = 0; count < times; count += 1) await app.logIn({ ...right, password: "wrong", ...attempt });
}

describe("log-in", () => {
  test("the right password starts a session, ends the one before, and is never rate-limited", async () => {
    await using app = await openLogIn();
    const first = await app.logIn(right);
    if (!first.ok) throw new Error(first.reason);
    const second = await app.logIn({ ...right, replacedToken: first.session.token });
    if (!second.ok) throw new Error(second.reason);
    expect(await app.sessions.find(first.session.token)).toBeUndefined();
    expect(await app.sessions.find(second.session.token)).toBeDefined();
    for (let count = 0; count < 70; count += 1) expect(await app.logIn(right)).toMatchObject({ ok: true });
  });

  test("a log-in that waits five seconds for its turn is refused without comparing or counting its password", async () => {
    await using app = await openLogIn();
    await failTimes(app, 9);
    const { promise: storm, resolve: calm } = Promise.withResolvers<void>();
    const others = Array.from({ length: 8 }, () => turns(() => storm));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answered = app.logIn({ ...right, password: "wrong" });
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    vi.advanceTimersByTime(5000);
    vi.useRealTimers();
    expect(await answered).toEqual({ ok: false, reason: "unavailable" });
    calm();
    await Promise.all(others);
    expect(await app.logIn(right), "the tenth try").toMatchObject({ ok: true });
  });

  test("a wrong password and an unknown address get the same answer", async () => {
    await using app = await openLogIn();
    const wrong = await app.logIn({ ...right, password: "wrong" });
    expect(wrong).toEqual({ ok: false, reason: "wrong-credentials" });
    expect(await app.logIn({ ...right, email: "nobody@dormouse.example" })).toEqual(wrong);
  });

  test("ten failures lock an address for fifteen minutes, even for the right password, whether or not it has an account", async () => {
    await using app = await openLogIn();
    const closed = { ok: false, reason: "too-many-attempts", waitInMs: 15 * MINUTE_IN_MS };
    for (const email of [right.email, "nobody@dormouse.example"]) {
      await failTimes(app, 10, { email });
      expect(await app.logIn({ ...right, email })).toEqual(closed);
    }
    app.clock.advance(15 * MINUTE_IN_MS);
    expect(await app.logIn(right)).toMatchObject({ ok: true });
  });

  test("during an attack from many networks each has three tries instead of ten, so the owner still gets in", async () => {
    await using app = await openLogIn();
    for (let host = 1; host <= 20; host += 1) await failTimes(app, 3, { address: `203.0.113.${host}` });
    await failTimes(app, 2);
    expect(await app.logIn(right), "the third is the owner's own").toMatchObject({ ok: true });
    await failTimes(app, 1);
    expect(await app.logIn(right)).toMatchObject({ reason: "too-many-attempts" });
    app.clock.advance(HOUR_IN_MS);
    expect(await app.logIn(right)).toMatchObject({ ok: true });
  });

  test("one network that tries many accounts is locked after sixty failures", async () => {
    await using app = await openLogIn();
    for (let guess = 0; guess < 60; guess += 1) await failTimes(app, 1, { email: `guess${guess}@dormouse.example` });
    expect(await app.logIn(right)).toMatchObject({ reason: "too-many-attempts" });
    expect(await app.logIn({ ...right, address: "192.0.2.1" })).toMatchObject({ ok: true });
  });

  test("every outcome is logged with the member's number or the reason, and nothing that was typed", async () => {
    await using app = await openLogIn();
    await app.logIn(right);
    await failTimes(app, 11);
    const lines = app.log.lines.map(({ level, event, facts }) => [level, event, facts]);
    expect(lines[0]).toEqual(["info", "a member logged in", { member: 1 }]);
    expect(lines[1]).toEqual(["warn", "a log-in was refused", { reason: "wrong-credentials" }]);
    expect(lines.at(-1)).toEqual(["warn", "a log-in was refused", { reason: "too-many-attempts" }]);
    expect(lines).toHaveLength(12);
  });
});

describe.each(engines)("log-in on %s", (engine) => {
  test.each([
    ["changed", { passwordHash: "$argon2id$another" }],
    ["closed with its account", { eraseAt: new Date("2026-12-04T03:00:00.000Z") }],
  ])("a password that is %s while it is being compared does not log in", async (_, columns) => {
    await using app = await openLogIn(engine);
    const result = await app.logInWhile(() => app.db.updateTable("members").set(columns).execute());
    expect(result).toEqual({ ok: false, reason: "wrong-credentials" });
    expect(await app.db.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  test("twenty simultaneous tries are counted before any password is compared", async () => {
    await using app = await openLogIn(engine);
    const tries = Array.from({ length: 20 }, () => app.logIn({ ...right, password: "wrong" }));
    const reasons = (await Promise.all(tries)).map((result) => (result.ok ? "in" : result.reason));
    expect(reasons.filter((reason) => reason === "wrong-credentials")).toHaveLength(10);
    expect(reasons.filter((reason) => reason === "too-many-attempts")).toHaveLength(10);
  });
});

describe("a password from elsewhere", () => {
  /** Made by PHP's `password_hash`. */
  const brought = "$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK";
  const password = "plain-hedge-at-dusk";

  async function openWithBrought(engine: Engine) {
    const app = await openLogIn(engine);
    await app.db.updateTable("members").set({ passwordHash: brought }).execute();
    const readHash = async () =>
      (await app.db.selectFrom("members").select("passwordHash").executeTakeFirstOrThrow()).passwordHash;
    return { ...app, readHash };
  }

  test.each(engines)("%s: the first log-ins turn it into ours, also two at once", async (engine) => {
    await using app = await openWithBrought(engine);
    expect(await app.logIn({ ...right, password: "wrong" })).toMatchObject({ ok: false });
    expect(await app.readHash(), "a wrong one changes nothing").toBe(brought);
    const both = await Promise.all([app.logIn({ ...right, password }), app.logIn({ ...right, password })]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(isOwnHash(await app.readHash())).toBe(true);
    expect(await app.logIn({ ...right, password })).toMatchObject({ ok: true });
    expect(await app.logIn({ ...right, password: "wrong" })).toMatchObject({ ok: false });
  });

  test("members with hashes of ours do not wait for three strangers who try one from elsewhere", async () => {
    await using app = await openWithBrought("sqlite");
    await addMember(app, { email: "bea@dormouse.example" });
    const order: string[] = [];
    const strangers = [1, 2, 3].map((network) =>
      app
        .logIn({ ...right, address: `198.51.100.${network}`, password: "it's \u00a0 wrong" })
        .then(() => order.push("stranger")),
    );
    expect(await app.logIn({ ...right, email: "bea@dormouse.example" })).toMatchObject({ ok: true });
    order.push("member");
    await Promise.all(strangers);
    expect(order).toEqual(["member", "stranger", "stranger", "stranger"]);
  });

  test("an address without a member is compared with a hash like that of some member", async () => {
    await using app = await openWithBrought("sqlite");
    const own = (await addMember(app, { email: "bea@dormouse.example" })).id;
    const { passwordHash: ownHash } = await app.db
      .selectFrom("members")
      .select("passwordHash")
      .where("id", "=", own)
      .executeTakeFirstOrThrow();
    expect(await findHashAt(0, app.db)).toBe(brought);
    expect(await findHashAt(0.49, app.db)).toBe(brought);
    expect(await findHashAt(0.5, app.db)).toBe(ownHash);
    expect(await findHashAt(0.999, app.db)).toBe(ownHash);
    for (const email of ["stranger@dormouse.example", "other@dormouse.example", "third@dormouse.example"]) {
      expect(await app.logIn({ ...right, email, password })).toMatchObject({ reason: "wrong-credentials" });
    }
  });
});
