import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import type { Engine } from "../database/database.ts";
import { createAccounts } from "./accounts.ts";

const people = [
  { firstName: "Ada", lastName: "Lovell", email: "ada@dormouse.example" },
  { firstName: "Élodie", lastName: "Marsh", email: "elodie@dormouse.example" },
  { firstName: "Tom 100%", lastName: "O'Neill", email: "tom_o@dormouse.example" },
  { firstName: "Lena!", lastName: "Marsh", email: "lena@tom.example" },
];

async function openHouse(engine: Engine) {
  const database = await openTestDatabase(engine);
  const clock = createTestClock();
  const accounts = createAccounts({ db: database.db, clock });
  for (const person of people) {
    await accounts.admit({ ...person, accountType: "individual", passwordHash: "$argon2id$none" }, database.db);
    clock.advance(1000);
  }
  const list = async (search?: string, page = 1, size = 10) => {
    const { members, total } = await accounts.list({ search, page, size });
    return [total, ...members.map(({ firstName }) => firstName)];
  };
  return { ...database, accounts, list };
}

describe.each(engines)("the list of members on %s", (engine) => {
  test("it is in pages, the newest first, and knows how many there are", async () => {
    await using house = await openHouse(engine);
    expect(await house.list(undefined, 1, 3)).toEqual([4, "Lena!", "Tom 100%", "Élodie"]);
    expect(await house.list(undefined, 2, 3)).toEqual([4, "Ada"]);
    expect(await house.list(undefined, 3, 3)).toEqual([4]);
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
    await using house = await openHouse(engine);
    expect(await house.list(search)).toEqual([found.length, ...found]);
  });

  test.each([
    ["%", ["Tom 100%"]],
    ["_", ["Tom 100%"]],
    ["!", ["Lena!"]],
    ["'", ["Tom 100%"]],
    ["\\", []],
  ])("the sign %j is only itself", async (search, found) => {
    await using house = await openHouse(engine);
    expect(await house.list(search)).toEqual([found.length, ...found]);
  });

  test("a member's record says since when, and nothing of the password", async () => {
    await using house = await openHouse(engine);
    const ada = await house.accounts.findByEmail("ada@dormouse.example");
    const record = await house.accounts.findRecord(ada?.id ?? 0);
    expect(record).toEqual({
      ...ada,
      createdAt: new Date("2026-11-20T03:00:00.000Z"),
      pendingEmail: undefined,
      closedEmail: undefined,
      eraseAt: undefined,
    });
    expect(await house.accounts.findRecord(999)).toBeUndefined();
  });

  test("an account is erased once, and its number never comes back", async () => {
    await using house = await openHouse(engine);
    const { accounts, db } = house;
    const last = await accounts.findByEmail("lena@tom.example");
    expect(await accounts.erase(last?.id ?? 0, db)).toBe(true);
    expect(await accounts.erase(last?.id ?? 0, db)).toBe(false);
    const details = { ...people[3], firstName: "Lena", lastName: "Marsh", email: "lena@tom.example" };
    const next = await accounts.admit({ ...details, accountType: "individual", passwordHash: "$argon2id$none" }, db);
    expect(next?.id).toBeGreaterThan(last?.id ?? Number.POSITIVE_INFINITY);
  });
});
