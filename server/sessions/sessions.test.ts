import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestAccounts } from "../../tests/helpers/test-accounts.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import { after, DAY_IN_MS, HOUR_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";
import { createSessions, SESSION_IDLE_IN_MS } from "./sessions.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const { accounts } = createTestAccounts(ctx);
  const register = async (firstName: string) => {
    const email = `${firstName.toLowerCase()}@dormouse.example`;
    const details = { password: "sleep-well-tonight", lastName: "Lovell", accountType: "individual" } as const;
    return (await accounts.register({ ...details, firstName, email }))?.id ?? 0;
  };
  const memberId = await register("Ada");
  return { ...database, clock: ctx.clock, sessions: createSessions(ctx), register, memberId };
}

describe.each(engines)("sessions on %s", (engine) => {
  test("a token finds its member until the session is ended", async () => {
    await using app = await openApp(engine);
    const { token } = await app.sessions.start(app.memberId);
    expect(await app.sessions.find(token)).toMatchObject({ memberId: app.memberId });
    await app.sessions.end(token);
    expect(await app.sessions.find(token)).toBeUndefined();
  });

  test("the database holds a hash, never the token", async () => {
    await using app = await openApp(engine);
    const { token } = await app.sessions.start(app.memberId);
    const rows = await app.db.selectFrom("sessions").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("an altered token is nobody's", async () => {
    await using app = await openApp(engine);
    const { token } = await app.sessions.start(app.memberId);
    expect(await app.sessions.find(`${token}x`)).toBeUndefined();
    expect(await app.sessions.find("")).toBeUndefined();
  });

  test("tokens are 256 bits and never repeat", async () => {
    await using app = await openApp(engine);
    const tokens = new Set<string>();
    for (let count = 0; count < 50; count += 1) tokens.add((await app.sessions.start(app.memberId)).token);
    expect(tokens.size).toBe(50);
    for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  test("use moves the end, at most once an hour", async () => {
    await using app = await openApp(engine);
    const { token, expiresAt } = await app.sessions.start(app.memberId);
    app.clock.advance(HOUR_IN_MS / 2);
    expect(await app.sessions.find(token)).toMatchObject({ isExtended: false, expiresAt });
    app.clock.advance(HOUR_IN_MS);
    const session = await app.sessions.find(token);
    expect(session).toMatchObject({ isExtended: true, expiresAt: after(app.clock(), SESSION_IDLE_IN_MS) });
  });

  test("thirty idle days end it", async () => {
    await using app = await openApp(engine);
    const { token } = await app.sessions.start(app.memberId);
    app.clock.advance(30 * DAY_IN_MS);
    expect(await app.sessions.find(token)).toBeUndefined();
  });

  test("a year ends it, however much it is used", async () => {
    await using app = await openApp(engine);
    const { token } = await app.sessions.start(app.memberId);
    for (let day = 0; day < 364; day += 14) {
      app.clock.advance(14 * DAY_IN_MS);
      expect(await app.sessions.find(token)).toBeDefined();
    }
    app.clock.advance(2 * DAY_IN_MS);
    expect(await app.sessions.find(token)).toBeUndefined();
  });

  test("a log-in ends the session it replaces", async () => {
    await using app = await openApp(engine);
    const first = await app.sessions.start(app.memberId);
    await app.sessions.start(app.memberId, { replacedToken: first.token });
    expect(await app.sessions.find(first.token)).toBeUndefined();
  });

  test("purging forgets the expired and keeps the living", async () => {
    await using app = await openApp(engine);
    await app.sessions.start(app.memberId);
    app.clock.advance(29 * DAY_IN_MS);
    const { token } = await app.sessions.start(app.memberId);
    app.clock.advance(2 * DAY_IN_MS);
    expect(await app.sessions.purge()).toBe(1);
    expect(await app.sessions.find(token)).toBeDefined();
  });

  test("all sessions of a member are listed the newest first, and end together, and nobody else's do", async () => {
    await using app = await openApp(engine);
    const { sessions, memberId: ada } = app;
    const bo = await app.register("Bo");
    const first = await sessions.start(ada);
    app.clock.advance(60_000);
    const second = await sessions.start(ada);
    const others = await sessions.start(bo);

    expect(await sessions.listFor(ada)).toMatchObject([
      { startedAt: new Date("2026-11-20T03:01:00.000Z"), expiresAt: second.expiresAt },
      { startedAt: new Date("2026-11-20T03:00:00.000Z"), expiresAt: first.expiresAt },
    ]);
    expect(await sessions.endAll(ada)).toBe(2);
    expect(await sessions.endAll(ada)).toBe(0);
    expect(await sessions.find(first.token)).toBeUndefined();
    expect(await sessions.find(others.token)).toBeDefined();
  });
});
