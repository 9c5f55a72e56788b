import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openApp as openAllServices } from "../../tests/helpers/app.ts";
import { DAY_IN_MS, HOUR_IN_MS } from "../clock.ts";
import type { Engine } from "../database/database.ts";

const FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

/** Ada with a telephone, another and something that does not say what it is, and Bo. */
async function openApp(engine: Engine) {
  const app = await openAllServices(engine);
  const { accounts, sessions } = app.services;
  const admit = async (firstName: string) => {
    const details = { firstName, lastName: "Lovell", accountType: "individual", passwordHash: "none" } as const;
    const email = `${firstName.toLowerCase()}@dormouse.example`;
    return (await accounts.admit({ ...details, email }, app.database.db))?.id ?? 0;
  };
  const [ada, bo] = [await admit("Ada"), await admit("Bo")];
  const start = async (memberId: number, userAgent?: string) => {
    app.clock.advance(HOUR_IN_MS);
    return (await sessions.start(memberId, { userAgent })).token;
  };
  const tokens = {
    firefox: await start(ada, FIREFOX),
    safari: await start(ada, SAFARI),
    unknown: await start(ada),
    bo: await start(bo, SAFARI),
  };
  return { ...app, sessions, ada, bo, tokens };
}

describe.each(engines)("devices on %s", (engine) => {
  test("a member sees where they are logged in: this device, then the last used", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, tokens } = app;
    const listed = await sessions.list(ada, tokens.safari);
    expect(listed.map(({ device, isThis }) => [device, isThis])).toEqual([
      ["Safari on iPhone", true],
      ["A browser", false],
      ["Firefox on Android", false],
    ]);
    expect(listed[2]).toMatchObject({
      startedAt: new Date("2026-11-20T04:00:00Z"),
      seenAt: new Date("2026-11-20T04:00:00Z"),
    });

    app.clock.advance(2 * HOUR_IN_MS);
    await sessions.find(tokens.firefox);
    expect((await sessions.list(ada, tokens.unknown)).map(({ device }) => device)).toEqual([
      "A browser",
      "Firefox on Android",
      "Safari on iPhone",
    ]);
    expect((await sessions.list(ada)).map(({ isThis }) => isThis)).toEqual([false, false, false]);
  });

  test("the database holds words of ours, not what the browser said", async () => {
    await using app = await openApp(engine);
    const rows = await app.database.db.selectFrom("sessions").select("device").orderBy("created_at").execute();
    expect(rows.map(({ device }) => device)).toEqual([
      "Firefox on Android",
      "Safari on iPhone",
      "A browser",
      "Safari on iPhone",
    ]);
  });

  test("a session from before devices were kept is a browser like another", async () => {
    await using app = await openApp(engine);
    await app.database.db.updateTable("sessions").set({ device: null }).execute();
    expect((await app.sessions.list(app.bo)).map(({ device }) => device)).toEqual(["A browser"]);
  });

  test("what is listed names a session and opens none", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, tokens } = app;
    const ids = (await sessions.list(ada)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    const kept = JSON.stringify(await app.database.db.selectFrom("sessions").selectAll().execute());
    for (const id of ids) {
      expect(Object.values(tokens)).not.toContain(id);
      expect(kept).not.toContain(id);
      expect(await sessions.find(id)).toBeUndefined();
    }
  });

  test("sessions that are over are not listed", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, tokens } = app;
    app.clock.advance(20 * DAY_IN_MS);
    await sessions.find(tokens.safari);
    app.clock.advance(20 * DAY_IN_MS);
    expect((await sessions.list(ada)).map(({ device }) => device)).toEqual(["Safari on iPhone"]);
  });

  test("a member logs out on one device by what is listed, once", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, tokens } = app;
    const phone = (await sessions.list(ada)).find(({ device }) => device === "Safari on iPhone");
    expect(await sessions.endOne(ada, phone?.id ?? "")).toBe(true);
    expect(await sessions.find(tokens.safari)).toBeUndefined();
    expect(await sessions.find(tokens.firefox)).toBeDefined();
    expect(await sessions.endOne(ada, phone?.id ?? "")).toBe(false);
  });

  test("nobody logs another member out, whatever they name", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, bo, tokens } = app;
    const [theirs] = await sessions.list(bo);
    const [row] = await app.database.db
      .selectFrom("sessions")
      .select("token_hash")
      .where("member_id", "=", bo)
      .execute();
    for (const id of [theirs?.id ?? "", tokens.bo, row?.token_hash ?? "", "", "%", "1"]) {
      expect(await sessions.endOne(ada, id)).toBe(false);
    }
    expect(await sessions.endOthers(ada, tokens.bo)).toBe(3);
    expect(await sessions.find(tokens.bo)).toMatchObject({ memberId: bo });
  });

  test("everywhere else ends, and this device stays", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, bo, tokens } = app;
    expect(await sessions.endOthers(ada, tokens.firefox)).toBe(2);
    expect(await sessions.find(tokens.firefox)).toBeDefined();
    expect(await sessions.find(tokens.safari)).toBeUndefined();
    expect(await sessions.list(bo)).toHaveLength(1);
    expect(await sessions.endOthers(ada, tokens.firefox)).toBe(0);
    expect(await sessions.endOthers(ada, undefined)).toBe(1);
  });

  test("ending the others goes with the transaction it is part of", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, tokens } = app;
    const undone = app.services.transact(async (trx) => {
      await sessions.endOthers(ada, tokens.firefox, trx);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await sessions.list(ada)).toHaveLength(3);
  });

  test("ten hands that end one device end it once", async () => {
    await using app = await openApp(engine);
    const { sessions, ada, tokens } = app;
    const [phone] = await sessions.list(ada, tokens.safari);
    const ended = await Promise.all(Array.from({ length: 10 }, () => sessions.endOne(ada, phone?.id ?? "")));
    expect(ended.filter(Boolean)).toHaveLength(1);
  });
});
