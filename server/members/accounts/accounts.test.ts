import { describe, expect, test } from "vitest";

import { addMember, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import type { NewMember } from "./accounts.ts";
import { createMemberMirror } from "./member-mirror.ts";
import { changeHeld, emailColumns, holdMember, unlessTaken } from "./members.ts";

const ada: NewMember = {
  email: " Ada@Dormouse.example ",
  password: "sleep-well-tonight",
  firstName: " Ada",
  lastName: "Lovell ",
  accountType: "individual",
};

describe.each(engines)("accounts on %s", (engine) => {
  test("finds a member by number, or by address and password, and by nothing else", async () => {
    await using app = await openApp({ engine });
    const member = await app.services.accounts.register(ada);
    const details = { email: "Ada@Dormouse.example", firstName: "Ada", lastName: "Lovell", accountType: "individual" };
    expect(member).toEqual({ id: expect.any(Number), ...details });
    expect(await app.services.accounts.findMember(member?.id ?? 0)).toEqual(member);
    expect(await app.services.accounts.findMemberByPassword("ADA@dormouse.example", ada.password)).toEqual(member);
    expect(await app.services.accounts.findMemberByPassword(ada.email, "sleep-badly")).toBeUndefined();
    expect(await app.services.accounts.findMemberByPassword("bo@dormouse.example", ada.password)).toBeUndefined();
    expect(await app.services.accounts.findMember(999)).toBeUndefined();
  });

  test("ten people take one address at once: one gets it, with an Argon2id hash of the password alone", async () => {
    await using app = await openApp({ engine });
    const taken = await Promise.all(Array.from({ length: 10 }, () => app.services.accounts.register(ada)));
    expect(taken.filter((member) => member !== undefined)).toHaveLength(1);
    const rows = JSON.stringify(await app.db.selectFrom("members").selectAll().execute());
    expect(rows).toContain("$argon2id$");
    expect(rows).not.toContain(ada.password);
  });

  test("a member's record has the date of joining and no password; an erased member's number is never reused", async () => {
    await using app = await openApp({ engine });
    const { db } = app;
    const { accounts } = app.services;
    const member = await accounts.register(ada);
    const id = member?.id ?? 0;
    const unset = { pendingEmail: undefined, closedEmail: undefined, eraseAt: undefined };
    expect(await accounts.findRecord(id)).toEqual({ ...member, createdAt: app.clock(), ...unset });
    expect(await accounts.findRecord(999)).toBeUndefined();
    expect([await accounts.erase(id, db), await accounts.erase(id, db)]).toEqual([true, false]);
    expect((await accounts.register(ada))?.id).toBeGreaterThan(id);
  });

  test("an address that another member takes at the same moment is refused, and the whole change is rolled back", async () => {
    await using app = await openApp({ engine });
    const { id } = await addMember(app);
    await addMember(app, { email: "bo@dormouse.example" });
    const { db } = app;
    // Two requests that both found the address free.
    const work = db.transaction().execute(async (trx) => {
      const held = await holdMember(id, trx);
      if (!held) throw new Error("Ada has gone");
      await changeHeld(held, { columns: { firstName: "Adela" }, trx });
      await changeHeld(held, { columns: emailColumns("Bo@dormouse.example"), trx });
      return "moved";
    });
    expect(await unlessTaken(work, "taken")).toBe("taken");
    expect(await app.services.profile.find(id)).toMatchObject({ firstName: "Ada" });
    expect(await holdMember(999, db)).toBeUndefined();
    const fault = Promise.reject(new Error("The line is down"));
    await expect(unlessTaken(fault, "taken")).rejects.toThrow("The line is down");
  });
});

const people = [
  { firstName: "Ada", lastName: "Lovell", email: "ada@dormouse.example" },
  { firstName: "Élodie", lastName: "Marsh", email: "elodie@dormouse.example" },
  { firstName: "Tom 100%", lastName: "O'Neill", email: "tom_o@dormouse.example" },
  { firstName: "Lena!", lastName: "Marsh", email: "lena@tom.example" },
];

describe.each(engines)("the list of members on %s", (engine) => {
  test("is paged, newest first, and searches names and addresses for the literal text", async () => {
    await using app = await openApp({ engine });
    for (const person of people) {
      await app.services.accounts.admit(
        { ...person, accountType: "individual", passwordHash: "$argon2id$none" },
        app.db,
      );
      app.clock.advance(1000);
    }
    const list = async (search?: string, page = 1, size = 10) => {
      const { members, total } = await app.services.accounts.list({ search, page, size });
      return [total, ...members.map(({ firstName }) => firstName)];
    };
    expect(await list(undefined, 1, 3)).toEqual([4, "Lena!", "Tom 100%", "Élodie"]);
    expect(await list(undefined, 2, 3)).toEqual([4, "Ada"]);
    expect(await list(undefined, 3, 3)).toEqual([4]);
    for (const [search, ...found] of [
      ["marsh", "Lena!", "Élodie"],
      ["ADA LOV", "Ada"],
      ["ELODIE@", "Élodie"],
      ["Élodie", "Élodie"],
      ["dormouse.example", "Tom 100%", "Élodie", "Ada"],
      [" tom ", "Lena!", "Tom 100%"],
      ["nobody"],
      ["%", "Tom 100%"],
      ["_", "Tom 100%"],
      ["!", "Lena!"],
      ["'", "Tom 100%"],
      ["\\"],
    ]) {
      expect(await list(search), search).toEqual([found.length, ...found]);
    }
  });
});

describe.each(engines)("members that a provider keeps on %s", (engine) => {
  const details = {
    id: 7001,
    email: "Ada@App.example",
    firstName: "Ada",
    lastName: "Lovell",
    accountType: "corporate",
  } as const;

  test("a member has the provider's number, one row, and the details that came last", async () => {
    await using app = await openApp({ engine });
    const { accounts } = app.services;
    const mirror = createMemberMirror(app.ctx);
    await Promise.all([1, 2, 3].map(() => mirror.remember(details)));
    expect((await accounts.list({ page: 1, size: 10 })).total).toBe(1);
    expect(await mirror.remember(details)).toEqual(details);
    expect(await accounts.findMember(7001)).toEqual(details);
    expect(await accounts.findByEmail("ada@app.example")).toEqual(details);
    expect(await mirror.findId("ada@app.example ")).toBe(7001);
    expect(await mirror.findId("nobody@app.example")).toBeUndefined();
    const anew = { id: 7001, email: "ada@new.example", firstName: "Adele", lastName: "" };
    expect(await mirror.remember(anew)).toEqual({ ...details, email: "ada@new.example", firstName: "Adele" });
    expect(await accounts.findByEmail("ada@app.example")).toBeUndefined();
  });

  test("an address that changed hands at the provider belongs to the member last seen with it", async () => {
    await using app = await openApp({ engine });
    const { accounts } = app.services;
    const mirror = createMemberMirror(app.ctx);
    await mirror.remember(details);
    await mirror.remember({ ...details, id: 7002, email: "ADA@app.example" });
    expect((await accounts.findByEmail(details.email))?.id).toBe(7002);
    expect(await accounts.findMember(7001)).toMatchObject({ firstName: "Ada" });
    await mirror.remember({ ...details, email: "ada@elsewhere.example" });
    expect((await accounts.findByEmail("ada@elsewhere.example"))?.id).toBe(7001);
  });

  test("such a member has no password, and texts are cut to fit their columns", async () => {
    await using app = await openApp({ engine });
    const member = await createMemberMirror(app.ctx).remember({
      ...details,
      firstName: "A\0da",
      lastName: "x".repeat(5000),
    });
    expect(member.firstName).toBe("Ada");
    expect(member.lastName.length).toBeLessThan(300);
    for (const password of ["", "*", "sleep-well-tonight"]) {
      expect(await app.services.accounts.findMemberByPassword(details.email, password)).toBeUndefined();
    }
  });
});
