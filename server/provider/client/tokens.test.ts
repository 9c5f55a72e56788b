import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { createTestContext } from "../../../tests/helpers/test-context.ts";
import { createMemberMirror } from "../../accounts/member-mirror.ts";
import type { Engine } from "../../database/database.ts";
import { createKeyedHash } from "../../keyed-hash.ts";
import { createSeal } from "../../seal.ts";
import { createSessions } from "../../sessions/sessions.ts";
import { ProviderError } from "./line.ts";
import { createProviderTokens } from "./tokens.ts";

const SECRET = "a secret of the tests";

async function openHouse(engine: Engine, { requireKey = async () => {} } = {}) {
  const database = await openTestDatabase(engine);
  const keyedHash = (purpose: string) => createKeyedHash(SECRET, purpose);
  const rooms = { ...createTestContext(database.db, { keyedHash }), hash: keyedHash("session") };
  const { clock } = rooms;
  const sessions = createSessions(rooms);
  const open = (secret = SECRET) =>
    createProviderTokens({ ...rooms, sessions, requireKey, seal: createSeal(secret, "provider-token") });
  const mirror = createMemberMirror(rooms);
  for (const id of [1, 2]) await mirror.remember({ id, email: `m${id}@house.example` });
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
    await using house = await openHouse(engine);
    await house.enter(1, "first");
    await house.enter(2, "another's");
    await house.enter(1, "second");
    expect(await house.tokens.find(1)).toMatchObject({ memberId: 1, token: "second" });
    expect(await house.tokens.find(3)).toBeUndefined();
    expect((await house.tokens.listNewest(2)).map(({ token }) => token)).toEqual(["second", "another's"]);
    const second = await house.tokens.find(1);
    const others = await house.tokens.listNewest(2, [second?.sessionHash ?? ""]);
    expect(others.map(({ token }) => token)).toEqual(["another's", "first"]);
    const rows = await house.database.db.selectFrom("provider_tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/first|second|another/);
  });

  test("it goes with its session, and its session with it", async () => {
    await using house = await openHouse(engine);
    const [phone, desk] = [await house.enter(1, "phone"), await house.enter(1, "desk")];
    expect(await house.tokens.isKept(desk)).toBe(true);
    await house.sessions.end(desk);
    expect(await house.tokens.isKept(desk)).toBe(false);
    const held = await house.tokens.find(1);
    expect(held?.token).toBe("phone");
    if (held) await house.tokens.drop(held);
    expect(await house.sessions.find(phone)).toBeUndefined();
    expect(await house.tokens.find(1)).toBeUndefined();
  });

  test("where it is our key that the provider does not take, nobody is logged out", async () => {
    const requireKey = async () => {
      throw new ProviderError("our key", { isUnreachable: true });
    };
    await using house = await openHouse(engine, { requireKey });
    const token = await house.enter(1, "good");
    const held = await house.tokens.find(1);
    if (!held) throw new Error("There is none");
    await expect(house.tokens.drop(held)).rejects.toThrow("our key");
    expect(await house.sessions.find(token)).toBeDefined();
  });

  test("what was sealed with another secret is none", async () => {
    await using house = await openHouse(engine);
    await house.enter(1, "good");
    expect(await house.open("another secret").find(1)).toBeUndefined();
    expect(await house.open("another secret").listNewest(5)).toEqual([]);
  });
});
