import { createHook } from "node:async_hooks";
import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import {
  ada,
  elsewhere,
  home,
  NEW_PASSWORD,
  openAccountHouse,
  type AccountHouse,
} from "../../tests/helpers/account-house.ts";
import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

const nobody = "nobody@dormouse.example";
const password = { password: NEW_PASSWORD, confirmation: NEW_PASSWORD };

/** Asks for a letter to Ada and reads it. */
async function ask(house: AccountHouse): Promise<{ code: string; token: string }> {
  expect(await house.rooms.passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
  return house.readLetter(ada.email, "Choose a new password");
}

async function askForGrant(house: AccountHouse): Promise<string> {
  const { code } = await ask(house);
  const checked = await house.rooms.passwordReset.checkCode({ ...home, email: ada.email, code });
  if (!checked.ok) throw new Error(checked.reason);
  return checked.grant;
}

function wrongFor(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

describe.each(engines)("a forgotten password on %s", (engine) => {
  test("the code of the letter leads to a new password, and every session ends", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const tokens = [await house.start(), await house.start()];
    const { code } = await ask(house);
    expect(code).toMatch(/^\d{6}$/);
    const checked = await passwordReset.checkCode({ ...home, email: " ADA@dormouse.example ", code: `${code} ` });
    if (!checked.ok) throw new Error(checked.reason);
    expect(await house.isLoggedIn(tokens[0] ?? "")).toBe(true);
    expect(await passwordReset.setPassword({ grant: checked.grant, ...password })).toEqual({ ok: true });

    for (const token of tokens) expect(await house.isLoggedIn(token)).toBe(false);
    expect(await house.canLogIn(ada.email, ada.password)).toBe(false);
    expect(await house.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
    expect((await house.findLetter(ada.email))?.subject).toBe("Your password was changed");
  });

  test("the link works on another device, where looking at it changes nothing", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const { token } = await ask(house);
    expect((await house.findLetter(ada.email))?.text).toContain(
      `\nhttp://dormouse.test/login?reset=3&token=${token}\n`,
    );
    for (let look = 0; look < 3; look += 1) expect(await passwordReset.peekLink(token)).toBe(true);
    const grant = await passwordReset.useLink(token);
    expect(await passwordReset.setPassword({ grant: grant ?? "", ...password })).toEqual({ ok: true });
    expect(await house.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
  });

  test("code and link are good once, whichever is used", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const first = await ask(house);
    const answer = { ...home, email: ada.email, code: first.code };
    expect(await passwordReset.checkCode(answer)).toMatchObject({ ok: true });
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "expired-code" });
    expect(await passwordReset.peekLink(first.token)).toBe(false);
    expect(await passwordReset.useLink(first.token)).toBeUndefined();

    house.clock.advance(MINUTE_IN_MS);
    const second = await ask(house);
    expect(await passwordReset.useLink(second.token)).toBeDefined();
    expect(await passwordReset.useLink(second.token)).toBeUndefined();
    expect(await passwordReset.checkCode({ ...answer, code: second.code })).toMatchObject({ reason: "expired-code" });
  });

  test("code, link and grant last ten minutes", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const { code, token } = await ask(house);
    house.clock.advance(10 * MINUTE_IN_MS);
    expect(await passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({
      reason: "expired-code",
    });
    expect(await passwordReset.peekLink(token)).toBe(false);
    expect(await passwordReset.useLink(token)).toBeUndefined();

    const grant = await askForGrant(house);
    house.clock.advance(10 * MINUTE_IN_MS);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: false, reason: "grant-over" });
    expect(await house.canLogIn(ada.email, ada.password)).toBe(true);
  });

  test("a grant is good once, and a newer one voids it", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const older = await askForGrant(house);
    house.clock.advance(MINUTE_IN_MS);
    const newer = await askForGrant(house);
    expect(await passwordReset.setPassword({ grant: older, ...password })).toMatchObject({ reason: "grant-over" });
    expect(await passwordReset.setPassword({ grant: newer, ...password })).toEqual({ ok: true });
    expect(await passwordReset.setPassword({ grant: newer, ...password })).toMatchObject({ reason: "grant-over" });
    expect(await passwordReset.setPassword({ grant: "", ...password })).toMatchObject({ reason: "grant-over" });
  });

  test.each([
    ["short", { password: "1234567", confirmation: "1234567" }, "password-short"],
    ["long", { password: "x".repeat(1025), confirmation: "x".repeat(1025) }, "password-long"],
    ["common", { password: "password123", confirmation: "password123" }, "password-common"],
    ["her name", { password: "AdaLovell1", confirmation: "AdaLovell1" }, "password-common"],
    ["the product's", { password: "Dormouse2026", confirmation: "Dormouse2026" }, "password-common"],
    ["not typed alike twice", { password: NEW_PASSWORD, confirmation: "another" }, "password-mismatch"],
  ])("a new password that is %s is refused and leaves the grant as it was", async (_, wanted, reason) => {
    await using house = await openAccountHouse(engine);
    const grant = await askForGrant(house);
    expect(await house.rooms.passwordReset.setPassword({ grant, ...wanted })).toEqual({ ok: false, reason });
    expect(await house.rooms.passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
  });

  test("eight characters will do, and every character of a long one counts", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const eight = "qv7-mw2z";
    const first = { grant: await askForGrant(house), password: eight, confirmation: eight };
    expect(await passwordReset.setPassword(first)).toEqual({ ok: true });
    house.clock.advance(MINUTE_IN_MS);
    const long = `${"quiet hedges ".repeat(8)}1`;
    const second = { grant: await askForGrant(house), password: long, confirmation: long };
    expect(await passwordReset.setPassword(second)).toEqual({ ok: true });
    expect(await house.canLogIn(ada.email, `${long.slice(0, -1)}2`)).toBe(false);
    expect(await house.canLogIn(ada.email, long)).toBe(true);
  });

  test("a code is its address's alone, and an older one is void", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    await house.register({ email: "bo@dormouse.example" });
    const older = await ask(house);
    const asBo = { ...home, email: "bo@dormouse.example", code: older.code };
    expect(await passwordReset.checkCode(asBo)).toMatchObject({ reason: "expired-code" });
    await passwordReset.request({ ...home, email: "bo@dormouse.example" });
    expect(await passwordReset.checkCode(asBo)).toMatchObject({ ok: false });
    house.clock.advance(MINUTE_IN_MS);
    const newer = await ask(house);
    expect(newer.code).not.toBe("");
    const asAda = { ...home, email: ada.email };
    if (older.code !== newer.code) {
      expect(await passwordReset.checkCode({ ...asAda, code: older.code })).toMatchObject({ reason: "wrong-code" });
    }
    expect(await passwordReset.useLink(older.token)).toBeUndefined();
    expect(await passwordReset.checkCode({ ...asAda, code: newer.code })).toMatchObject({ ok: true });
  });

  test("five wrong codes, from wherever they come, wear out the right one; the link works still", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const { code, token } = await ask(house);
    for (let guess = 1; guess <= 5; guess += 1) {
      const from = { address: `203.0.113.${guess}`, email: ada.email };
      expect(await passwordReset.checkCode({ ...from, code: wrongFor(code) })).toMatchObject({ reason: "wrong-code" });
    }
    const right = { ...home, email: ada.email, code };
    expect(await passwordReset.checkCode(right)).toEqual({ ok: false, reason: "too-many-tries" });
    expect(await passwordReset.useLink(token)).toBeDefined();
  });

  test("eight guesses at once are five tries", async () => {
    await using house = await openAccountHouse(engine);
    const { code } = await ask(house);
    const answer = { ...home, email: ada.email, code: wrongFor(code) };
    const tries = await Promise.all(Array.from({ length: 8 }, () => house.rooms.passwordReset.checkCode(answer)));
    const reasons = tries.map((result) => (result.ok ? "right" : result.reason)).toSorted();
    expect(reasons).toEqual([...Array<string>(3).fill("too-many-tries"), ...Array<string>(5).fill("wrong-code")]);
  });

  test("asked again within a minute there is the same answer and no second letter", async () => {
    await using house = await openAccountHouse(engine);
    const { code } = await ask(house);
    house.clock.advance(59 * SECOND_IN_MS);
    expect((await ask(house)).code).toBe(code);
    expect(house.letters).toHaveLength(1);
    expect(await house.rooms.passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({ ok: true });
  });

  test("an address without an account gets the same answers and no letter", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset, outbox } = house.rooms;
    const answer = { ...home, email: nobody, code: "123456" };
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "expired-code" });
    expect(await passwordReset.request({ ...home, email: nobody })).toEqual({ ok: true });
    expect(await outbox.list({ limit: 9 })).toEqual([]);
    for (let guess = 1; guess <= 5; guess += 1) {
      expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "wrong-code" });
    }
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "too-many-tries" });
    expect(house.letters).toEqual([]);
  });

  test("what is no address is refused", async () => {
    await using house = await openAccountHouse(engine);
    for (const email of ["", "ada", "ada@dormouse", "a b@dormouse.example"]) {
      expect(await house.rooms.passwordReset.request({ ...home, email })).toEqual({
        ok: false,
        reason: "email-invalid",
      });
    }
  });

  test("known or not, an address costs the same statements and no password hash", async () => {
    const database = await openTestDatabase(engine);
    const counter = countStatements();
    await using house = await openAccountHouse(engine, {
      database: { ...database, db: database.db.withPlugin(counter.plugin) },
    });
    const { passwordReset } = house.rooms;
    const logIn = () => house.rooms.logIn({ ...home, email: nobody, password: "which-was-it" });
    await logIn();
    expect((await counter.measure(logIn)).hashes).toBe(1);

    /** Every step a person can take without knowing a code. */
    async function costsOf(email: string) {
      const wrong = { ...home, email, code: "x" };
      const pass = () => house.clock.advance(10 * MINUTE_IN_MS);
      const costs = [
        await counter.measure(() => passwordReset.checkCode(wrong)),
        await counter.measure(() => passwordReset.request({ ...home, email })),
        await counter.measure(() => passwordReset.request({ ...home, email })),
        await counter.measure(() => passwordReset.checkCode(wrong)),
      ];
      pass();
      return [...costs, await counter.measure(() => passwordReset.checkCode(wrong))];
    }

    const known = await costsOf(ada.email);
    expect(await costsOf(nobody)).toEqual(known);
    for (const { statements, hashes } of known) {
      expect(statements).toBeGreaterThan(3);
      expect(hashes).toBe(0);
    }
  });

  test("an address gets six letters an hour, and its owner elsewhere still two", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    for (const email of [ada.email, nobody]) {
      for (let letter = 1; letter <= 6; letter += 1) {
        expect(await passwordReset.request({ ...elsewhere, email })).toEqual({ ok: true });
        house.clock.advance(MINUTE_IN_MS);
      }
      const refused = { ok: false, reason: "too-many-attempts", waitInMs: 54 * MINUTE_IN_MS };
      expect(await passwordReset.request({ ...elsewhere, email })).toEqual(refused);
      for (let letter = 1; letter <= 2; letter += 1) {
        expect(await passwordReset.request({ ...home, email })).toEqual({ ok: true });
        house.clock.advance(MINUTE_IN_MS);
      }
      expect(await passwordReset.request({ ...home, email })).toMatchObject({ reason: "too-many-attempts" });
    }
    await house.rooms.outbox.deliver();
    expect(house.letters).toHaveLength(8);
  });

  test("a network may ask for sixty addresses an hour", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    for (let guess = 0; guess < 60; guess += 1) {
      await passwordReset.request({ ...elsewhere, email: `guess${guess}@dormouse.example` });
    }
    expect(await passwordReset.request({ ...elsewhere, email: ada.email })).toEqual({
      ok: false,
      reason: "too-many-attempts",
      waitInMs: HOUR_IN_MS,
    });
    expect(await passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
  });

  test("codes of one address are tried thirty times an hour, over all letters and from everywhere", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    for (let guess = 1; guess <= 30; guess += 1) {
      await passwordReset.checkCode({ address: `203.0.113.${guess}`, email: ada.email, code: "x" });
    }
    const { code, token } = await ask(house);
    expect(await passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({
      reason: "too-many-attempts",
    });
    expect(await passwordReset.useLink(token)).toBeDefined();
  });

  test("whoever closed the door with wrong passwords gets in with the new one", async () => {
    await using house = await openAccountHouse(engine);
    const { logIn, passwordReset } = house.rooms;
    const from = { address: home.address, email: ada.email };
    for (let guess = 0; guess < 10; guess += 1) await logIn({ ...from, password: "which-was-it" });
    expect(await logIn({ ...from, password: ada.password })).toMatchObject({ reason: "too-many-attempts" });
    const grant = await askForGrant(house);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
    expect(await logIn({ ...from, password: NEW_PASSWORD })).toMatchObject({ ok: true });
  });

  test("ten tabs type the code at once: one gets a grant; ten use the grant: one sets the password", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const { code, token } = await ask(house);
    const answer = { ...home, email: ada.email, code };
    const ways = [...Array.from({ length: 4 }, () => passwordReset.checkCode(answer)), passwordReset.useLink(token)];
    const grants = (await Promise.all(ways)).flatMap((way) =>
      typeof way === "string" ? [way] : way?.ok ? [way.grant] : [],
    );
    expect(grants).toHaveLength(1);

    const wishes = Array.from({ length: 10 }, (_, tab) => `${NEW_PASSWORD}-${tab}`);
    const results = await Promise.all(
      wishes.map((wish) => passwordReset.setPassword({ grant: grants[0] ?? "", password: wish, confirmation: wish })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = wishes[results.findIndex(({ ok }) => ok)] ?? "";
    expect(await house.canLogIn(ada.email, winner)).toBe(true);
    await house.rooms.outbox.deliver();
    expect(house.letters.filter(({ subject }) => subject === "Your password was changed")).toHaveLength(1);
  });

  test("neither code, token nor address can be read in the database", async () => {
    await using house = await openAccountHouse(engine);
    const { code, token } = await ask(house);
    const grant = await askAnew(house);
    await house.rooms.passwordReset.request({ ...home, email: nobody });
    const rows = await house.database.db.selectFrom("challenges").selectAll().execute();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const letters = await house.database.db.selectFrom("letters").selectAll().execute();
    const text = JSON.stringify([rows, letters.map(({ body, key }) => [body, key])]);
    for (const secret of [`"${code}"`, token, grant, nobody, ada.email.toLowerCase()]) {
      expect(text).not.toContain(secret);
    }
  });

  test("a reset gives up an address that waits for its proof", async () => {
    await using house = await openAccountHouse(engine);
    const { profile, passwordReset } = house.rooms;
    await house.askForAddress("thief@elsewhere.example");
    const { token } = await house.readLetter("thief@elsewhere.example");
    const grant = await askForGrant(house);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
    expect(await profile.find(house.memberId)).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
  });

  test("a session that starts with the old password while it is reset does not outlive it", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset, logIn } = house.rooms;
    for (let round = 0; round < 3; round += 1) {
      const grant = await askForGrant(house);
      const [old, next] = [round === 0 ? ada.password : `${NEW_PASSWORD}${round}`, `${NEW_PASSWORD}${round + 1}`];
      const [set, ...started] = await Promise.all([
        passwordReset.setPassword({ grant, password: next, confirmation: next }),
        ...Array.from({ length: 8 }, () => logIn({ address: "192.0.2.1", email: ada.email, password: old })),
      ]);
      expect(set).toEqual({ ok: true });
      for (const result of started) if (result.ok) expect(await house.isLoggedIn(result.session.token)).toBe(false);
      house.clock.advance(HOUR_IN_MS);
    }
  });
});

async function askAnew(house: AccountHouse): Promise<string> {
  house.clock.advance(MINUTE_IN_MS);
  const grant = await askForGrant(house);
  house.clock.advance(MINUTE_IN_MS);
  await ask(house);
  return grant;
}

/** Counts what a piece of work asks of the database, and how often it works out a password's hash. */
function countStatements() {
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    plugin,
    async measure(work: () => Promise<unknown>): Promise<{ statements: number; hashes: number }> {
      let hashes = 0;
      const hook = createHook({
        init(_, type) {
          if (type === "ARGON2REQUEST") hashes += 1;
        },
      }).enable();
      const before = statements;
      await work();
      hook.disable();
      return { statements: statements - before, hashes };
    },
  };
}
