import { describe, expect, test } from "vitest";

import { ada, elsewhere, home, NEW_PASSWORD, openAccountApp } from "../../tests/helpers/account-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { ask, askForGrant, nobody, password } from "../../tests/helpers/reset-app.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a forgotten password on %s", (engine) => {
  test("five wrong codes, from wherever they come, wear out the right one; the link works still", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const { code, token } = await ask(app);
    for (let guess = 1; guess <= 5; guess += 1) {
      const from = { address: `203.0.113.${guess}`, email: ada.email };
      expect(await passwordReset.checkCode({ ...from, code: otherThan(code) })).toMatchObject({ reason: "wrong-code" });
    }
    const right = { ...home, email: ada.email, code };
    expect(await passwordReset.checkCode(right)).toEqual({ ok: false, reason: "too-many-tries" });
    expect(await passwordReset.useLink(token)).toBeDefined();
  });

  test("eight guesses at once are five tries", async () => {
    await using app = await openAccountApp(engine);
    const { code } = await ask(app);
    const answer = { ...home, email: ada.email, code: otherThan(code) };
    const tries = await Promise.all(Array.from({ length: 8 }, () => app.services.passwordReset.checkCode(answer)));
    const reasons = tries.map((result) => (result.ok ? "right" : result.reason)).toSorted();
    expect(reasons).toEqual([...Array<string>(3).fill("too-many-tries"), ...Array<string>(5).fill("wrong-code")]);
  });

  test("asked again within a minute there is the same answer and no second email", async () => {
    await using app = await openAccountApp(engine);
    const { code } = await ask(app);
    app.clock.advance(59 * SECOND_IN_MS);
    expect((await ask(app)).code).toBe(code);
    expect(app.emails).toHaveLength(1);
    expect(await app.services.passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({ ok: true });
  });

  test("an address gets six emails an hour, and its owner elsewhere still two", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    for (const email of [ada.email, nobody]) {
      for (let mail = 1; mail <= 6; mail += 1) {
        expect(await passwordReset.request({ ...elsewhere, email })).toEqual({ ok: true });
        app.clock.advance(MINUTE_IN_MS);
      }
      const refused = { ok: false, reason: "too-many-attempts", waitInMs: 54 * MINUTE_IN_MS };
      expect(await passwordReset.request({ ...elsewhere, email })).toEqual(refused);
      for (let mail = 1; mail <= 2; mail += 1) {
        expect(await passwordReset.request({ ...home, email })).toEqual({ ok: true });
        app.clock.advance(MINUTE_IN_MS);
      }
      expect(await passwordReset.request({ ...home, email })).toMatchObject({ reason: "too-many-attempts" });
    }
    await app.services.outbox.deliver();
    expect(app.emails).toHaveLength(8);
  });

  test("a network may ask for sixty addresses an hour", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    for (let guess = 0; guess < 60; guess += 1) {
      await passwordReset.request({ ...elsewhere, email: `guess${guess}@dormouse.example` });
    }
    expect(await passwordReset.request({ ...elsewhere, email: ada.email })).toEqual({
      ok: false,
      reason: "too-many-attempts",
      waitInMs: HOUR_IN_MS,
    });
    expect(await passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
  });

  test("codes of one address are tried thirty times an hour, over all emails and from everywhere", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    for (let guess = 1; guess <= 30; guess += 1) {
      await passwordReset.checkCode({ address: `203.0.113.${guess}`, email: ada.email, code: "x" });
    }
    const { code, token } = await ask(app);
    expect(await passwordReset.checkCode({ ...home, email: ada.email, code })).toMatchObject({
      reason: "too-many-attempts",
    });
    expect(await passwordReset.useLink(token)).toBeDefined();
  });

  test("whoever closed the door with wrong passwords gets in with the new one", async () => {
    await using app = await openAccountApp(engine);
    const { logIn, passwordReset } = app.services;
    const from = { address: home.address, email: ada.email };
    for (let guess = 0; guess < 10; guess += 1) await logIn({ ...from, password: "which-was-it" });
    expect(await logIn({ ...from, password: ada.password })).toMatchObject({ reason: "too-many-attempts" });
    const grant = await askForGrant(app);
    expect(await passwordReset.setPassword({ grant, ...password })).toEqual({ ok: true });
    expect(await logIn({ ...from, password: NEW_PASSWORD })).toMatchObject({ ok: true });
  });

  test("ten tabs type the code at once: one gets a grant; ten use the grant: one sets the password", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset } = app.services;
    const { code, token } = await ask(app);
    const answer = { ...home, email: ada.email, code };
    const ways = [...Array.from({ length: 4 }, () => passwordReset.checkCode(answer)), passwordReset.useLink(token)];
    const grants = (await Promise.all(ways)).flatMap((way) =>
      typeof way === "string" ? [way] : way?.ok ? [way.grant] : [],
    );
    expect(grants).toHaveLength(1);

    const wishes = Array.from({ length: 10 }, (_, tab) => `${NEW_PASSWORD}-${tab}`);
    const results = await Promise.all(
      wishes.map((wish) => passwordReset.setPassword({ grant: grants[0] ?? "", password: wish, confirmation: wish })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = wishes[results.findIndex(({ ok }) => ok)] ?? "";
    expect(await app.canLogIn(ada.email, winner)).toBe(true);
    await app.services.outbox.deliver();
    expect(app.emails.filter(({ subject }) => subject === "Your password was changed")).toHaveLength(1);
  });
});
