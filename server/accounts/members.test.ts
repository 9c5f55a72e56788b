import { describe, expect, test } from "vitest";

import { openAccountApp } from "../../tests/helpers/account-app.ts";
import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestAccounts } from "../../tests/helpers/test-accounts.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import type { Engine } from "../database/database.ts";
import { changeHeld, emailColumns, holdMember, unlessTaken } from "./members.ts";

const people = [
  { firstName: "Ada", lastName: "Lovell", email: "ada@dormouse.example" },
  { firstName: "Élodie", lastName: "Marsh", email: "elodie@dormouse.example" },
  { firstName: "Tom 100%", lastName: "O'Neill", email: "tom_o@dormouse.example" },
  { firstName: "Lena!", lastName: "Marsh", email: "lena@tom.example" },
];

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const { accounts } = createTestAccounts(ctx);
  for (const person of people) {
    await accounts.admit({ ...person, accountType: "individual", passwordHash: "$argon2id$none" }, database.db);
    ctx.clock.advance(1000);
  }
  const list = async (search?: string, page = 1, size = 10) => {
    const { members, total } = await accounts.list({ search, page, size });
    return [total, ...members.map(({ firstName }) => firstName)];
  };
  return { ...database, accounts, list };
}

describe.each(engines)("the list of members on %s", (engine) => {
  test("it is in pages, the newest first, and knows how many there are", async () => {
    await using app = await openApp(engine);
    expect(await app.list(undefined, 1, 3)).toEqual([4, "Lena!", "Tom 100%", "Élodie"]);
    expect(await app.list(undefined, 2, 3)).toEqual([4, "Ada"]);
    expect(await app.list(undefined, 3, 3)).toEqual([4]);
  });

  test.each([
    ["marsh", ["Lena!", "Élodie"]],
    ["ADA LOV", ["Ada"]],
    ["ELODIE@", ["Élodie"]],
    ["Élodie", ["Élodie"]],
    ["dormouse.example", ["Tom 100%", "Élodie", "Ada"]],
    [" tom ", ["Lena!", "Tom 100%"]],
    ["nobody", []],
  ])("searching for %j looks into names and addresses", async (search, found) => {
    await using app = await openApp(engine);
    expect(await app.list(search)).toEqual([found.length, ...found]);
  });

  test.each([
    ["%", ["Tom 100%"]],
    ["_", ["Tom 100%"]],
    ["!", ["Lena!"]],
    ["'", ["Tom 100%"]],
    ["\\", []],
  ])("the sign %j is only itself", async (search, found) => {
    await using app = await openApp(engine);
    expect(await app.list(search)).toEqual([found.length, ...found]);
  });

  test("a member's record says since when, and nothing of the password", async () => {
    await using app = await openApp(engine);
    const ada = await app.accounts.findByEmail("ada@dormouse.example");
    const record = await app.accounts.findRecord(ada?.id ?? 0);
    expect(record).toEqual({
      ...ada,
      createdAt: new Date("2026-11-20T03:00:00.000Z"),
      pendingEmail: undefined,
      closedEmail: undefined,
      eraseAt: undefined,
    });
    expect(await app.accounts.findRecord(999)).toBeUndefined();
  });

  test("an account is erased once, and its number never comes back", async () => {
    await using app = await openApp(engine);
    const { accounts, db } = app;
    const last = await accounts.findByEmail("lena@tom.example");
    expect(await accounts.erase(last?.id ?? 0, db)).toBe(true);
    expect(await accounts.erase(last?.id ?? 0, db)).toBe(false);
    const details = { ...people[3], firstName: "Lena", lastName: "Marsh", email: "lena@tom.example" };
    const next = await accounts.admit({ ...details, accountType: "individual", passwordHash: "$argon2id$none" }, db);
    expect(next?.id).toBeGreaterThan(last?.id ?? Number.POSITIVE_INFINITY);
  });
});

describe.each(engines)("an account in hand on %s", (engine) => {
  test("an address that another takes at the same moment is taken, and nothing is kept", async () => {
    await using app = await openAccountApp(engine);
    await app.register({ email: "bo@dormouse.example" });
    const { db } = app.database;
    // As it goes for two who both found the address free.
    const work = db.transaction().execute(async (trx) => {
      const held = await holdMember(app.memberId, trx);
      if (!held) throw new Error("Ada has gone");
      await changeHeld(held, { columns: { first_name: "Adela" }, trx });
      await changeHeld(held, { columns: emailColumns("Bo@dormouse.example"), trx });
      return "moved";
    });
    expect(await unlessTaken(work, "taken")).toBe("taken");
    expect(await app.services.profile.find(app.memberId)).toMatchObject({ firstName: "Ada" });
  });

  test("any other fault stays one", async () => {
    const work = Promise.reject(new Error("The line is down"));
    await expect(unlessTaken(work, "taken")).rejects.toThrow("The line is down");
  });

  test("there is nothing to hold of an account that is not there", async () => {
    await using app = await openAccountApp(engine);
    expect(await holdMember(999, app.database.db)).toBeUndefined();
  });
});
