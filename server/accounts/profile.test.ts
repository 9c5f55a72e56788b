import { describe, expect, test } from "vitest";

import {
  type AccountHouse,
  ada,
  elsewhere,
  home,
  NEW_PASSWORD,
  openAccountHouse,
} from "../../tests/helpers/account-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { ProfileFields } from "./profile.ts";

const shown: ProfileFields = { firstName: "Ada", lastName: "Lovell", email: ada.email };

function save(house: AccountHouse, wanted: Partial<ProfileFields>, before = shown) {
  const { memberId } = house;
  const form = { shown: before, wanted: { ...before, ...wanted }, password: undefined };
  return house.rooms.profile.save({ ...home, memberId, ...form });
}

describe.each(engines)("a profile on %s", (engine) => {
  test("names are kept as they are typed, on one line", async () => {
    await using house = await openAccountHouse(engine);
    expect(await save(house, { firstName: " Adélaïde \n Mae ", lastName: "O'Neill" })).toEqual({
      ok: true,
      isEmailPending: false,
    });
    expect(await house.rooms.profile.find(house.memberId)).toEqual({
      firstName: "Adélaïde Mae",
      lastName: "O'Neill",
      email: ada.email,
      pendingEmail: undefined,
    });
    expect(await house.rooms.accounts.findMember(house.memberId)).toMatchObject({ firstName: "Adélaïde Mae" });
  });

  test("everything that is wrong is said at once, and nothing is kept", async () => {
    await using house = await openAccountHouse(engine);
    expect(await save(house, { firstName: " ", lastName: "x".repeat(81), email: "ada@nowhere" })).toEqual({
      ok: false,
      reason: "refused",
      refusals: ["first-name-missing", "last-name-long", "email-invalid", "password-wanted"],
    });
    expect(await save(house, { firstName: "x".repeat(81), lastName: "Surname" })).toMatchObject({
      refusals: ["first-name-long", "last-name-missing"],
    });
    expect(await house.rooms.profile.find(house.memberId)).toMatchObject(shown);
  });

  test("a save in one tab does not undo what another has saved", async () => {
    await using house = await openAccountHouse(engine);
    expect(await save(house, { firstName: "Adela" })).toMatchObject({ ok: true });
    expect(await save(house, { lastName: "Marsh" })).toMatchObject({ ok: true });
    const now = { firstName: "Adela", lastName: "Marsh", email: ada.email, pendingEmail: undefined };
    expect(await house.rooms.profile.find(house.memberId)).toEqual(now);
    expect(await save(house, { firstName: "Adele" })).toEqual({ ok: false, reason: "changed-elsewhere", now });
    expect(await save(house, { firstName: "Adele", lastName: "Hill" })).toMatchObject({ reason: "changed-elsewhere" });
    expect(await house.rooms.profile.find(house.memberId)).toEqual(now);
    expect(await save(house, { firstName: "Adela" }), "the same wish twice").toMatchObject({ ok: true });
    expect(await save(house, { firstName: "Adele" }, now)).toMatchObject({ ok: true });
  });

  test("ten tabs save ten names at once: one is kept, and the others are told", async () => {
    await using house = await openAccountHouse(engine);
    const results = await Promise.all(Array.from({ length: 10 }, (_, tab) => save(house, { firstName: `Ada ${tab}` })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { firstName = "" } = (await house.rooms.profile.find(house.memberId)) ?? {};
    expect(firstName).toBe(`Ada ${results.findIndex(({ ok }) => ok)}`);
    for (const result of results) if (!result.ok) expect(result).toMatchObject({ now: { firstName } });
  });

  test("nobody's profile is nobody's", async () => {
    await using house = await openAccountHouse(engine);
    expect(await house.rooms.profile.find(999)).toBeUndefined();
    const wish = { ...home, memberId: 999, shown, wanted: { ...shown, firstName: "Eve" }, password: undefined };
    expect(await house.rooms.profile.save(wish)).toMatchObject({ ok: false });
  });
});

describe.each(engines)("a changed password on %s", (engine) => {
  const wish = { oldPassword: ada.password, password: NEW_PASSWORD, confirmation: NEW_PASSWORD, ...home };

  test("it asks for the old one, ends all other sessions and is told by letter", async () => {
    await using house = await openAccountHouse(engine);
    const { profile } = house.rooms;
    const [here, there] = [await house.start(), await house.start()];
    expect(await profile.changePassword({ ...wish, memberId: house.memberId, keptToken: here })).toEqual({ ok: true });
    expect([await house.isLoggedIn(here), await house.isLoggedIn(there)]).toEqual([true, false]);
    expect(await house.canLogIn(ada.email, ada.password)).toBe(false);
    expect(await house.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
    expect((await house.findLetter(ada.email))?.subject).toBe("Your password was changed");
  });

  test("without a session to keep it ends them all, and no other member's", async () => {
    await using house = await openAccountHouse(engine);
    const { profile, sessions } = house.rooms;
    const bo = await house.register({ email: "bo@dormouse.example" });
    const [hers, his] = [await house.start(), (await sessions.start(bo.id)).token];
    await profile.changePassword({ ...wish, memberId: house.memberId, keptToken: undefined });
    expect([await house.isLoggedIn(hers), await house.isLoggedIn(his)]).toEqual([false, true]);
    await profile.changePassword({ ...wish, oldPassword: NEW_PASSWORD, memberId: house.memberId, keptToken: his });
    expect(await house.isLoggedIn(his)).toBe(true);
  });

  test.each([
    [{ oldPassword: "which-was-it" }, ["old-password-wrong"]],
    [{ oldPassword: "" }, ["old-password-wrong"]],
    [{ password: "1234567" }, ["password-short", "password-mismatch"]],
    [{ password: "x".repeat(1025), confirmation: "x".repeat(1025) }, ["password-long"]],
    [{ password: "dormouse99", confirmation: "dormouse99" }, ["password-common"]],
    [{ oldPassword: "which-was-it", confirmation: "other" }, ["old-password-wrong", "password-mismatch"]],
  ])("with %j it is refused, and all stays", async (change, refusals) => {
    await using house = await openAccountHouse(engine);
    const { memberId } = house;
    const token = await house.start();
    const result = await house.rooms.profile.changePassword({ ...wish, ...change, memberId, keptToken: undefined });
    expect(result).toEqual({ ok: false, reason: "refused", refusals });
    expect(await house.isLoggedIn(token)).toBe(true);
    expect(await house.canLogIn(ada.email, ada.password)).toBe(true);
    expect(await house.rooms.outbox.list({ limit: 9 })).toEqual([]);
  });

  test("guessing the old one wears out, and right ones do not", async () => {
    await using house = await openAccountHouse(engine);
    const { profile } = house.rooms;
    const form = { ...wish, memberId: house.memberId, keptToken: undefined };
    const mistyped = { ...form, confirmation: "other" };
    for (let press = 0; press < 12; press += 1) {
      expect(await profile.changePassword(mistyped)).toMatchObject({ reason: "refused" });
    }
    for (let guess = 0; guess < 10; guess += 1) await profile.changePassword({ ...form, oldPassword: "which" });
    expect(await profile.changePassword(form)).toEqual({
      ok: false,
      reason: "too-many-attempts",
      waitInMs: 15 * MINUTE_IN_MS,
    });
    expect(await profile.changePassword({ ...form, address: elsewhere.address })).toEqual({ ok: true });
  });

  test("it voids codes, grants and a new address that were asked for before", async () => {
    await using house = await openAccountHouse(engine);
    const { profile, passwordReset } = house.rooms;
    const newEmail = "ada@lovell.example";
    await house.askForAddress(newEmail);
    const { token } = await house.readLetter(newEmail);
    await passwordReset.request({ ...home, email: ada.email });
    const reset = await house.readLetter(ada.email);
    const grant = (await passwordReset.useLink(reset.token)) ?? "";
    house.clock.advance(MINUTE_IN_MS);
    await passwordReset.request({ ...home, email: ada.email });
    const second = await house.readLetter(ada.email);
    await profile.changePassword({ ...wish, memberId: house.memberId, keptToken: undefined });
    expect(await profile.find(house.memberId)).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
    expect(await passwordReset.peekLink(second.token)).toBe(false);
    const late = { grant, password: "another-quiet-hedge", confirmation: "another-quiet-hedge" };
    expect(await passwordReset.setPassword(late)).toMatchObject({ reason: "grant-over" });
  });

  test("two tabs change it at once: one does, and the other's old password is old no more", async () => {
    await using house = await openAccountHouse(engine);
    const { memberId } = house;
    const passwords = ["a-first-quiet-hedge", "a-second-quiet-hedge"];
    const results = await Promise.all(
      passwords.map((password) =>
        house.rooms.profile.changePassword({
          ...wish,
          memberId,
          keptToken: undefined,
          password,
          confirmation: password,
        }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusals: ["old-password-wrong"] });
    const winner = passwords[results.findIndex(({ ok }) => ok)] ?? "";
    expect(await house.canLogIn(ada.email, winner)).toBe(true);
  });
});
