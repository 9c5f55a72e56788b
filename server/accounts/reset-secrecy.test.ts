import { createHook } from "node:async_hooks";
import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import { ada, home, openAccountApp, type AccountApp } from "../../tests/helpers/account-app.ts";
import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { ask, askForGrant, nobody } from "../../tests/helpers/reset-app.ts";
import { MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("a forgotten password on %s", (engine) => {
  test("an address without an account gets the same answers and no email", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset, outbox } = app.services;
    const answer = { ...home, email: nobody, code: "123456" };
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "expired-code" });
    expect(await passwordReset.request({ ...home, email: nobody })).toEqual({ ok: true });
    expect(await outbox.list({ limit: 9 })).toEqual([]);
    for (let guess = 1; guess <= 5; guess += 1) {
      expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "wrong-code" });
    }
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "too-many-tries" });
    expect(app.emails).toEqual([]);
  });

  test("what is no address is refused", async () => {
    await using app = await openAccountApp(engine);
    for (const email of ["", "ada", "ada@dormouse", "a b@dormouse.example"]) {
      expect(await app.services.passwordReset.request({ ...home, email })).toEqual({
        ok: false,
        reason: "email-invalid",
      });
    }
  });

  test("known or not, an address costs the same statements and no password hash", async () => {
    const database = await openTestDatabase(engine);
    const counter = countStatements();
    await using app = await openAccountApp(engine, {
      database: { ...database, db: database.db.withPlugin(counter.plugin) },
    });
    const { passwordReset } = app.services;
    const logIn = () => app.services.logIn({ ...home, email: nobody, password: "which-was-it" });
    await logIn();
    expect((await counter.measure(logIn)).hashes).toBe(1);

    /** Every step a person can take without knowing a code. */
    async function costsOf(email: string) {
      const wrong = { ...home, email, code: "x" };
      const pass = () => app.clock.advance(10 * MINUTE_IN_MS);
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

  test("neither code, token nor address can be read in the database", async () => {
    await using app = await openAccountApp(engine);
    const { code, token } = await ask(app);
    const grant = await askAnew(app);
    await app.services.passwordReset.request({ ...home, email: nobody });
    const rows = await app.database.db.selectFrom("challenges").selectAll().execute();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const emails = await app.database.db.selectFrom("letters").selectAll().execute();
    const text = JSON.stringify([rows, emails.map(({ body, key }) => [body, key])]);
    for (const secret of [`"${code}"`, token, grant, nobody, ada.email.toLowerCase()]) {
      expect(text).not.toContain(secret);
    }
  });
});

async function askAnew(app: AccountApp): Promise<string> {
  app.clock.advance(MINUTE_IN_MS);
  const grant = await askForGrant(app);
  app.clock.advance(MINUTE_IN_MS);
  await ask(app);
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
