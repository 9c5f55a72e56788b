import { describe, expect, test } from "vitest";

import { ada, home, NEW_PASSWORD, openAccountApp, type AccountApp } from "../../tests/helpers/account-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { hashPassword } from "./passwords.ts";

const second = "thief@second.example";
const third = "thief@third.example";

/** Gives Ada's account another address; answers the token in the email to the one before. */
async function moveTo(app: AccountApp, email: string): Promise<string> {
  const { profile } = app.services;
  const before = (await profile.find(app.memberId))?.email ?? "";
  app.clock.advance(MINUTE_IN_MS);
  expect(await app.askForAddress(email)).toMatchObject({ ok: true });
  const { token } = await app.readEmail(email, "Confirm your new email address");
  expect(await profile.confirmEmailByLink(token)).toBe("confirmed");
  return (await app.readEmail(before, "Your email address was changed")).token;
}

/** Works later by so many password hashes: taking back works out one before it begins. */
async function late<Result>(hashes: number, work: () => Promise<Result>): Promise<Result> {
  for (let count = 0; count < hashes; count += 1) await hashPassword("a while");
  return work();
}

const emailOf = async (app: AccountApp) => (await app.services.profile.find(app.memberId))?.email;

describe.each(engines)("an address that is taken back on %s", (engine) => {
  test("the email to the old address gives it back and ends every session", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const token = await moveTo(app, second);
    const session = await app.start();
    expect((await app.findEmail(ada.email))?.text).toContain(`/login?undo=${token}\n`);
    expect(await profile.findUndo(token)).toEqual({ email: ada.email });
    expect(await emailOf(app)).toBe(second);

    expect(await profile.undoEmail(token)).toBe("undone");
    expect(await emailOf(app)).toBe(ada.email);
    expect(await app.isLoggedIn(session)).toBe(false);
    expect(await profile.undoEmail(token)).toBe("over");
    expect(await profile.findUndo(token)).toBeUndefined();
  });

  test("the password that was there is worthless, and the owner sets another by mail", async () => {
    await using app = await openAccountApp(engine);
    const { profile, passwordReset } = app.services;
    await profile.undoEmail(await moveTo(app, second));
    for (const email of [ada.email, second]) expect(await app.canLogIn(email, ada.password)).toBe(false);
    await passwordReset.request({ ...home, email: ada.email });
    const { token } = await app.readEmail(ada.email);
    const grant = (await passwordReset.useLink(token)) ?? "";
    const wish = { grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    expect(await passwordReset.setPassword(wish)).toEqual({ ok: true });
    expect(await app.canLogIn(ada.email, NEW_PASSWORD)).toBe(true);
  });

  test("it lasts fourteen days", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const token = await moveTo(app, second);
    app.clock.advance(14 * DAY_IN_MS - SECOND_IN_MS);
    expect(await profile.findUndo(token)).toBeDefined();
    app.clock.advance(SECOND_IN_MS);
    expect(await profile.findUndo(token)).toBeUndefined();
    expect(await profile.undoEmail(token)).toBe("over");
    expect(await emailOf(app)).toBe(second);
  });

  test("what the thief had begun at their address leads nowhere afterwards", async () => {
    await using app = await openAccountApp(engine);
    const { profile, passwordReset } = app.services;
    const undo = await moveTo(app, second);
    await passwordReset.request({ ...home, email: second });
    const grant = (await passwordReset.useLink((await app.readEmail(second, "Choose a new password")).token)) ?? "";
    app.clock.advance(MINUTE_IN_MS);
    await passwordReset.request({ ...home, email: second });
    const reset = await app.readEmail(second, "Choose a new password");
    await app.askForAddress(third);
    const pending = await app.readEmail(third);

    expect(await profile.undoEmail(undo)).toBe("undone");
    const wish = { grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    expect(await passwordReset.setPassword(wish)).toMatchObject({ reason: "grant-over" });
    expect(await passwordReset.useLink(reset.token)).toBeUndefined();
    expect(await profile.confirmEmailByLink(pending.token)).toBe("over");
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: undefined });
  });

  test("of two changes the first address takes both back, and the second cannot take that back", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const toFirst = await moveTo(app, second);
    const toSecond = await moveTo(app, third);
    expect(await profile.undoEmail(toFirst)).toBe("undone");
    expect(await profile.undoEmail(toSecond)).toBe("over");
    expect(await emailOf(app)).toBe(ada.email);
  });

  test("a thief who takes their own last change back does not shut the owner out", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const toFirst = await moveTo(app, second);
    const toSecond = await moveTo(app, third);
    expect(await profile.undoEmail(toSecond)).toBe("undone");
    expect(await emailOf(app)).toBe(second);
    expect(await profile.undoEmail(toFirst)).toBe("undone");
    expect(await emailOf(app)).toBe(ada.email);
  });

  test("whoever goes back by themselves has nothing to take back, and may leave again", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const early = await moveTo(app, second);
    await moveTo(app, ada.email);
    expect(await profile.undoEmail(early)).toBe("over");
    const another = await moveTo(app, second);
    expect(await profile.undoEmail(another)).toBe("undone");
    expect(await emailOf(app)).toBe(ada.email);
  });

  test("an account that the thief has closed opens again", async () => {
    await using app = await openAccountApp(engine);
    const { profile, closure, personalData } = app.services;
    const undo = await moveTo(app, second);
    expect(await closure.close({ ...home, memberId: app.memberId, password: ada.password })).toMatchObject({
      ok: true,
    });
    const { token: reopen } = await app.readEmail(second, "Your account is closed");
    expect(await profile.undoEmail(undo)).toBe("undone");
    expect(await emailOf(app)).toBe(ada.email);
    expect(await closure.reopen(reopen)).toBe("over");
    app.clock.advance(30 * DAY_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(0);
  });

  test("an address that somebody else has by now stays theirs, and the link stays good", async () => {
    await using app = await openAccountApp(engine);
    const { profile, personalData } = app.services;
    const token = await moveTo(app, second);
    const other = await app.register({ email: ada.email });
    const session = await app.start();
    expect(await profile.undoEmail(token)).toBe("email-registered");
    expect(await app.isLoggedIn(session)).toBe(true);
    await personalData.erase({ memberId: other.id, email: other.email }, "op");
    expect(await profile.undoEmail(token)).toBe("undone");
  });

  test("a link that was put together from two is worthless", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const [first = "", firstLeft = ""] = (await moveTo(app, second)).split(".");
    const [next = "", nextLeft = ""] = (await moveTo(app, third)).split(".");
    const forged = [
      `${first}.${nextLeft}`,
      `${next}.${firstLeft}`,
      `${first}.`,
      `.${firstLeft}`,
      first,
      "",
      ".",
      "a.b",
    ];
    for (const token of forged) {
      expect(await profile.findUndo(token)).toBeUndefined();
      expect(await profile.undoEmail(token)).toBe("over");
    }
    expect(await emailOf(app)).toBe(third);
  });

  test("the old address can be read nowhere but in emails, and not in the link", async () => {
    await using app = await openAccountApp(engine);
    const token = await moveTo(app, second);
    const rows = await app.database.db.selectFrom("challenges").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    const secret = /dormouse\.example|second\.example/i;
    expect(JSON.stringify(rows)).not.toMatch(secret);
    for (const part of token.split(".")) expect(Buffer.from(part, "base64url").toString()).not.toMatch(secret);
  });

  test.each(Array.from({ length: 4 }, (_, round) => round))(
    "taken back and moved on at once, it is the owner's (%d)",
    async (round) => {
      await using app = await openAccountApp(engine);
      const { profile } = app.services;
      const undo = await moveTo(app, second);
      await app.askForAddress(third);
      const { token, code } = await app.readEmail(third);
      const [undone, moved] = await Promise.all([
        profile.undoEmail(undo),
        late(round, () => profile.confirmEmailByLink(token)),
        late(round, () => profile.confirmEmailByCode(app.memberId, code)),
      ]);
      expect(undone).toBe("undone");
      expect(["confirmed", "over"]).toContain(moved);
      expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: undefined });
      const { token: thiefs } = await app.readEmail(second, "Your email address was changed");
      if (thiefs !== "") expect(await profile.undoEmail(thiefs)).toBe("over");
      expect(await emailOf(app)).toBe(ada.email);
    },
  );

  test("ten people press the button at once: one takes it back", async () => {
    await using app = await openAccountApp(engine);
    const undo = await moveTo(app, second);
    const results = await Promise.all(Array.from({ length: 10 }, () => app.services.profile.undoEmail(undo)));
    expect(results.toSorted()).toEqual([...Array<string>(9).fill("over"), "undone"]);
  });
});
