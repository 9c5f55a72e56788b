import { describe, expect, test } from "vitest";

import {
  type AccountApp,
  ada,
  elsewhere,
  home,
  NEW_PASSWORD,
  openAccountApp,
} from "../../tests/helpers/account-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { ProfileFields } from "./profile.ts";

const shown: ProfileFields = { firstName: "Ada", lastName: "Lovell", email: ada.email };

function save(app: AccountApp, wanted: Partial<ProfileFields>, before = shown) {
  const { memberId } = app;
  const form = { shown: before, wanted: { ...before, ...wanted }, password: undefined };
  return app.services.profile.save({ ...home, memberId, ...form });
}

describe.each(engines)("a profile on %s", (engine) => {
  test("names are kept as they are typed, on one line", async () => {
    await using app = await openAccountApp(engine);
    expect(await save(app, { firstName: " Adélaïde \n Mae ", lastName: "O'Neill" })).toEqual({
      ok: true,
      isEmailPending: false,
    });
    expect(await app.services.profile.find(app.memberId)).toEqual({
      firstName: "Adélaïde Mae",
      lastName: "O'Neill",
      email: ada.email,
      pendingEmail: undefined,
    });
    expect(await app.services.accounts.findMember(app.memberId)).toMatchObject({ firstName: "Adélaïde Mae" });
  });

  test("everything that is wrong is said at once, and nothing is kept", async () => {
    await using app = await openAccountApp(engine);
    expect(await save(app, { firstName: " ", lastName: "x".repeat(81), email: "ada@nowhere" })).toEqual({
      ok: false,
      reason: "refused",
      refusals: ["first-name-missing", "last-name-long", "email-invalid", "password-wanted"],
    });
    expect(await save(app, { firstName: "x".repeat(81), lastName: "Surname" })).toMatchObject({
      refusals: ["first-name-long", "last-name-missing"],
    });
    expect(await app.services.profile.find(app.memberId)).toMatchObject(shown);
  });

  test("a save in one tab does not undo what another has saved", async () => {
    await using app = await openAccountApp(engine);
    expect(await save(app, { firstName: "Adela" })).toMatchObject({ ok: true });
    expect(await save(app, { lastName: "Marsh" })).toMatchObject({ ok: true });
    const now = { firstName: "Adela", lastName: "Marsh", email: ada.email, pendingEmail: undefined };
    expect(await app.services.profile.find(app.memberId)).toEqual(now);
    expect(await save(app, { firstName: "Adele" })).toEqual({ ok: false, reason: "changed-elsewhere", now });
    expect(await save(app, { firstName: "Adele", lastName: "Hill" })).toMatchObject({ reason: "changed-elsewhere" });
    expect(await app.services.profile.find(app.memberId)).toEqual(now);
    expect(await save(app, { firstName: "Adela" }), "the same wish twice").toMatchObject({ ok: true });
    expect(await save(app, { firstName: "Adele" }, now)).toMatchObject({ ok: true });
  });

  test("ten tabs save ten names at once: one is kept, and the others are told", async () => {
    await using app = await openAccountApp(engine);
    const results = await Promise.all(Array.from({ length: 10 }, (_, tab) => save(app, { firstName: `Ada ${tab}` })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { firstName = "" } = (await app.services.profile.find(app.memberId)) ?? {};
    expect(firstName).toBe(`Ada ${results.findIndex(({ ok }) => ok)}`);
    for (const result of results) if (!result.ok) expect(result).toMatchObject({ now: { firstName } });
  });

  test("nobody's profile is nobody's", async () => {
    await using app = await openAccountApp(engine);
    expect(await app.services.profile.find(999)).toBeUndefined();
    const wish = { ...home, memberId: 999, shown, wanted: { ...shown, firstName: "Eve" }, password: undefined };
    expect(await app.services.profile.save(wish)).toMatchObject({ ok: false });
  });
});

describe.each(engines)("a changed password on %s", (engine) => {
  const wish = { oldPassword: ada.password, password: NEW_PASSWORD, confirmation: NEW_PASSWORD, ...home };

  test("it asks for the old one, ends all other sessions and is told by email", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const [here, there] = [await app.start(), await app.start()];
    expect(await profile.changePassword({ ...wish, memberId: app.memberId, keptToken: here })).toEqual({ ok: true });
    expect([await app.isLoggedIn(here), await app.isLoggedIn(there)]).toEqual([true, false]);
    expect(await app.canLogIn(ada.email, ada.password)).toBe(false);
    expect(await app.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
    expect((await app.findEmail(ada.email))?.subject).toBe("Your password was changed");
  });

  test("without a session to keep it ends them all, and no other member's", async () => {
    await using app = await openAccountApp(engine);
    const { profile, sessions } = app.services;
    const bo = await app.register({ email: "bo@dormouse.example" });
    const [hers, his] = [await app.start(), (await sessions.start(bo.id)).token];
    await profile.changePassword({ ...wish, memberId: app.memberId, keptToken: undefined });
    expect([await app.isLoggedIn(hers), await app.isLoggedIn(his)]).toEqual([false, true]);
    await profile.changePassword({ ...wish, oldPassword: NEW_PASSWORD, memberId: app.memberId, keptToken: his });
    expect(await app.isLoggedIn(his)).toBe(true);
  });

  test.each([
    [{ oldPassword: "which-was-it" }, ["old-password-wrong"]],
    [{ oldPassword: "" }, ["old-password-wrong"]],
    [{ password: "1234567" }, ["password-short", "password-mismatch"]],
    [{ password: "x".repeat(1025), confirmation: "x".repeat(1025) }, ["password-long"]],
    [{ password: "dormouse99", confirmation: "dormouse99" }, ["password-common"]],
    [{ oldPassword: "which-was-it", confirmation: "other" }, ["old-password-wrong", "password-mismatch"]],
  ])("with %j it is refused, and all stays", async (change, refusals) => {
    await using app = await openAccountApp(engine);
    const { memberId } = app;
    const token = await app.start();
    const result = await app.services.profile.changePassword({ ...wish, ...change, memberId, keptToken: undefined });
    expect(result).toEqual({ ok: false, reason: "refused", refusals });
    expect(await app.isLoggedIn(token)).toBe(true);
    expect(await app.canLogIn(ada.email, ada.password)).toBe(true);
    expect(await app.services.outbox.list({ limit: 9 })).toEqual([]);
  });

  test("guessing the old one wears out, and right ones do not", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const form = { ...wish, memberId: app.memberId, keptToken: undefined };
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
    await using app = await openAccountApp(engine);
    const { profile, passwordReset } = app.services;
    const newEmail = "ada@lovell.example";
    await app.askForAddress(newEmail);
    const { token } = await app.readEmail(newEmail);
    await passwordReset.request({ ...home, email: ada.email });
    const reset = await app.readEmail(ada.email);
    const grant = (await passwordReset.useLink(reset.token)) ?? "";
    app.clock.advance(MINUTE_IN_MS);
    await passwordReset.request({ ...home, email: ada.email });
    const second = await app.readEmail(ada.email);
    await profile.changePassword({ ...wish, memberId: app.memberId, keptToken: undefined });
    expect(await profile.find(app.memberId)).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
    expect(await passwordReset.peekLink(second.token)).toBe(false);
    const late = { grant, password: "another-quiet-hedge", confirmation: "another-quiet-hedge" };
    expect(await passwordReset.setPassword(late)).toMatchObject({ reason: "grant-over" });
  });

  test("two tabs change it at once: one does, and the other's old password is old no more", async () => {
    await using app = await openAccountApp(engine);
    const { memberId } = app;
    const passwords = ["a-first-quiet-hedge", "a-second-quiet-hedge"];
    const results = await Promise.all(
      passwords.map((password) =>
        app.services.profile.changePassword({
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
    expect(await app.canLogIn(ada.email, winner)).toBe(true);
  });
});
