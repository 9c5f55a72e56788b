import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestAccounts } from "../../tests/helpers/test-accounts.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import type { Engine } from "../database/database.ts";
import { createMemberMirror } from "./member-mirror.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  return {
    accounts: createTestAccounts(ctx).accounts,
    mirror: createMemberMirror(ctx),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const ada = {
  id: 7001,
  email: "Ada@App.example",
  firstName: "Ada",
  lastName: "Lovell",
  accountType: "corporate",
} as const;

describe.each(engines)("on %s", (engine) => {
  test("a member stands here under the number they have elsewhere", async () => {
    await using app = await openApp(engine);
    expect(await app.mirror.remember(ada)).toEqual(ada);
    expect(await app.accounts.findMember(7001)).toEqual(ada);
    expect(await app.accounts.findByEmail("ada@app.example")).toEqual(ada);
    expect(await app.mirror.findId("ada@app.example ")).toBe(7001);
    expect(await app.mirror.findId("nobody@app.example")).toBeUndefined();
  });

  test("what is told anew counts, what is not told stays", async () => {
    await using app = await openApp(engine);
    await app.mirror.remember(ada);
    const told = { id: 7001, email: "ada@new.example", firstName: "Adele", lastName: "" };
    expect(await app.mirror.remember(told)).toEqual({ ...ada, email: "ada@new.example", firstName: "Adele" });
    expect(await app.accounts.findByEmail("ada@app.example")).toBeUndefined();
  });

  test("an address that changed hands elsewhere belongs to who was seen with it last", async () => {
    await using app = await openApp(engine);
    await app.mirror.remember(ada);
    await app.mirror.remember({ ...ada, id: 7002, email: "ADA@app.example" });
    expect((await app.accounts.findByEmail(ada.email))?.id).toBe(7002);
    expect(await app.accounts.findMember(7001)).toMatchObject({ firstName: "Ada" });
    await app.mirror.remember({ ...ada, email: "ada@elsewhere.example" });
    expect((await app.accounts.findByEmail("ada@elsewhere.example"))?.id).toBe(7001);
  });

  test("no password is theirs, and texts that no column could hold are made to fit", async () => {
    await using app = await openApp(engine);
    const odd = { ...ada, firstName: "A\0da", lastName: "x".repeat(5000) };
    const member = await app.mirror.remember(odd);
    expect(member.firstName).toBe("Ada");
    expect(member.lastName.length).toBeLessThan(300);
    for (const password of ["", "*", "sleep-well-tonight"]) {
      expect(await app.accounts.findMemberByPassword(ada.email, password)).toBeUndefined();
    }
  });

  test("whoever is seen twice at once is there once", async () => {
    await using app = await openApp(engine);
    await Promise.all([1, 2, 3].map(() => app.mirror.remember(ada)));
    expect((await app.accounts.list({ page: 1, size: 10 })).total).toBe(1);
  });
});
