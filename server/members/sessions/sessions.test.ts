import { describe, expect, test } from "vitest";

import { addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines, rollBack } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { SESSION_IDLE_IN_MS, SESSIONS_A_MEMBER } from "./sessions.ts";

const FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

async function openSessions(engine: Engine = "sqlite") {
  const app = await openApp({ engine });
  const { sessions } = app.services;
  const [ada, bo] = [await addNamed(app, "Ada"), await addNamed(app, "Bo")];
  const start = async (memberId = ada, userAgent?: string) => (await sessions.start(memberId, { userAgent })).token;
  const isLive = async (token: string) => (await sessions.find(token)) !== undefined;
  return { ...app, sessions, ada, bo, start, isLive };
}

/** Ada is logged in on two telephones and on an unknown device, an hour apart, and Bo on one. */
async function openDevices(engine: Engine = "sqlite") {
  const app = await openSessions(engine);
  const start = async (memberId: number, userAgent?: string) => {
    app.clock.advance(HOUR_IN_MS);
    return app.start(memberId, userAgent);
  };
  const phones = { firefox: await start(app.ada, FIREFOX), safari: await start(app.ada, SAFARI) };
  const tokens = { ...phones, unknown: await start(app.ada), bo: await start(app.bo, SAFARI) };
  const listDevices = async (token?: string) => (await app.sessions.list(app.ada, token)).map(({ device }) => device);
  return { ...app, tokens, listDevices };
}

test("the database holds a hash, never the token", async () => {
  await using app = await openSessions();
  const token = await app.start();
  const rows = await app.db.selectFrom("sessions").selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("tokens are 256 bits and never repeat", async () => {
  await using app = await openSessions();
  const tokens = new Set<string>();
  for (let count = 0; count < 50; count += 1) tokens.add(await app.start());
  expect(tokens.size).toBe(50);
  for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
});

test("use extends a session, at most once an hour", async () => {
  await using app = await openSessions();
  const { token, expiresAt } = await app.sessions.start(app.ada);
  app.clock.advance(HOUR_IN_MS / 2);
  expect(await app.sessions.find(token)).toMatchObject({ isExtended: false, expiresAt });
  app.clock.advance(HOUR_IN_MS);
  const extended = { isExtended: true, expiresAt: after(app.clock(), SESSION_IDLE_IN_MS) };
  expect(await app.sessions.find(token)).toMatchObject(extended);
});

test("a session ends after thirty idle days, or after a year of use", async () => {
  await using app = await openSessions();
  const idle = await app.start();
  app.clock.advance(30 * DAY_IN_MS);
  expect(await app.isLive(idle)).toBe(false);

  const token = await app.start();
  for (let day = 0; day < 364; day += 14) {
    app.clock.advance(14 * DAY_IN_MS);
    expect(await app.isLive(token)).toBe(true);
  }
  app.clock.advance(2 * DAY_IN_MS);
  expect(await app.isLive(token)).toBe(false);
});

test("purging deletes expired sessions only", async () => {
  await using app = await openSessions();
  await app.start();
  app.clock.advance(29 * DAY_IN_MS);
  const token = await app.start();
  app.clock.advance(2 * DAY_IN_MS);
  expect(await app.sessions.purge()).toBe(1);
  expect(await app.isLive(token)).toBe(true);
});

test("a session stores our own description of the browser, and without one it is listed as “A browser”", async () => {
  await using app = await openDevices();
  const rows = await app.db.selectFrom("sessions").select("device").orderBy("createdAt").execute();
  const expected = ["Firefox on Android", "Safari on iPhone", "A browser", "Safari on iPhone"];
  expect(rows.map(({ device }) => device)).toEqual(expected);
  await app.db.updateTable("sessions").set({ device: null }).execute();
  expect(await app.listDevices()).toEqual(["A browser", "A browser", "A browser"]);
});

test("sessions that are over are not listed", async () => {
  await using app = await openDevices();
  app.clock.advance(20 * DAY_IN_MS);
  await app.sessions.find(app.tokens.safari);
  app.clock.advance(20 * DAY_IN_MS);
  expect(await app.listDevices()).toEqual(["Safari on iPhone"]);
});

test("a listed id identifies a session and is no token", async () => {
  await using app = await openDevices();
  const ids = (await app.sessions.list(app.ada)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  const stored = JSON.stringify(await app.db.selectFrom("sessions").selectAll().execute());
  for (const id of ids) {
    expect(Object.values(app.tokens)).not.toContain(id);
    expect(stored).not.toContain(id);
    expect(await app.isLive(id)).toBe(false);
  }
});

test("a member cannot end another member's session, whatever id they send", async () => {
  await using app = await openDevices();
  const { sessions, ada, bo, tokens } = app;
  const [theirs] = await sessions.list(bo);
  const row = await app.db.selectFrom("sessions").select("tokenHash").where("memberId", "=", bo).executeTakeFirst();
  for (const id of [theirs?.id ?? "", tokens.bo, row?.tokenHash ?? "", "", "%", "1"]) {
    expect(await sessions.endOne(ada, id)).toBe(false);
  }
  expect(await sessions.endOthers(ada, tokens.bo)).toBe(3);
  expect(await sessions.find(tokens.bo)).toMatchObject({ memberId: bo });
});

describe.each(engines)("sessions on %s", (engine) => {
  test("a member sees where they are logged in: this device, then the last used", async () => {
    await using app = await openDevices(engine);
    const { sessions, ada, tokens } = app;
    const listed = await sessions.list(ada, tokens.safari);
    expect(listed.map(({ isThis }) => isThis)).toEqual([true, false, false]);
    expect(listed.map(({ device }) => device)).toEqual(["Safari on iPhone", "A browser", "Firefox on Android"]);
    const at = new Date("2026-11-20T04:00:00Z");
    expect(listed[2]).toMatchObject({ startedAt: at, seenAt: at });

    app.clock.advance(2 * HOUR_IN_MS);
    await sessions.find(tokens.firefox);
    expect(await app.listDevices(tokens.unknown)).toEqual(["A browser", "Firefox on Android", "Safari on iPhone"]);
    expect((await sessions.list(ada)).map(({ isThis }) => isThis)).toEqual([false, false, false]);
  });

  test("a member's sessions are exported newest first and end together, without ending others", async () => {
    await using app = await openSessions(engine);
    const { sessions, ada } = app;
    const first = await sessions.start(ada);
    app.clock.advance(60_000);
    const second = await sessions.start(ada);
    const others = await app.start(app.bo);
    expect(await sessions.listFor(ada)).toMatchObject([
      { startedAt: new Date("2026-11-20T03:01:00.000Z"), expiresAt: second.expiresAt },
      { startedAt: new Date("2026-11-20T03:00:00.000Z"), expiresAt: first.expiresAt },
    ]);
    expect(await sessions.endAll(ada)).toBe(2);
    expect(await sessions.endAll(ada)).toBe(0);
    expect(await app.isLive(first.token)).toBe(false);
    expect(await app.isLive(others)).toBe(true);
  });

  test("ends all other sessions and keeps this one, within the transaction", async () => {
    await using app = await openDevices(engine);
    const { sessions, ada, bo, tokens } = app;
    await rollBack(app.db, (trx) => sessions.endOthers(ada, tokens.firefox, trx));
    expect(await sessions.list(ada)).toHaveLength(3);
    expect(await sessions.endOthers(ada, tokens.firefox)).toBe(2);
    expect([await app.isLive(tokens.firefox), await app.isLive(tokens.safari)]).toEqual([true, false]);
    expect(await sessions.list(bo)).toHaveLength(1);
    expect(await sessions.endOthers(ada, tokens.firefox)).toBe(0);
    expect(await sessions.endOthers(ada, undefined)).toBe(1);
  });

  test("has a bound for each member: the session not used for longest ends, and the rest are listed in pages", async () => {
    await using app = await openDevices(engine);
    const { sessions, ada, bo, tokens } = app;
    await sessions.endAll(ada);
    const started: string[] = [];
    for (let count = 0; count <= SESSIONS_A_MEMBER; count += 1) {
      app.clock.advance(MINUTE_IN_MS);
      started.push((await sessions.start(ada)).token);
      // The first is in use all the time.
      if (count === 1)
        await app.db
          .updateTable("sessions")
          .set({ seenAt: new Date("2030-01-01") })
          .execute();
    }
    const [first = "", second = "", third = ""] = started;
    expect([await app.isLive(first), await app.isLive(second), await app.isLive(third)]).toEqual([true, true, false]);
    expect(await sessions.list(ada)).toHaveLength(SESSIONS_A_MEMBER);
    expect(await app.isLive(tokens.bo)).toBe(true);
    expect(await sessions.list(bo)).toHaveLength(1);
    const pages = await Promise.all([1, 2, 99].map((page) => sessions.listPage(ada, { token: first, page })));
    expect(pages.map(({ page, pageCount, total }) => [page, pageCount, total])).toEqual([
      [1, 10, 100],
      [2, 10, 100],
      [10, 10, 100],
    ]);
    expect(pages.map(({ devices }) => devices.map(({ isThis }) => isThis).indexOf(true))).toEqual([0, -1, -1]);
    expect(new Set(pages.flatMap(({ devices }) => devices.map(({ id }) => id))).size).toBe(30);
  });

  test("ten simultaneous requests to end one session end it once", async () => {
    await using app = await openDevices(engine);
    const { sessions, ada, tokens } = app;
    const [phone] = await sessions.list(ada, tokens.safari);
    const ended = await Promise.all(Array.from({ length: 10 }, () => sessions.endOne(ada, phone?.id ?? "")));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect([await app.isLive(tokens.safari), await app.isLive(tokens.firefox)]).toEqual([false, true]);
    expect(await sessions.endOne(ada, phone?.id ?? "")).toBe(false);
  });
});
