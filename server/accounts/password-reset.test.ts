import { describe, expect, test } from "vitest";

import { ada, home, NEW_PASSWORD, openAccountHouse } from "../../tests/helpers/account-house.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { ask, askForGrant, password } from "../../tests/helpers/reset-house.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("a forgotten password on %s", (engine) => {
  test("the code of the letter leads to a new password, and every session ends", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const tokens = [await house.start(), await house.start()];
    const { code } = await ask(house);
    expect(code).toMatch(/^\d{6}$/);
    const checked = await passwordReset.checkCode({ ...home, email: " ADA@dormouse.example ", code: `${code} ` });
    if (!checked.ok) throw new Error(checked.reason);
    expect(await house.isLoggedIn(tokens[0] ?? "")).toBe(true);
    expect(await passwordReset.setPassword({ grant: checked.grant, ...password })).toEqual({ ok: true });

    for (const token of tokens) expect(await house.isLoggedIn(token)).toBe(false);
    expect(await house.canLogIn(ada.email, ada.password)).toBe(false);
    expect(await house.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
    expect((await house.findLetter(ada.email))?.subject).toBe("Your password was changed");
  });

  test("the link works on another device, where looking at it changes nothing", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const { token } = await ask(house);
    expect((await house.findLetter(ada.email))?.text).toContain(
      `\nhttp://dormouse.test/login?reset=3&token=${token}\n`,
    );
    for (let look = 0; look < 3; look += 1) expect(await passwordReset.peekLink(token)).toBe(true);
    const grant = await passwordReset.useLink(token);
    expect(await passwordReset.setPassword({ grant: grant ?? "", ...password })).toEqual({ ok: true });
    expect(await house.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
  });

  test("code and link are good once, whichever is used", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const first = await ask(house);
    const answer = { ...home, email: ada.email, code: first.code };
    expect(await passwordReset.checkCode(answer)).toMatchObject({ ok: true });
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "expired-code" });
    expect(await passwordReset.peekLink(first.token)).toBe(false);
    expect(await passwordReset.useLink(first.token)).toBeUndefined();

    house.clock.advance(MINUTE_IN_MS);
    const second = await ask(house);
    expect(await passwordReset.useLink(second.token)).toBeDefined();
    expect(await passwordReset.useLink(second.token)).toBeUndefined();
    expect(await passwordReset.checkCode({ ...answer, code: second.code })).toMatchObject({ reason: "expired-code" });
  });

  test("code, link and grant last ten minutes", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const { code, token } = await ask(house);
    house.clock.advance(10 * MINUTE_IN_MS);
    expect(await passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({
      reason: "expired-code",
    });
    expect(await passwordReset.peekLink(token)).toBe(false);
    expect(await passwordReset.useLink(token)).toBeUndefined();

    const grant = await askForGrant(house);
    house.clock.advance(10 * MINUTE_IN_MS);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: false, reason: "grant-over" });
    expect(await house.canLogIn(ada.email, ada.password)).toBe(true);
  });

  test("a grant is good once, and a newer one voids it", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const older = await askForGrant(house);
    house.clock.advance(MINUTE_IN_MS);
    const newer = await askForGrant(house);
    expect(await passwordReset.setPassword({ grant: older, ...password })).toMatchObject({ reason: "grant-over" });
    expect(await passwordReset.setPassword({ grant: newer, ...password })).toEqual({ ok: true });
    expect(await passwordReset.setPassword({ grant: newer, ...password })).toMatchObject({ reason: "grant-over" });
    expect(await passwordReset.setPassword({ grant: "", ...password })).toMatchObject({ reason: "grant-over" });
  });

  test.each([
    ["short", { password: "1234567", confirmation: "1234567" }, "password-short"],
    ["long", { password: "x".repeat(1025), confirmation: "x".repeat(1025) }, "password-long"],
    ["common", { password: "password123", confirmation: "password123" }, "password-common"],
    ["her name", { password: "AdaLovell1", confirmation: "AdaLovell1" }, "password-common"],
    ["the product's", { password: "Dormouse2026", confirmation: "Dormouse2026" }, "password-common"],
    ["not typed alike twice", { password: NEW_PASSWORD, confirmation: "another" }, "password-mismatch"],
  ])("a new password that is %s is refused and leaves the grant as it was", async (_, wanted, reason) => {
    await using house = await openAccountHouse(engine);
    const grant = await askForGrant(house);
    expect(await house.rooms.passwordReset.setPassword({ grant, ...wanted })).toEqual({ ok: false, reason });
    expect(await house.rooms.passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
  });

  test("eight characters will do, and every character of a long one counts", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    const eight = "qv7-mw2z";
    const first = { grant: await askForGrant(house), password: eight, confirmation: eight };
    expect(await passwordReset.setPassword(first)).toEqual({ ok: true });
    house.clock.advance(MINUTE_IN_MS);
    const long = `${"quiet hedges ".repeat(8)}1`;
    const second = { grant: await askForGrant(house), password: long, confirmation: long };
    expect(await passwordReset.setPassword(second)).toEqual({ ok: true });
    expect(await house.canLogIn(ada.email, `${long.slice(0, -1)}2`)).toBe(false);
    expect(await house.canLogIn(ada.email, long)).toBe(true);
  });

  test("a code is its address's alone, and an older one is void", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset } = house.rooms;
    await house.register({ email: "bo@dormouse.example" });
    const older = await ask(house);
    const asBo = { ...home, email: "bo@dormouse.example", code: older.code };
    expect(await passwordReset.checkCode(asBo)).toMatchObject({ reason: "expired-code" });
    await passwordReset.request({ ...home, email: "bo@dormouse.example" });
    expect(await passwordReset.checkCode(asBo)).toMatchObject({ ok: false });
    house.clock.advance(MINUTE_IN_MS);
    const newer = await ask(house);
    expect(newer.code).not.toBe("");
    const asAda = { ...home, email: ada.email };
    if (older.code !== newer.code) {
      expect(await passwordReset.checkCode({ ...asAda, code: older.code })).toMatchObject({ reason: "wrong-code" });
    }
    expect(await passwordReset.useLink(older.token)).toBeUndefined();
    expect(await passwordReset.checkCode({ ...asAda, code: newer.code })).toMatchObject({ ok: true });
  });

  test("a reset gives up an address that waits for its proof", async () => {
    await using house = await openAccountHouse(engine);
    const { profile, passwordReset } = house.rooms;
    await house.askForAddress("thief@elsewhere.example");
    const { token } = await house.readLetter("thief@elsewhere.example");
    const grant = await askForGrant(house);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
    expect(await profile.find(house.memberId)).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
  });

  test("a session that starts with the old password while it is reset does not outlive it", async () => {
    await using house = await openAccountHouse(engine);
    const { passwordReset, logIn } = house.rooms;
    for (let round = 0; round < 3; round += 1) {
      const grant = await askForGrant(house);
      const [old, next] = [round === 0 ? ada.password : `${NEW_PASSWORD}${round}`, `${NEW_PASSWORD}${round + 1}`];
      const [set, ...started] = await Promise.all([
        passwordReset.setPassword({ grant, password: next, confirmation: next }),
        ...Array.from({ length: 8 }, () => logIn({ address: "192.0.2.1", email: ada.email, password: old })),
      ]);
      expect(set).toEqual({ ok: true });
      for (const result of started) if (result.ok) expect(await house.isLoggedIn(result.session.token)).toBe(false);
      house.clock.advance(HOUR_IN_MS);
    }
  });
});
