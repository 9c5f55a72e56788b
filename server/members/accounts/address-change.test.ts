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
  readEmail,
} from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";
import type { ProfileFields } from "./profile-fields.ts";

const newEmail = "ada@lovell.example";
const TOO_MANY = { reason: "too-many-attempts" };

async function openAccount(engine: Engine = "sqlite") {
  const app = await openMemberApp({ engine });
  const { profile, memberId } = app;
  const save = (wanted: Partial<ProfileFields>, password?: string) =>
    profile.save({ ...home, memberId, shown: shownAda, wanted: { ...shownAda, ...wanted }, password });
  /** Requests another address; returns the code and token of its email. */
  const ask = async (email = newEmail) => {
    expect(await askForAddress(app, memberId, email)).toEqual({ ok: true, isEmailPending: true });
    return readEmail(app, email);
  };
  const confirm = (code: string) => profile.confirmEmailByCode(memberId, code);
  const resend = () => profile.resendConfirmation(memberId, home);
  return { ...app, save, ask, confirm, resend };
}

describe("a new address", () => {
  test("is confirmed by the email's link on any device, once, within a day", async () => {
    await using app = await openAccount();
    const { profile } = app;
    const { token } = await app.ask();
    const link = `\nhttp://dormouse.test/?account=confirm-email&token=${token}\n`;
    expect((await findEmail(app, newEmail))?.text).toContain(link);
    app.clock.advance(DAY_IN_MS - SECOND_IN_MS);
    expect(await profile.findEmailLink(token)).toEqual({ email: newEmail });
    expect(await profile.confirmEmailByLink(token)).toBe("confirmed");
    expect(await profile.findEmailLink(token)).toBeUndefined();
    expect(await profile.confirmEmailByLink(token)).toBe("over");
    expect(await app.findProfile()).toMatchObject({ email: newEmail });

    const late = await app.ask("ada@third.example");
    app.clock.advance(DAY_IN_MS);
    expect(await profile.confirmEmailByLink(late.token)).toBe("over");
    expect(await profile.findEmailLink("")).toBeUndefined();
  });

  test("that is the same in another spelling needs neither password nor proof", async () => {
    await using app = await openAccount();
    expect(await app.save({ email: "ADA@dormouse.example" })).toEqual({ ok: true, isEmailPending: false });
    expect(await app.findProfile()).toMatchObject({ email: "ADA@dormouse.example" });
    expect(await canLogIn(app, ada.email, ada.password)).toBe(true);
  });

  test("voids the code and the link of another that waits, and both are void when it is cancelled", async () => {
    await using app = await openAccount();
    const first = await app.ask();
    const second = await app.ask("ada@third.example");
    expect(await app.profile.confirmEmailByLink(first.token)).toBe("over");
    if (first.code !== second.code) expect(await app.confirm(first.code)).toMatchObject({ reason: "wrong-code" });
    await app.profile.cancelEmailChange(app.memberId);
    expect(await app.findProfile()).toMatchObject({ email: ada.email, pendingEmail: undefined });
    expect(await app.confirm(second.code)).toMatchObject({ reason: "expired-code" });
    expect(await app.profile.confirmEmailByLink(second.token)).toBe("over");
    expect(await app.resend()).toEqual({ ok: false, reason: "nothing-pending" });
    const third = await app.ask("ada@fourth.example");
    expect(await app.confirm(third.code)).toEqual({ ok: true });
  });

  test("leaves emails that were sent to that address for other people", async () => {
    await using app = await openAccount();
    const { outbox, personalData } = app.services;
    const mail = { subject: "Refund", text: "Hello Stranger, £60 goes back.", html: "" };
    const refund = { key: "refund payment-9", kind: "refund" as const, to: newEmail, mail };
    await outbox.add(refund, app.db);
    await app.ask();
    const person = { memberId: app.memberId, email: ada.email };
    expect(JSON.stringify(await personalData.gather(person))).not.toContain("Stranger");
    await personalData.erase(person, "op");
    expect(await outbox.list({ limit: 9 })).toMatchObject([{ key: refund.key }]);
  });

  test("gets at most one email a minute, and each new email voids the one before", async () => {
    await using app = await openAccount();
    const first = await app.ask();
    app.clock.advance(20 * SECOND_IN_MS);
    expect((await app.ask()).code).toBe(first.code);
    expect(await app.resend()).toEqual({ ok: false, reason: "too-soon", waitInMs: 40 * SECOND_IN_MS });
    expect(app.emails).toHaveLength(1);
    app.clock.advance(40 * SECOND_IN_MS);
    expect(await app.resend()).toEqual({ ok: true });
    const second = await readEmail(app, newEmail);
    expect(await app.profile.confirmEmailByLink(first.token)).toBe("over");
    expect(await app.confirm(second.code)).toEqual({ ok: true });
  });

  test("gets at most six emails an hour, and a member may ask for twenty", async () => {
    await using app = await openAccount();
    await app.ask();
    for (let mail = 2; mail <= 6; mail += 1) {
      app.clock.advance(MINUTE_IN_MS);
      expect(await app.resend()).toEqual({ ok: true });
    }
    app.clock.advance(MINUTE_IN_MS);
    expect(await app.resend()).toMatchObject(TOO_MANY);
    for (let count = 8; count <= 20; count += 1) await app.ask(`ada${count}@lovell.example`);
    expect(await app.save({ email: "ada21@lovell.example" }, ada.password)).toMatchObject(TOO_MANY);
  });

  test("allows ten password guesses, counted together with log-in, without blocking the owner on another network", async () => {
    await using app = await openAccount();
    const input = { memberId: app.memberId, shown: shownAda, wanted: { ...shownAda, email: newEmail } };
    const guess = { ...input, ...elsewhere, password: "which-was-it" };
    const results = await Promise.all(Array.from({ length: 14 }, () => app.profile.save(guess)));
    const reasons = results.map((result) => (result.ok ? "ok" : result.reason));
    expect(reasons.filter((reason) => reason === "refused")).toHaveLength(10);
    expect(reasons.filter((reason) => reason === "too-many-attempts")).toHaveLength(4);
    const atDoor = { email: ada.email, password: ada.password, address: elsewhere.address };
    expect(await app.services.logIn(atDoor)).toMatchObject(TOO_MANY);
    expect(await app.profile.save({ ...input, ...home, password: ada.password })).toMatchObject({ ok: true });
  });
});

describe.each(engines)("new addresses on %s", (engine) => {
  test("two tabs confirm at once, one by code and one by link: the address moves once", async () => {
    await using app = await openAccount(engine);
    const { code, token } = await app.ask();
    const [byCode, byLink, again] = await Promise.all([
      app.confirm(code),
      app.profile.confirmEmailByLink(token),
      app.confirm(code),
    ]);
    expect([byCode.ok, byLink === "confirmed", again.ok].filter(Boolean)).toHaveLength(1);
    expect(await app.findProfile()).toMatchObject({ email: newEmail });
    await app.services.outbox.deliver();
    expect(app.emails.filter(({ subject }) => subject === "Your email address was changed")).toHaveLength(1);
  });

  test("when ten members ask for one address, one gets it and the others are refused, by code and by link", async () => {
    await using app = await openAccount(engine);
    const tokens: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const email = `member${number}@dormouse.example`;
      const { id: memberId } = await addMember(app, { email });
      const fields = { ...shownAda, email };
      const wanted = { ...fields, email: newEmail };
      // An hour apart, because emails to one address are limited.
      app.clock.advance(HOUR_IN_MS);
      await app.profile.save({ ...home, memberId, shown: fields, wanted, password: ada.password });
      tokens.push((await readEmail(app, newEmail)).token);
    }
    app.clock.advance(HOUR_IN_MS);
    const { code } = await app.ask();
    const results = await Promise.all(tokens.map((token) => app.profile.confirmEmailByLink(token)));
    expect(results.toSorted()).toEqual(["confirmed", ...Array<string>(9).fill("email-registered")]);
    const owners = await app.db.selectFrom("members").select("id").where("email", "=", newEmail).execute();
    expect(owners).toHaveLength(1);
    expect(await app.confirm(code)).toEqual({ ok: false, reason: "email-registered" });
    expect(await app.findProfile()).toMatchObject({ email: ada.email });
  });
});
