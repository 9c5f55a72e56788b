import { describe, expect, test } from "vitest";

import { ada, elsewhere, home, openAccountHouse } from "../../tests/helpers/account-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { askForAddress, newEmail, save, shown } from "../../tests/helpers/new-address.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a new address on %s", (engine) => {
  test("asked for twice within a minute there is one letter, and it works", async () => {
    await using house = await openAccountHouse(engine);
    const { code } = await askForAddress(house);
    expect((await askForAddress(house)).code).toBe(code);
    expect(house.letters).toHaveLength(1);
    expect(await house.rooms.profile.confirmEmailByCode(house.memberId, code)).toEqual({ ok: true });
  });

  test("a second letter may be asked for after a minute, and voids the first", async () => {
    await using house = await openAccountHouse(engine);
    const { profile } = house.rooms;
    const first = await askForAddress(house);
    house.clock.advance(20 * SECOND_IN_MS);
    expect(await profile.resendEmailLetter(house.memberId, home)).toEqual({
      ok: false,
      reason: "too-soon",
      waitInMs: 40 * SECOND_IN_MS,
    });
    house.clock.advance(40 * SECOND_IN_MS);
    expect(await profile.resendEmailLetter(house.memberId, home)).toEqual({ ok: true });
    const second = await house.readLetter(newEmail);
    expect(await profile.confirmEmailByLink(first.token)).toBe("over");
    expect(await profile.confirmEmailByLink(second.token)).toBe("confirmed");
  });

  test("codes last ten minutes and five tries", async () => {
    await using house = await openAccountHouse(engine);
    const { profile } = house.rooms;
    const { code } = await askForAddress(house);
    for (let guess = 0; guess < 5; guess += 1) await profile.confirmEmailByCode(house.memberId, otherThan(code));
    expect(await profile.confirmEmailByCode(house.memberId, code)).toEqual({ ok: false, reason: "too-many-tries" });
    house.clock.advance(10 * MINUTE_IN_MS);
    expect(await profile.confirmEmailByCode(house.memberId, code)).toEqual({ ok: false, reason: "expired-code" });
  });

  test("nobody's inbox is filled: six letters an hour to an address, twenty wishes an hour of a member", async () => {
    await using house = await openAccountHouse(engine);
    const { profile } = house.rooms;
    await askForAddress(house);
    for (let letter = 2; letter <= 6; letter += 1) {
      house.clock.advance(MINUTE_IN_MS);
      expect(await profile.resendEmailLetter(house.memberId, home)).toEqual({ ok: true });
    }
    house.clock.advance(MINUTE_IN_MS);
    expect(await profile.resendEmailLetter(house.memberId, home)).toMatchObject({ reason: "too-many-attempts" });
    for (let wish = 8; wish <= 20; wish += 1) await askForAddress(house, `ada${wish}@lovell.example`);
    expect(await save(house, { email: "ada21@lovell.example" }, ada.password)).toMatchObject({
      reason: "too-many-attempts",
    });
  });

  test("whoever guesses the password is worn out, and the owner elsewhere is not", async () => {
    await using house = await openAccountHouse(engine);
    const { profile, logIn } = house.rooms;
    const wish = { memberId: house.memberId, shown, wanted: { ...shown, email: newEmail } };
    const guess = { ...wish, ...elsewhere, password: "which-was-it" };
    const results = await Promise.all(Array.from({ length: 14 }, () => profile.save(guess)));
    const reasons = results.map((result) => (result.ok ? "ok" : result.reason));
    expect(reasons.filter((reason) => reason === "refused")).toHaveLength(10);
    expect(reasons.filter((reason) => reason === "too-many-attempts")).toHaveLength(4);
    const atDoor = { email: ada.email, password: ada.password, address: elsewhere.address };
    expect(await logIn(atDoor), "log-in counts with it").toMatchObject({ reason: "too-many-attempts" });
    expect(await profile.save({ ...wish, ...home, password: ada.password })).toMatchObject({ ok: true });
  });
});
