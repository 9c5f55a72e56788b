import { describe, expect, test } from "vitest";

import { ada, elsewhere, home, NEW_PASSWORD, openAccountHouse } from "../../tests/helpers/account-house.ts";
import { close, closeForGood } from "../../tests/helpers/closed-account.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { MINUTE_IN_MS } from "../clock.ts";

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
});
