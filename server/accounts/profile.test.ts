import { describe, expect, test } from "vitest";

import { ada, home, openAccountHouse, type AccountHouse } from "../../tests/helpers/account-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
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
