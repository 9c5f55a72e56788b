import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestContext } from "../../../tests/helpers/test-context.ts";
import { createMemberMirror } from "../../accounts/member-mirror.ts";
import type { Engine } from "../../database/database.ts";
import { createKeyedHash, createSeal } from "../../seal.ts";
import { createSessions } from "../../sessions/sessions.ts";
import { ProviderError } from "./line.ts";
import { createProviderTokens } from "./tokens.ts";

const SECRET = "a secret of the tests";

async function openApp(engine: Engine, { requireKey = async () => {} } = {}) {
  const database = await openTestDatabase(engine);
  const keyedHash = (purpose: string) => createKeyedHash(SECRET, purpose);
  const services = { ...createTestContext(database.db, { keyedHash }), hash: keyedHash("session") };
  const { clock } = services;
  const sessions = createSessions(services);
  const open = (secret = SECRET) =>
    createProviderTokens({ ...services, sessions, requireKey, seal: createSeal(secret, "provider-token") });
  const mirror = createMemberMirror(services);
  for (const id of [1, 2]) await mirror.remember({ id, email: `m${id}@app.example` });
  const enter = async (memberId: number, token: string) => {
    clock.advance(1000);
    const session = await sessions.start(memberId);
    await open().keep(session.token, { memberId, token });
    return session.token;
  };
  return {
    tokens: open(),
    open,
    sessions,
    enter,
    database,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe.each(engines)("on %s", (engine) => {
  test("a token is found by its member, the newest first, and nobody can read it at rest", async () => {
    await using app = await openApp(engine);
    await app.enter(1, "first");
    await app.enter(2, "another's");
    await app.enter(1, "second");
    expect(await app.tokens.find(1)).toMatchObject({ memberId: 1, token: "second" });
    expect(await app.tokens.find(3)).toBeUndefined();
    expect((await app.tokens.listNewest(2)).map(({ token }) => token)).toEqual(["second", "another's"]);
    const second = await app.tokens.find(1);
    const others = await app.tokens.listNewest(2, [second?.sessionHash ?? ""]);
    expect(others.map(({ token }) => token)).toEqual(["another's", "first"]);
    const rows = await app.database.db.selectFrom("provider_tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/first|second|another/);
  });

  test("it goes with its session, and its session with it", async () => {
    await using app = await openApp(engine);
    const [phone, desk] = [await app.enter(1, "phone"), await app.enter(1, "desk")];
    expect(await app.tokens.isKept(desk)).toBe(true);
    await app.sessions.end(desk);
    expect(await app.tokens.isKept(desk)).toBe(false);
    const held = await app.tokens.find(1);
    expect(held?.token).toBe("phone");
    if (held) await app.tokens.drop(held);
    expect(await app.sessions.find(phone)).toBeUndefined();
    expect(await app.tokens.find(1)).toBeUndefined();
  });

  test("where it is our key that the provider does not take, nobody is logged out", async () => {
    const requireKey = async () => {
      throw new ProviderError("our key", { isUnreachable: true });
    };
    await using app = await openApp(engine, { requireKey });
    const token = await app.enter(1, "good");
    const held = await app.tokens.find(1);
    if (!held) throw new Error("There is none");
    await expect(app.tokens.drop(held)).rejects.toThrow("our key");
    expect(await app.sessions.find(token)).toBeDefined();
  });

  test("what was sealed with another secret is none", async () => {
    await using app = await openApp(engine);
    await app.enter(1, "good");
    expect(await app.open("another secret").find(1)).toBeUndefined();
    expect(await app.open("another secret").listNewest(5)).toEqual([]);
  });
});
