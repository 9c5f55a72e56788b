import { describe, expect, test } from "vitest";

import { openMemberApp } from "../../../tests/helpers/account.ts";
import {
  shownAda,
  addMember,
  ada,
  askForAddress,
  canLogIn,
  elsewhere,
  findEmail,
  home,
  isLoggedIn,
  NEW_PASSWORD,
  readEmail,
  startSession,
} from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { ProfileFields } from "./profile-fields.ts";

const SAVED = { ok: true, isEmailPending: false };

async function openAccount(engine: Engine = "sqlite") {
  const app = await openMemberApp({ engine });
  const { profile, memberId } = app;
  const save = (wanted: Partial<ProfileFields>, before = shownAda) => {
    const form = { shown: before, wanted: { ...before, ...wanted }, password: undefined };
    return profile.save({ ...home, memberId, ...form });
  };
  return { ...app, save };
}

describe("a profile", () => {
  test("keeps names as they are typed, on one line", async () => {
    await using app = await openAccount();
    expect(await app.save({ firstName: " Adélaïde \n Mae ", lastName: "O'Neill" })).toEqual(SAVED);
    const expected = { ...shownAda, firstName: "Adélaïde Mae", lastName: "O'Neill", email: ada.email };
    expect(await app.findProfile()).toEqual({ ...expected, pendingEmail: undefined });
    expect(await app.accounts.findMember(app.memberId)).toMatchObject(expected);
  });

  test("that is saved in one tab does not undo what another has saved", async () => {
    await using app = await openAccount();
    expect(await app.save({ firstName: "Adela" })).toEqual(SAVED);
    expect(await app.save({ lastName: "Marsh" })).toEqual(SAVED);
    const now = { ...shownAda, firstName: "Adela", lastName: "Marsh", email: ada.email, pendingEmail: undefined };
    expect(await app.findProfile()).toEqual(now);
    expect(await app.save({ firstName: "Adele" })).toEqual({ ok: false, reason: "changed-elsewhere", now });
    expect(await app.save({ firstName: "Adele", lastName: "Hill" })).toMatchObject({ reason: "changed-elsewhere" });
    expect(await app.findProfile()).toEqual(now);
    expect(await app.save({ firstName: "Adela" }), "the same wish twice").toEqual(SAVED);
    expect(await app.save({ firstName: "Adele" }, now)).toEqual(SAVED);
  });
});

describe("a changed password", () => {
  test("ends all other sessions of the member and no other member's, and sends an email", async () => {
    await using app = await openAccount();
    const bo = await addMember(app, { email: "bo@dormouse.example" });
    const [here, there, his] = [
      await startSession(app, app.memberId),
      await startSession(app, app.memberId),
      (await app.sessions.start(bo.id)).token,
    ];
    expect(await app.changePassword({ currentToken: here })).toEqual({ ok: true });
    expect([await isLoggedIn(app, here), await isLoggedIn(app, there)]).toEqual([true, false]);
    expect(await canLogIn(app, ada.email, ada.password)).toBe(false);
    expect(await canLogIn(app, ada.email, NEW_PASSWORD)).toBe(true);
    expect((await findEmail(app, ada.email))?.subject).toBe("Your password was changed");
    const next = "another-quiet-hedge";
    await app.changePassword({ oldPassword: NEW_PASSWORD, password: next, confirmation: next });
    expect([await isLoggedIn(app, here), await isLoggedIn(app, his)]).toEqual([false, true]);
    await app.changePassword({ oldPassword: next, currentToken: his });
    expect(await isLoggedIn(app, his)).toBe(true);
  });

  test.each([
    [{ oldPassword: "which-was-it" }, ["old-password-wrong"]],
    [{ oldPassword: "" }, ["old-password-wrong"]],
    [{ password: "1234567" }, ["password-short", "password-mismatch"]],
    [{ password: "x".repeat(1025), confirmation: "x".repeat(1025) }, ["password-long"]],
    [{ password: "dormouse99", confirmation: "dormouse99" }, ["password-common"]],
    [{ oldPassword: "which-was-it", confirmation: "other" }, ["old-password-wrong", "password-mismatch"]],
  ])("with %j is refused, and nothing changes", async (wanted, refusals) => {
    await using app = await openAccount();
    const token = await startSession(app, app.memberId);
    expect(await app.changePassword(wanted)).toEqual({ ok: false, reason: "refused", refusals });
    expect(await isLoggedIn(app, token)).toBe(true);
    expect(await canLogIn(app, ada.email, ada.password)).toBe(true);
    expect(await app.outbox.list({ limit: 9 })).toEqual([]);
  });

  test("allows ten guesses at the old one; right ones do not count", async () => {
    await using app = await openAccount();
    for (let press = 0; press < 12; press += 1) {
      expect(await app.changePassword({ confirmation: "other" })).toMatchObject({ reason: "refused" });
    }
    for (let guess = 0; guess < 10; guess += 1) await app.changePassword({ oldPassword: "which" });
    expect(await app.changePassword()).toEqual({ ok: false, reason: "too-many-attempts", waitInMs: 15 * MINUTE_IN_MS });
    expect(await app.changePassword({ address: elsewhere.address })).toEqual({ ok: true });
  });

  test("voids codes, grants and a new address that were asked for before", async () => {
    await using app = await openAccount();
    const { profile, passwordReset } = app;
    await askForAddress(app, app.memberId, "ada@lovell.example");
    const { token } = await readEmail(app, "ada@lovell.example");
    const grant = await passwordReset.useLink((await app.requestReset()).token);
    const reset = await app.requestReset();
    await app.changePassword();
    expect(await app.findProfile()).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
    expect(await passwordReset.peekLink(reset.token)).toBe(false);
    expect(await app.setPassword(grant, "another-quiet-hedge")).toMatchObject({ reason: "grant-over" });
  });
});

describe.each(engines)("changes at once on %s", (engine) => {
  test("of ten names that ten tabs save one is kept, and the others are told so", async () => {
    await using app = await openAccount(engine);
    const results = await Promise.all(Array.from({ length: 10 }, (_, tab) => app.save({ firstName: `Ada ${tab}` })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const { firstName = "" } = (await app.findProfile()) ?? {};
    expect(firstName).toBe(`Ada ${results.findIndex(({ ok }) => ok)}`);
    for (const result of results) if (!result.ok) expect(result).toMatchObject({ now: { firstName } });
  });

  test("of two new passwords one is set, and the other change is refused", async () => {
    await using app = await openAccount(engine);
    const passwords = ["a-first-quiet-hedge", "a-second-quiet-hedge"];
    const results = await Promise.all(
      passwords.map((password) => app.changePassword({ password, confirmation: password })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusals: ["old-password-wrong"] });
    const winner = passwords[results.findIndex(({ ok }) => ok)] ?? "";
    expect(await canLogIn(app, ada.email, winner)).toBe(true);
  });
});
