import { expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { createMemberMirror } from "../../members/accounts/member-mirror.ts";
import { createSeal } from "../../platform/seal.ts";
import { createSessions, hashToken } from "../../members/sessions/sessions.ts";
import { dropToken, findSessionToken, findToken, keepToken, listNewestTokens } from "./tokens.ts";

const SECRET = "a secret of the tests";

async function openTokens() {
  const app = await openApp();
  const { ctx, db } = app;
  const sessions = createSessions(ctx);
  const open = (secret = SECRET) => {
    const client = { requireKey: async () => {}, call: () => Promise.reject(new Error("no call is made")) };
    const seal = createSeal(secret, "provider-token");
    const seals = { token: seal, joiningToken: seal, password: seal, grant: seal };
    return { ...ctx, sessions, client, seals };
  };
  const mirror = createMemberMirror(ctx);
  for (const id of [1, 2]) await mirror.remember({ id, email: `m${id}@app.example` });
  const enter = async (memberId: number, token: string) => {
    ctx.clock.advance(1000);
    const session = await sessions.start(memberId);
    await keepToken(open(), session.token, { memberId, token });
    return session.token;
  };
  return { open, ctx: open(), sessions, enter, db, [Symbol.asyncDispose]: app[Symbol.asyncDispose] };
}

test("a token is found by its member, the newest first, and is encrypted at rest", async () => {
  await using app = await openTokens();
  await app.enter(1, "first");
  await app.enter(2, "another's");
  await app.enter(1, "second");
  expect(await findToken(app.ctx, 1)).toMatchObject({ memberId: 1, token: "second" });
  expect(await findToken(app.ctx, 3)).toBeUndefined();
  expect((await listNewestTokens(app.ctx, 2)).map(({ token }) => token)).toEqual(["second", "another's"]);
  const second = await findToken(app.ctx, 1);
  const others = await listNewestTokens(app.ctx, 2, [second?.sessionHash ?? ""]);
  expect(others.map(({ token }) => token)).toEqual(["another's", "first"]);
  const rows = await app.db.selectFrom("providerTokens").selectAll().execute();
  expect(JSON.stringify(rows)).not.toMatch(/first|second|another/);
});

test("a token is deleted with its session, and a session with its token", async () => {
  await using app = await openTokens();
  const [phone, desk] = [await app.enter(1, "phone"), await app.enter(1, "desk")];
  const find = (sessionToken: string) => findSessionToken(app.ctx, hashToken(app.ctx, sessionToken));
  expect(await find(desk)).toMatchObject({ token: "desk" });
  await app.sessions.end(desk);
  expect(await find(desk)).toBeUndefined();
  const held = await findToken(app.ctx, 1);
  expect(held?.token).toBe("phone");
  if (held) await dropToken(app.ctx, held);
  expect(await app.sessions.find(phone)).toBeUndefined();
  expect(await findToken(app.ctx, 1)).toBeUndefined();
});

test("a token sealed with another secret is not found", async () => {
  await using app = await openTokens();
  await app.enter(1, "good");
  expect(await findToken(app.open("another secret"), 1)).toBeUndefined();
  expect(await listNewestTokens(app.open("another secret"), 5)).toEqual([]);
});
