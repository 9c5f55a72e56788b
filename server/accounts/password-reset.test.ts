import { describe, expect, test } from "vitest";

import { ada, home, NEW_PASSWORD, openAccountApp } from "../../tests/helpers/account-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { ask, askForGrant, password } from "../../tests/helpers/reset-app.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("a forgotten password on %s", (engine) => {
  test("the code of the email leads to a new password, and every session ends", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const tokens = [await app.start(), await app.start()];
    const { code } = await ask(app);
    expect(code).toMatch(/^\d{6}$/);
    const checked = await passwordReset.checkCode({ ...home, email: " ADA@dormouse.example ", code: `${code} ` });
    if (!checked.ok) throw new Error(checked.reason);
    expect(await app.isLoggedIn(tokens[0] ?? "")).toBe(true);
    expect(await passwordReset.setPassword({ grant: checked.grant, ...password })).toEqual({ ok: true });

    for (const token of tokens) expect(await app.isLoggedIn(token)).toBe(false);
    expect(await app.canLogIn(ada.email, ada.password)).toBe(false);
    expect(await app.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
    expect((await app.findEmail(ada.email))?.subject).toBe("Your password was changed");
  });

  test("the link works on another device, where looking at it changes nothing", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const { token } = await ask(app);
    expect((await app.findEmail(ada.email))?.text).toContain(`\nhttp://dormouse.test/login?reset=3&token=${token}\n`);
    for (let look = 0; look < 3; look += 1) expect(await passwordReset.peekLink(token)).toBe(true);
    const grant = await passwordReset.useLink(token);
    expect(await passwordReset.setPassword({ grant: grant ?? "", ...password })).toEqual({ ok: true });
    expect(await app.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
  });

  test("code and link are good once, whichever is used", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const first = await ask(app);
    const answer = { ...home, email: ada.email, code: first.code };
    expect(await passwordReset.checkCode(answer)).toMatchObject({ ok: true });
    expect(await passwordReset.checkCode(answer)).toEqual({ ok: false, reason: "expired-code" });
    expect(await passwordReset.peekLink(first.token)).toBe(false);
    expect(await passwordReset.useLink(first.token)).toBeUndefined();

    app.clock.advance(MINUTE_IN_MS);
    const second = await ask(app);
    expect(await passwordReset.useLink(second.token)).toBeDefined();
    expect(await passwordReset.useLink(second.token)).toBeUndefined();
    expect(await passwordReset.checkCode({ ...answer, code: second.code })).toMatchObject({ reason: "expired-code" });
  });

  test("code, link and grant last ten minutes", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const { code, token } = await ask(app);
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({
      reason: "expired-code",
    });
    expect(await passwordReset.peekLink(token)).toBe(false);
    expect(await passwordReset.useLink(token)).toBeUndefined();

    const grant = await askForGrant(app);
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: false, reason: "grant-over" });
    expect(await app.canLogIn(ada.email, ada.password)).toBe(true);
  });

  test("a grant is good once, and a newer one voids it", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const older = await askForGrant(app);
    app.clock.advance(MINUTE_IN_MS);
    const newer = await askForGrant(app);
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
    await using app = await openAccountApp(engine);
    const grant = await askForGrant(app);
    expect(await app.services.passwordReset.setPassword({ grant, ...wanted })).toEqual({ ok: false, reason });
    expect(await app.services.passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
  });

  test("eight characters will do, and every character of a long one counts", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const eight = "qv7-mw2z";
    const first = { grant: await askForGrant(app), password: eight, confirmation: eight };
    expect(await passwordReset.setPassword(first)).toEqual({ ok: true });
    app.clock.advance(MINUTE_IN_MS);
    const long = `${"quiet hedges ".repeat(8)}1`;
    const second = { grant: await askForGrant(app), password: long, confirmation: long };
    expect(await passwordReset.setPassword(second)).toEqual({ ok: true });
    expect(await app.canLogIn(ada.email, `${long.slice(0, -1)}2`)).toBe(false);
    expect(await app.canLogIn(ada.email, long)).toBe(true);
  });

  test("a code is its address's alone, and an older one is void", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    await app.register({ email: "bo@dormouse.example" });
    const older = await ask(app);
    const asBo = { ...home, email: "bo@dormouse.example", code: older.code };
    expect(await passwordReset.checkCode(asBo)).toMatchObject({ reason: "expired-code" });
    await passwordReset.request({ ...home, email: "bo@dormouse.example" });
    expect(await passwordReset.checkCode(asBo)).toMatchObject({ ok: false });
    app.clock.advance(MINUTE_IN_MS);
    const newer = await ask(app);
    expect(newer.code).not.toBe("");
    const asAda = { ...home, email: ada.email };
    if (older.code !== newer.code) {
      expect(await passwordReset.checkCode({ ...asAda, code: older.code })).toMatchObject({ reason: "wrong-code" });
    }
    expect(await passwordReset.useLink(older.token)).toBeUndefined();
    expect(await passwordReset.checkCode({ ...asAda, code: newer.code })).toMatchObject({ ok: true });
  });

  test("a reset gives up an address that waits for its proof", async () => {
    await using app = await openAccountApp(engine);
    const { profile, passwordReset } = app.services;
    await app.askForAddress("thief@elsewhere.example");
    const { token } = await app.readEmail("thief@elsewhere.example");
    const grant = await askForGrant(app);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
    expect(await profile.find(app.memberId)).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
  });

  test("a session that starts with the old password while it is reset does not outlive it", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset, logIn } = app.services;
    for (let round = 0; round < 3; round += 1) {
      const grant = await askForGrant(app);
      const [old, next] = [round === 0 ? ada.password : `${NEW_PASSWORD}${round}`, `${NEW_PASSWORD}${round + 1}`];
      const [set, ...started] = await Promise.all([
        passwordReset.setPassword({ grant, password: next, confirmation: next }),
        ...Array.from({ length: 8 }, () => logIn({ address: "192.0.2.1", email: ada.email, password: old })),
      ]);
      expect(set).toEqual({ ok: true });
      for (const result of started) if (result.ok) expect(await app.isLoggedIn(result.session.token)).toBe(false);
      app.clock.advance(HOUR_IN_MS);
    }
  });
});
