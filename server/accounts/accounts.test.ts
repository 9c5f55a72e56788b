import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestAccounts } from "../../tests/helpers/test-accounts.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import type { Engine } from "../database/database.ts";
import type { NewMember } from "./accounts.ts";

const ada: NewMember = {
  email: " Ada@Dormouse.example ",
  password: "sleep-well-tonight",
  firstName: " Ada",
  lastName: "Lovell ",
  accountType: "individual",
};

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const { accounts } = createTestAccounts(createTestContext(database.db));
  return { ...database, accounts };
}

describe.each(engines)("accounts on %s", (engine) => {
  test("a member is found by number, and by address and password", async () => {
    await using app = await openApp(engine);
    const member = await app.accounts.register(ada);
    expect(member).toEqual({
      id: expect.any(Number),
      email: "Ada@Dormouse.example",
      firstName: "Ada",
      lastName: "Lovell",
      accountType: "individual",
    });
    expect(await app.accounts.findMember(member?.id ?? 0)).toEqual(member);
    expect(await app.accounts.findMemberByPassword("ADA@dormouse.example", ada.password)).toEqual(member);
  });

  test("a wrong password and an unknown address find nobody", async () => {
    await using app = await openApp(engine);
    await app.accounts.register(ada);
    expect(await app.accounts.findMemberByPassword(ada.email, "sleep-badly")).toBeUndefined();
    expect(await app.accounts.findMemberByPassword("bo@dormouse.example", ada.password)).toBeUndefined();
    expect(await app.accounts.findMember(999)).toBeUndefined();
  });

  test("ten people take one address at once: one gets it", async () => {
    await using app = await openApp(engine);
    const taken = await Promise.all(Array.from({ length: 10 }, () => app.accounts.register(ada)));
    expect(taken.filter((member) => member !== undefined)).toHaveLength(1);
  });

  test("the password is stored as an Argon2id hash alone", async () => {
    await using app = await openApp(engine);
    await app.accounts.register(ada);
    const rows = JSON.stringify(await app.db.selectFrom("members").selectAll().execute());
    expect(rows).toContain("$argon2id$");
    expect(rows).not.toContain(ada.password);
  });
});
