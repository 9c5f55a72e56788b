import { describe, expect, test } from "vitest";

import { ada, elsewhere, home, NEW_PASSWORD, openAccountHouse } from "../../tests/helpers/account-house.ts";
import { close, closeForGood, GRACE_IN_MS } from "../../tests/helpers/closed-account.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a closed account on %s", (engine) => {
  test("it asks for the password, counted with log-in", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, logIn } = house.rooms;
    const guess = { ...elsewhere, memberId: house.memberId, password: "which-was-it" };
    for (let count = 0; count < 10; count += 1) {
      expect(await closure.close(guess)).toEqual({ ok: false, reason: "password-wrong" });
    }
    expect(await closure.close({ ...guess, password: ada.password })).toMatchObject({ reason: "too-many-attempts" });
    const atDoor = { address: elsewhere.address, email: ada.email, password: ada.password };
    expect(await logIn(atDoor)).toMatchObject({ reason: "too-many-attempts" });
    expect(await house.rooms.accounts.findMember(house.memberId)).toBeDefined();
  });

  test("nobody gets in any more, by whatever address, and it is no member's", async () => {
    await using house = await openAccountHouse(engine);
    const { accounts, profile, sessions } = house.rooms;
    const tokens = [await house.start(), await house.start()];
    expect(await close(house)).toEqual({ ok: true, eraseAt: new Date("2026-12-04T03:00:00.000Z") });
    for (const token of tokens) expect(await sessions.find(token)).toBeUndefined();

    const [row] = await house.database.db.selectFrom("members").select(["email", "closed_email"]).execute();
    expect(row?.closed_email).toBe(ada.email);
    for (const email of [ada.email, row?.email ?? ""]) {
      expect(await house.canLogIn(email, ada.password)).toBe(false);
      expect(await accounts.findByEmail(email)).toBeUndefined();
    }
    expect(await accounts.findMember(house.memberId)).toBeUndefined();
    expect(await profile.find(house.memberId)).toBeUndefined();
  });

  test("the letter says when it is erased, what stays, and how to take it back", async () => {
    await using house = await openAccountHouse(engine);
    const token = await closeForGood(house);
    const text = (await house.findLetter(ada.email))?.text ?? "";
    expect(text).toContain("Erased on: 04/12/2026");
    expect(text).toContain("6 years");
    expect(text).toContain(`\nhttp://dormouse.test/login?reopen=${token}\n`);
  });

  test("codes, grants and a new address that were asked for before are void", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset, profile } = house.rooms;
    await house.askForAddress("ada@lovell.example");
    const confirm = await house.readLetter("ada@lovell.example");
    await passwordReset.request({ ...home, email: ada.email });
    const grant = (await passwordReset.useLink((await house.readLetter(ada.email)).token)) ?? "";
    await closeForGood(house);
    expect(await profile.confirmEmailByLink(confirm.token)).toBe("over");
    const wish = { grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    expect(await passwordReset.setPassword(wish)).toMatchObject({ reason: "grant-over" });
    house.clock.advance(MINUTE_IN_MS);
    const before = house.letters.length;
    expect(await passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
    await house.rooms.outbox.deliver();
    expect(house.letters).toHaveLength(before);
  });

  test("a member's link to renew leads nowhere, and no letter about the end is written", async () => {
    await using house = await openAccountHouse(engine);
    const { membership, renewalLinks, signUp, tasks } = house.rooms;
    const now = house.clock();
    const term = { memberId: house.memberId, planType: 1 as const, startsAt: now, endsAt: new Date("2026-11-25") };
    await membership.grant(term, house.database.db);
    const link = renewalLinks.make(house.memberId);
    await closeForGood(house);
    expect(await signUp.findRenewal(link)).toBeUndefined();
    expect(await signUp.startRenewal(link, home)).toBeUndefined();
    const before = house.letters.length;
    await tasks.run("write-ending-letters");
    await house.rooms.outbox.deliver();
    expect(house.letters).toHaveLength(before);
  });

  test("pressed eight times at once it is closed once", async () => {
    await using house = await openAccountHouse(engine);
    const results = await Promise.all(Array.from({ length: 8 }, () => close(house)));
    const eraseAt = new Date("2026-12-04T03:00:00.000Z");
    expect(
      results.filter((result) => result.ok && result.eraseAt.getTime() === eraseAt.getTime()).length,
    ).toBeGreaterThan(0);
    for (const result of results) expect(result.ok || result.reason === "password-wrong").toBe(true);
    await house.rooms.outbox.deliver();
    expect(house.letters).toHaveLength(1);
  });

  test("closed and reset at once, the account is closed or its password is the new one", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset, closure, accounts } = house.rooms;
    await passwordReset.request({ ...home, email: ada.email });
    const grant = (await passwordReset.useLink((await house.readLetter(ada.email)).token)) ?? "";
    const [closed, set] = await Promise.all([
      closure.close({ ...home, memberId: house.memberId, password: ada.password }),
      passwordReset.setPassword({ grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD }),
    ]);
    expect([closed.ok, set.ok].filter(Boolean)).toHaveLength(1);
    expect((await accounts.findMember(house.memberId)) === undefined).toBe(closed.ok);
    expect(await house.canLogIn(ada.email, NEW_PASSWORD)).toBe(set.ok);
  });

  test("until it is erased the letter's link opens it again, as it was", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, profile, favourites } = house.rooms;
    await favourites.save(house.memberId, { kind: "watch", id: 2001 });
    const token = await closeForGood(house);
    house.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.findReopening(token)).toEqual({ email: ada.email });
    expect(await closure.reopen(token)).toBe("reopened");
    expect(await closure.reopen(token)).toBe("over");
    expect(await closure.findReopening(token)).toBeUndefined();
    expect(await profile.find(house.memberId)).toMatchObject({ firstName: "Ada", email: ada.email });
    expect(await house.canLogIn(ada.email, ada.password)).toBe(true);
    expect(JSON.stringify(await favourites.listFor(house.memberId))).toContain("2001");
    house.clock.advance(GRACE_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(0);
  });

  test("it may be closed again, and only the newer letter opens it", async () => {
    await using house = await openAccountHouse(engine);
    const { closure } = house.rooms;
    await closure.reopen(await closeForGood(house));
    const second = await closeForGood(house);
    expect(await closure.reopen(second)).toBe("reopened");
    const third = await closeForGood(house);
    expect(await closure.reopen(second)).toBe("over");
    expect(await closure.reopen(third)).toBe("reopened");
  });

  test("its address is free: somebody may join with it, and then it cannot come back", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, accounts } = house.rooms;
    const token = await closeForGood(house);
    const other = await house.register({ firstName: "Eve" });
    expect(other.id).not.toBe(house.memberId);
    expect(await closure.reopen(token)).toBe("email-taken");
    expect(await accounts.findMember(other.id)).toMatchObject({ firstName: "Eve" });

    await accounts.erase(other.id, house.database.db);
    expect(await closure.reopen(token), "free again").toBe("reopened");
  });

  test("ten people open it and the task erases it at once: it is there with its address, or gone", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, accounts } = house.rooms;
    const token = await closeForGood(house);
    // A clock that lags: the link is good still, and the account is due by the other process's time.
    house.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    await house.database.db.updateTable("members").set({ erase_at: "2026-12-04T02:59:59.000Z" }).execute();
    const [erased, ...opened] = await Promise.all([
      closure.eraseDue(personalData),
      ...Array.from({ length: 10 }, () => closure.reopen(token)),
    ]);
    const reopened = opened.filter((result) => result === "reopened").length;
    expect(erased + reopened).toBe(1);
    expect((await accounts.findByEmail(ada.email)) !== undefined).toBe(reopened === 1);
    await house.rooms.outbox.deliver();
    expect(house.letters.some(({ subject }) => subject === "Your account is erased")).toBe(erased === 1);
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("it opens while somebody joins with its address: one of the two has it", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, accounts } = house.rooms;
    const token = await closeForGood(house);
    const details = { email: ada.email, firstName: "Eve", lastName: "Marsh", accountType: "individual" as const };
    const [opened, joined] = await Promise.all([
      closure.reopen(token),
      accounts.admit({ ...details, passwordHash: "$argon2id$none" }, house.database.db),
    ]);
    expect([opened === "reopened", joined !== undefined].filter(Boolean)).toHaveLength(1);
    expect(opened === "reopened" || opened === "email-taken").toBe(true);
  });

  test("after fourteen days the link is over and the task erases it, with one last letter", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, accounts, outbox, tasks, audit } = house.rooms;
    const token = await closeForGood(house);
    house.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(0);
    house.clock.advance(SECOND_IN_MS);
    expect(await closure.reopen(token)).toBe("over");
    await tasks.run("erase-closed-accounts");
    expect(await accounts.findRecord(house.memberId)).toBeUndefined();
    expect((await house.findLetter(ada.email))?.subject).toBe("Your account is erased");
    expect(await audit.listFor(house.memberId)).toMatchObject([{ action: "member erase" }]);
    expect(await closure.eraseDue(personalData)).toBe(0);

    await outbox.purge();
    for (const table of ["members", "letters", "challenges", "sessions", "drafts", "audit"] as const) {
      const rows = await house.database.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toMatch(/ada|lovell/i);
    }
  });

  test("the last letter is kept until it has left", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, outbox } = house.rooms;
    await closeForGood(house);
    house.clock.advance(GRACE_IN_MS);
    await closure.eraseDue(personalData);
    await outbox.purge();
    expect((await house.findLetter(ada.email))?.subject).toBe("Your account is erased");
  });

  test("erasing it leaves whoever has the address now alone", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, outbox, accounts } = house.rooms;
    await closeForGood(house);
    const other = await house.register();
    const letter = { subject: "Refund", text: "£60 goes back.", html: "" };
    const refund = { key: "refund payment-9", kind: "refund" as const, to: ada.email, letter };
    house.clock.advance(GRACE_IN_MS);
    await outbox.add(refund, house.database.db);
    const wrote = async (memberId: number) =>
      (await outbox.listFor({ memberId, email: ada.email })).map(({ subject }) => subject);
    expect(await wrote(other.id)).toContain(letter.subject);
    expect(await closure.eraseDue(personalData)).toBe(1);
    expect(await accounts.findMember(other.id)).toBeDefined();
    expect((await outbox.list({ limit: 9 })).map(({ key }) => key)).toContain(refund.key);
  });

  test("a seat at a company's code is kept for the two weeks and free afterwards", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, codes, transact } = house.rooms;
    await codes.create({ code: "PILLOW", seats: 5 });
    await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: house.memberId }, trx));
    await closeForGood(house);
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(1);
    house.clock.advance(GRACE_IN_MS);
    await closure.eraseDue(personalData);
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("one that cannot be erased yet keeps nobody else waiting, and is tried again", async () => {
    await using house = await openAccountHouse(engine);
    const { closure, personalData, sessions } = house.rooms;
    const bo = await house.register({ email: "bo@dormouse.example" });
    await closeForGood(house);
    house.clock.advance(HOUR_IN_MS);
    await closure.close({ ...home, memberId: bo.id, password: ada.password });
    const { db } = house.database;
    const order = {
      member_id: house.memberId,
      state: "refund-pending",
      email: ada.email,
      updated_at: "",
      created_at: "",
    };
    const person = { first_name: "Ada", last_name: "Lovell", postcode: "", country: "GB", site: home.site };
    const paid = { account_type: "individual" as const, plan_type: 1, amount_in_pence: 1500, currency: "GBP" };
    await db
      .insertInto("orders")
      .values({ ...order, ...person, ...paid })
      .execute();
    house.clock.advance(GRACE_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(1);
    expect(house.log.lines).toContainEqual(
      expect.objectContaining({ level: "warn", facts: { member: house.memberId } }),
    );
    await db.updateTable("orders").set({ state: "refunded" }).execute();
    expect(await closure.eraseDue(personalData)).toBe(1);
    expect(await sessions.listFor(house.memberId)).toEqual([]);
  });
});
