import { describe, expect, test } from "vitest";

import { openMemberApp } from "../../../tests/helpers/account.ts";
import {
  addMember,
  ada,
  askForAddress,
  canLogIn,
  findEmail,
  home,
  isLoggedIn,
  NEW_PASSWORD,
  readEmail,
  startSession,
} from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import { hashPassword } from "./passwords.ts";

const second = "thief@second.example";
const third = "thief@third.example";

async function openAccount(engine: Engine = "sqlite") {
  const app = await openMemberApp({ engine });
  const { profile, memberId } = app;
  const findMemberEmail = async () => (await app.findProfile())?.email;
  /** Changes Ada's address; returns the token in the email to the old one. */
  const moveTo = async (email: string): Promise<string> => {
    const before = (await findMemberEmail()) ?? "";
    app.clock.advance(MINUTE_IN_MS);
    expect(await askForAddress(app, memberId, email)).toMatchObject({ ok: true });
    const { token } = await readEmail(app, email, "Confirm your new email address");
    expect(await profile.confirmEmailByLink(token)).toBe("confirmed");
    return (await readEmail(app, before, "Your email address was changed")).token;
  };
  return { ...app, findMemberEmail, moveTo };
}

/** Delays work by so many password hashes: undoing computes one before it begins. */
async function late<Result>(hashes: number, work: () => Promise<Result>): Promise<Result> {
  for (let count = 0; count < hashes; count += 1) await hashPassword("a while");
  return work();
}

describe("an address that is taken back", () => {
  test("is Ada's again by the email to it, every session ends, and she sets a new password by mail", async () => {
    await using app = await openAccount();
    const { profile } = app;
    const token = await app.moveTo(second);
    const session = await startSession(app, app.memberId);
    expect((await findEmail(app, ada.email))?.text).toContain(`/login?undo=${token}\n`);
    expect(await profile.findUndo(token)).toEqual({ email: ada.email });
    expect(await app.findMemberEmail()).toBe(second);

    expect(await profile.undoEmail(token)).toBe("undone");
    expect(await app.findMemberEmail()).toBe(ada.email);
    expect(await isLoggedIn(app, session)).toBe(false);
    expect(await profile.undoEmail(token)).toBe("over");
    expect(await profile.findUndo(token)).toBeUndefined();
    for (const email of [ada.email, second]) expect(await canLogIn(app, email, ada.password)).toBe(false);
    const grant = await app.passwordReset.useLink((await app.requestReset()).token);
    expect(await app.setPassword(grant)).toEqual({ ok: true });
    expect(await canLogIn(app, ada.email, NEW_PASSWORD)).toBe(true);
  });

  test("can be taken back for fourteen days", async () => {
    await using app = await openAccount();
    const token = await app.moveTo(second);
    app.clock.advance(14 * DAY_IN_MS - SECOND_IN_MS);
    expect(await app.profile.findUndo(token)).toBeDefined();
    app.clock.advance(SECOND_IN_MS);
    expect(await app.profile.findUndo(token)).toBeUndefined();
    expect(await app.profile.undoEmail(token)).toBe("over");
    expect(await app.findMemberEmail()).toBe(second);
  });

  test("voids codes and links that were sent to the thief's address", async () => {
    await using app = await openAccount();
    const { profile, passwordReset } = app;
    const undo = await app.moveTo(second);
    const grant = await passwordReset.useLink((await app.requestReset(second)).token);
    const { token: reset } = await app.requestReset(second);
    await askForAddress(app, app.memberId, third);
    const pending = await readEmail(app, third);
    expect(await profile.undoEmail(undo)).toBe("undone");
    expect(await app.setPassword(grant)).toMatchObject({ reason: "grant-over" });
    expect(await passwordReset.useLink(reset)).toBeUndefined();
    expect(await profile.confirmEmailByLink(pending.token)).toBe("over");
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: undefined });
  });

  test("opens the account that the thief has closed", async () => {
    await using app = await openAccount();
    const undo = await app.moveTo(second);
    await app.closure.close({ ...home, memberId: app.memberId, password: ada.password });
    const { token: reopen } = await readEmail(app, second, "Your account is closed");
    expect(await app.profile.undoEmail(undo)).toBe("undone");
    expect(await app.findMemberEmail()).toBe(ada.email);
    expect(await app.closure.reopen(reopen)).toBe("over");
    app.clock.advance(30 * DAY_IN_MS);
    expect(await app.closure.eraseDue(app.personalData)).toBe(0);
  });

  test.each([
    ["first", "over", true],
    ["second", "undone", false],
  ])("is Ada's after two changes, when the %s is taken back first", async (_, answer, isFirst) => {
    await using app = await openAccount();
    const toFirst = await app.moveTo(second);
    const toSecond = await app.moveTo(third);
    if (isFirst) expect(await app.profile.undoEmail(toFirst)).toBe("undone");
    expect(await app.profile.undoEmail(toSecond)).toBe(answer);
    if (!isFirst) expect(await app.profile.undoEmail(toFirst)).toBe("undone");
    expect(await app.findMemberEmail()).toBe(ada.email);
  });

  test("loses its link once Ada changes back herself, and gets a new one when she changes again", async () => {
    await using app = await openAccount();
    const early = await app.moveTo(second);
    await app.moveTo(ada.email);
    expect(await app.profile.undoEmail(early)).toBe("over");
    expect(await app.profile.undoEmail(await app.moveTo(second))).toBe("undone");
    expect(await app.findMemberEmail()).toBe(ada.email);
  });

  test("has one link, which cannot be combined from two others", async () => {
    await using app = await openAccount();
    const [first = "", firstLeft = ""] = (await app.moveTo(second)).split(".");
    const [next = "", nextLeft = ""] = (await app.moveTo(third)).split(".");
    const mixed = [`${first}.${nextLeft}`, `${next}.${firstLeft}`];
    for (const token of [...mixed, `${first}.`, `.${firstLeft}`, first, "", ".", "a.b"]) {
      expect(await app.profile.findUndo(token)).toBeUndefined();
      expect(await app.profile.undoEmail(token)).toBe("over");
    }
    expect(await app.findMemberEmail()).toBe(third);
  });

  test("is readable only in emails, and not in the link", async () => {
    await using app = await openAccount();
    const token = await app.moveTo(second);
    const rows = await app.db.selectFrom("challenges").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    const secret = /dormouse\.example|second\.example/i;
    expect(JSON.stringify(rows)).not.toMatch(secret);
    for (const part of token.split(".")) expect(Buffer.from(part, "base64url").toString()).not.toMatch(secret);
  });
});

describe.each(engines)("taking an address back on %s", (engine) => {
  test("leaves the address to another member who has it by now, and the link stays valid", async () => {
    await using app = await openAccount(engine);
    const token = await app.moveTo(second);
    const other = await addMember(app, { email: ada.email });
    const session = await startSession(app, app.memberId);
    expect(await app.profile.undoEmail(token)).toBe("email-registered");
    expect(await isLoggedIn(app, session)).toBe(true);
    await app.personalData.erase({ memberId: other.id, email: other.email }, "op");
    expect(await app.profile.undoEmail(token)).toBe("undone");
  });

  test.each([0, 1, 2, 3])("gives it to the owner even while it is being changed again (%d)", async (round) => {
    await using app = await openAccount(engine);
    const { profile } = app;
    const undo = await app.moveTo(second);
    await askForAddress(app, app.memberId, third);
    const { token, code } = await readEmail(app, third);
    const [undone, moved] = await Promise.all([
      profile.undoEmail(undo),
      late(round, () => profile.confirmEmailByLink(token)),
      late(round, () => profile.confirmEmailByCode(app.memberId, code)),
    ]);
    expect(undone).toBe("undone");
    expect(["confirmed", "over"]).toContain(moved);
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: undefined });
    const { token: thiefs } = await readEmail(app, second, "Your email address was changed");
    if (thiefs !== "") expect(await profile.undoEmail(thiefs)).toBe("over");
    expect(await app.findMemberEmail()).toBe(ada.email);
  });

  test("works once when it is asked for ten times at once", async () => {
    await using app = await openAccount(engine);
    const undo = await app.moveTo(second);
    const results = await Promise.all(Array.from({ length: 10 }, () => app.profile.undoEmail(undo)));
    expect(results.toSorted()).toEqual([...Array<string>(9).fill("over"), "undone"]);
  });
});
