import { createHook } from "node:async_hooks";
import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import { askForAllEmails, unknownEmail, openMemberApp } from "../../../tests/helpers/account.ts";
import {
  addMember,
  ada,
  askForAddress,
  canLogIn,
  elsewhere,
  home,
  isLoggedIn,
  NEW_PASSWORD,
  readEmail,
  type AppOptions,
} from "../../../tests/helpers/app.ts";
import { engines, openTestDatabase } from "../../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

const GRANT_OVER = { ok: false, reason: "grant-over" };
const TOO_MANY = { reason: "too-many-attempts" };

async function openAccount(options: AppOptions = {}) {
  const app = await openMemberApp(options);
  const { passwordReset: reset } = app;
  const ask = async () => {
    expect(await reset.request({ ...home, email: ada.email })).toEqual({ ok: true });
    return readEmail(app, ada.email, "Choose a new password");
  };
  const check = (code: string, from = {}) => reset.checkCode({ ...home, email: ada.email, code, ...from });
  const askForGrant = async (): Promise<string> => {
    const checked = await check((await app.requestReset()).code);
    if (!checked.ok) throw new Error(checked.reason);
    return checked.grant;
  };
  return { ...app, reset, ask, check, askForGrant };
}

describe("a forgotten password", () => {
  test("has a code and a link, of which one works once", async () => {
    await using app = await openAccount();
    const first = await app.ask();
    expect(await app.check(first.code)).toMatchObject({ ok: true });
    expect(await app.check(first.code)).toEqual({ ok: false, reason: "expired-code" });
    expect(await app.reset.peekLink(first.token)).toBe(false);
    expect(await app.reset.useLink(first.token)).toBeUndefined();

    app.clock.advance(MINUTE_IN_MS);
    const second = await app.ask();
    expect(await app.reset.useLink(second.token)).toBeDefined();
    expect(await app.reset.useLink(second.token)).toBeUndefined();
    expect(await app.check(second.code)).toMatchObject({ reason: "expired-code" });
  });

  test("has a grant that works once within ten minutes, and a newer one voids it", async () => {
    await using app = await openAccount();
    const [older, newer] = [await app.askForGrant(), await app.askForGrant()];
    expect(await app.setPassword(older)).toEqual(GRANT_OVER);
    expect(await app.setPassword(newer)).toEqual({ ok: true });
    for (const grant of [newer, ""]) expect(await app.setPassword(grant)).toEqual(GRANT_OVER);
    const late = await app.askForGrant();
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await app.setPassword(late)).toEqual(GRANT_OVER);
  });

  test("has a code that works for its address only, and a newer one voids it", async () => {
    await using app = await openAccount();
    const bo = { email: "bo@dormouse.example" };
    await addMember(app, bo);
    const older = await app.ask();
    expect(await app.check(older.code, bo)).toMatchObject({ reason: "expired-code" });
    await app.reset.request({ ...home, ...bo });
    expect(await app.check(older.code, bo)).toMatchObject({ ok: false });
    app.clock.advance(MINUTE_IN_MS);
    const newer = await app.ask();
    if (older.code !== newer.code) expect(await app.check(older.code)).toMatchObject({ reason: "wrong-code" });
    expect(await app.reset.useLink(older.token)).toBeUndefined();
    expect(await app.check(newer.code)).toMatchObject({ ok: true });
  });

  test("cancels a pending new address when the password is replaced", async () => {
    await using app = await openAccount();
    await askForAddress(app, app.memberId, "thief@elsewhere.example");
    const { token } = await readEmail(app, "thief@elsewhere.example");
    expect(await app.setPassword(await app.askForGrant())).toEqual({ ok: true });
    expect(await app.findProfile()).toMatchObject({ pendingEmail: undefined });
    expect(await app.profile.confirmEmailByLink(token)).toBe("over");
  });

  test("lifts the lock that wrong passwords had set", async () => {
    await using app = await openAccount();
    const from = { address: home.address, email: ada.email };
    for (let guess = 0; guess < 10; guess += 1) await app.logIn({ ...from, password: "which-was-it" });
    expect(await app.logIn({ ...from, password: ada.password })).toMatchObject(TOO_MANY);
    expect(await app.setPassword(await app.askForGrant())).toEqual({ ok: true });
    expect(await app.logIn({ ...from, password: NEW_PASSWORD })).toMatchObject({ ok: true });
  });
});

describe("the limits of a reset", () => {
  test("an address gets six emails an hour, and its owner on another network two more", async () => {
    await using app = await openAccount();
    await askForAllEmails(app, app.reset.request);
    await app.outbox.deliver();
    expect(app.emails).toHaveLength(8);
  });

  test("a network may ask for sixty addresses an hour", async () => {
    await using app = await openAccount();
    const request = (email: string, from = elsewhere) => app.reset.request({ ...from, email });
    for (let guess = 0; guess < 60; guess += 1) await request(`guess${guess}@dormouse.example`);
    expect(await request(ada.email)).toEqual({ ok: false, ...TOO_MANY, waitInMs: HOUR_IN_MS });
    expect(await request(ada.email, home)).toEqual({ ok: true });
  });

  test("codes of one address may be tried thirty times an hour, over all emails and networks", async () => {
    await using app = await openAccount();
    for (let guess = 1; guess <= 30; guess += 1) await app.check("x", { address: `203.0.113.${guess}` });
    const { code, token } = await app.ask();
    expect(await app.check(code)).toMatchObject(TOO_MANY);
    expect(await app.reset.useLink(token)).toBeDefined();
  });
});

describe("the secrecy of a reset", () => {
  test("an address without an account gets the same answers and no email, and an invalid address is refused", async () => {
    await using app = await openAccount();
    const guess = () => app.check("123456", { email: unknownEmail });
    expect(await guess()).toEqual({ ok: false, reason: "expired-code" });
    expect(await app.reset.request({ ...home, email: unknownEmail })).toEqual({ ok: true });
    expect(await app.outbox.list({ limit: 9 })).toEqual([]);
    for (let count = 1; count <= 5; count += 1) expect(await guess()).toEqual({ ok: false, reason: "wrong-code" });
    expect(await guess()).toEqual({ ok: false, reason: "too-many-tries" });
    for (const email of ["", "ada", "ada@dormouse", "a b@dormouse.example"]) {
      expect(await app.reset.request({ ...home, email })).toEqual({ ok: false, reason: "email-invalid" });
    }
    expect(app.emails).toEqual([]);
  });

  test("a known and an unknown address cost the same statements and no password hash", async () => {
    const database = await openTestDatabase("sqlite");
    const counter = countStatements();
    await using app = await openAccount({
      database: { ...database, db: database.db.withPlugin(counter.plugin) },
    });
    const logIn = () => app.logIn({ ...home, email: unknownEmail, password: "which-was-it" });
    await logIn();
    expect((await counter.measure(logIn)).hashes).toBe(1);

    /** Measures every step that needs no code. */
    async function measureCosts(email: string) {
      const check = () => app.check("x", { email });
      const request = () => app.reset.request({ ...home, email });
      const costs = [];
      for (const step of [check, request, request, check]) costs.push(await counter.measure(step));
      app.clock.advance(10 * MINUTE_IN_MS);
      return [...costs, await counter.measure(check)];
    }

    const known = await measureCosts(ada.email);
    expect(await measureCosts(unknownEmail)).toEqual(known);
    for (const { statements, hashes } of known) {
      expect(statements).toBeGreaterThan(3);
      expect(hashes).toBe(0);
    }
  });

  test("neither code, token nor address can be read in the database", async () => {
    await using app = await openAccount();
    const grant = await app.askForGrant();
    app.clock.advance(MINUTE_IN_MS);
    const { code, token } = await app.ask();
    await app.reset.request({ ...home, email: unknownEmail });
    const rows = await app.db.selectFrom("challenges").selectAll().execute();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const emails = await app.db.selectFrom("emails").selectAll().execute();
    const text = JSON.stringify([rows, emails.map(({ body, key }) => [body, key])]);
    for (const secret of [`"${code}"`, token, grant, unknownEmail, ada.email.toLowerCase()]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe.each(engines)("resets at once on %s", (engine) => {
  test("of ten tabs that type the code one gets a grant, and of ten that use it one sets the password", async () => {
    await using app = await openAccount({ engine });
    const { code, token } = await app.ask();
    const ways = [...Array.from({ length: 4 }, () => app.check(code)), app.reset.useLink(token)];
    const grants = (await Promise.all(ways)).flatMap((way) =>
      typeof way === "string" ? [way] : way?.ok ? [way.grant] : [],
    );
    expect(grants).toHaveLength(1);

    const passwords = Array.from({ length: 10 }, (_, tab) => `${NEW_PASSWORD}-${tab}`);
    const results = await Promise.all(passwords.map((password) => app.setPassword(grants[0], password)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = passwords[results.findIndex(({ ok }) => ok)] ?? "";
    expect(await canLogIn(app, ada.email, winner)).toBe(true);
    await app.outbox.deliver();
    expect(app.emails.filter(({ subject }) => subject === "Your password was changed")).toHaveLength(1);
  });

  test("a session that starts with the old password while it is reset does not outlive it", async () => {
    await using app = await openAccount({ engine });
    for (let round = 0; round < 3; round += 1) {
      const grant = await app.askForGrant();
      const [old, next] = [round === 0 ? ada.password : `${NEW_PASSWORD}${round}`, `${NEW_PASSWORD}${round + 1}`];
      const [set, ...started] = await Promise.all([
        app.setPassword(grant, next),
        ...Array.from({ length: 8 }, () => app.logIn({ address: "192.0.2.1", email: ada.email, password: old })),
      ]);
      expect(set).toEqual({ ok: true });
      for (const result of started) if (result.ok) expect(await isLoggedIn(app, result.session.token)).toBe(false);
      app.clock.advance(HOUR_IN_MS);
    }
  });
});

/** Counts the statements and password hashes of some work. */
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
