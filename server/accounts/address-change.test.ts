import { describe, expect, test } from "vitest";

import { ada, elsewhere, home, openAccountApp } from "../../tests/helpers/account-app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { otherThan } from "../../tests/helpers/mailbox.ts";
import { askForAddress, newEmail, save, shown } from "../../tests/helpers/new-address.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a new address on %s", (engine) => {
  test("it asks for the password, and does not say to others whether it is registered", async () => {
    await using app = await openAccountApp(engine);
    await app.register({ email: newEmail });
    const refused = (reason: string) => ({ ok: false, reason: "refused", refusals: [reason] });
    expect(await save(app, { email: newEmail })).toEqual(refused("password-wanted"));
    expect(await save(app, { email: newEmail }, "which-was-it")).toEqual(refused("password-wrong"));
    expect(await save(app, { email: newEmail.toUpperCase() }, ada.password)).toEqual(refused("email-registered"));
    expect(await app.services.outbox.list({ limit: 9 })).toEqual([]);
  });

  test("the old one counts until the code of the email is typed", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const { code } = await askForAddress(app);
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email, pendingEmail: newEmail });
    expect(await app.canLogIn(ada.email, ada.password)).toBe(true);
    expect(await app.canLogIn(newEmail, ada.password)).toBe(false);

    expect(await profile.confirmEmailByCode(app.memberId, otherThan(code))).toMatchObject({ reason: "wrong-code" });
    expect(await profile.confirmEmailByCode(app.memberId, code)).toEqual({ ok: true });
    expect(await profile.find(app.memberId)).toMatchObject({ email: newEmail, pendingEmail: undefined });
    expect(await app.canLogIn(newEmail, ada.password)).toBe(true);
    expect(await app.canLogIn(ada.email, ada.password)).toBe(false);
    expect((await app.findEmail(ada.email))?.subject).toBe("Your email address was changed");
    expect(await profile.confirmEmailByCode(app.memberId, code)).toMatchObject({ reason: "expired-code" });
  });

  test("the email's link does the same on any device, for a day, once", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const { token } = await askForAddress(app);
    expect((await app.findEmail(newEmail))?.text).toContain(
      `\nhttp://dormouse.test/?account=confirm-email&token=${token}\n`,
    );
    app.clock.advance(DAY_IN_MS - SECOND_IN_MS);
    expect(await profile.findEmailLink(token)).toEqual({ email: newEmail });
    expect(await profile.confirmEmailByLink(token)).toBe("confirmed");
    expect(await profile.findEmailLink(token)).toBeUndefined();
    expect(await profile.confirmEmailByLink(token)).toBe("over");
    expect(await profile.find(app.memberId)).toMatchObject({ email: newEmail });

    const late = await askForAddress(app, "ada@third.example");
    app.clock.advance(DAY_IN_MS);
    expect(await profile.confirmEmailByLink(late.token)).toBe("over");
    expect(await profile.findEmailLink("")).toBeUndefined();
  });

  test("names that are saved with it are kept at once", async () => {
    await using app = await openAccountApp(engine);
    await save(app, { firstName: "Adela", email: newEmail }, ada.password);
    expect(await app.services.profile.find(app.memberId)).toMatchObject({ firstName: "Adela", email: ada.email });
    expect((await app.findEmail(newEmail))?.text).toContain("Hello Adela,");
  });

  test("the same address in another spelling needs neither password nor proof", async () => {
    await using app = await openAccountApp(engine);
    expect(await save(app, { email: "ADA@dormouse.example" })).toEqual({ ok: true, isEmailPending: false });
    expect(await app.services.profile.find(app.memberId)).toMatchObject({ email: "ADA@dormouse.example" });
    expect(await app.canLogIn(ada.email, ada.password)).toBe(true);
  });

  test("another wish takes the place of the one before, whose code and link are void", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const first = await askForAddress(app);
    const second = await askForAddress(app, "ada@third.example");
    expect(await profile.confirmEmailByLink(first.token)).toBe("over");
    if (first.code !== second.code) {
      expect(await profile.confirmEmailByCode(app.memberId, first.code)).toMatchObject({ reason: "wrong-code" });
    }
    expect(await profile.confirmEmailByCode(app.memberId, second.code)).toEqual({ ok: true });
    expect(await profile.find(app.memberId)).toMatchObject({ email: "ada@third.example" });
  });

  test("a wish that is cancelled is void, and one that was never made cannot be confirmed", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const { code, token } = await askForAddress(app);
    await profile.cancelEmailChange(app.memberId);
    expect(await profile.find(app.memberId)).toMatchObject({ pendingEmail: undefined });
    expect(await profile.confirmEmailByCode(app.memberId, code)).toMatchObject({ reason: "expired-code" });
    expect(await profile.confirmEmailByLink(token)).toBe("over");
    expect(await profile.resendConfirmation(app.memberId, home)).toEqual({ ok: false, reason: "nothing-pending" });
  });

  test("two tabs confirm at once, one by code and one by link: the address moves once", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const { code, token } = await askForAddress(app);
    const [byCode, byLink, again] = await Promise.all([
      profile.confirmEmailByCode(app.memberId, code),
      profile.confirmEmailByLink(token),
      profile.confirmEmailByCode(app.memberId, code),
    ]);
    expect([byCode.ok, byLink === "confirmed", again.ok].filter(Boolean)).toHaveLength(1);
    expect(await profile.find(app.memberId)).toMatchObject({ email: newEmail });
    await app.services.outbox.deliver();
    expect(app.emails.filter(({ subject }) => subject === "Your email address was changed")).toHaveLength(1);
  });

  test("ten members want one address: one gets it, and the others are told", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const tokens: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const email = `member${number}@dormouse.example`;
      const { id: memberId } = await app.register({ email });
      const fields = { ...shown, email };
      const wanted = { ...fields, email: newEmail };
      // An hour apart, because nobody's inbox is filled.
      app.clock.advance(HOUR_IN_MS);
      await profile.save({ ...home, memberId, shown: fields, wanted, password: ada.password });
      tokens.push((await app.readEmail(newEmail)).token);
    }
    const results = await Promise.all(tokens.map((token) => profile.confirmEmailByLink(token)));
    expect(results.toSorted()).toEqual(["confirmed", ...Array<string>(9).fill("email-registered")]);
    const owners = await app.database.db.selectFrom("members").select("id").where("email", "=", newEmail).execute();
    expect(owners).toHaveLength(1);
  });

  test("an address that somebody joined with meanwhile is refused, by code and by link", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const { code, token } = await askForAddress(app);
    await app.register({ email: newEmail });
    expect(await profile.confirmEmailByCode(app.memberId, code)).toEqual({ ok: false, reason: "email-registered" });
    expect(await profile.confirmEmailByLink(token)).toBe("email-registered");
    expect(await profile.find(app.memberId)).toMatchObject({ email: ada.email });
  });

  test("what others were written at an address that was asked for stays theirs", async () => {
    await using app = await openAccountApp(engine);
    const { outbox, personalData } = app.services;
    const mail = { subject: "Refund", text: "Hello Stranger, £60 goes back.", html: "" };
    const refund = { key: "refund payment-9", kind: "refund" as const, to: newEmail, mail };
    await outbox.add(refund, app.database.db);
    await askForAddress(app);
    const person = { memberId: app.memberId, email: ada.email };
    expect(JSON.stringify(await personalData.gather(person))).not.toContain("Stranger");
    await personalData.erase(person, "op");
    expect(await outbox.list({ limit: 9 })).toMatchObject([{ key: refund.key }]);
  });

  test("asked for twice within a minute there is one email, and it works", async () => {
    await using app = await openAccountApp(engine);
    const { code } = await askForAddress(app);
    expect((await askForAddress(app)).code).toBe(code);
    expect(app.emails).toHaveLength(1);
    expect(await app.services.profile.confirmEmailByCode(app.memberId, code)).toEqual({ ok: true });
  });

  test("a second email may be asked for after a minute, and voids the first", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const first = await askForAddress(app);
    app.clock.advance(20 * SECOND_IN_MS);
    expect(await profile.resendConfirmation(app.memberId, home)).toEqual({
      ok: false,
      reason: "too-soon",
      waitInMs: 40 * SECOND_IN_MS,
    });
    app.clock.advance(40 * SECOND_IN_MS);
    expect(await profile.resendConfirmation(app.memberId, home)).toEqual({ ok: true });
    const second = await app.readEmail(newEmail);
    expect(await profile.confirmEmailByLink(first.token)).toBe("over");
    expect(await profile.confirmEmailByLink(second.token)).toBe("confirmed");
  });

  test("codes last ten minutes and five tries", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    const { code } = await askForAddress(app);
    for (let guess = 0; guess < 5; guess += 1) await profile.confirmEmailByCode(app.memberId, otherThan(code));
    expect(await profile.confirmEmailByCode(app.memberId, code)).toEqual({ ok: false, reason: "too-many-tries" });
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await profile.confirmEmailByCode(app.memberId, code)).toEqual({ ok: false, reason: "expired-code" });
  });

  test("nobody's inbox is filled: six emails an hour to an address, twenty wishes an hour of a member", async () => {
    await using app = await openAccountApp(engine);
    const { profile } = app.services;
    await askForAddress(app);
    for (let mail = 2; mail <= 6; mail += 1) {
      app.clock.advance(MINUTE_IN_MS);
      expect(await profile.resendConfirmation(app.memberId, home)).toEqual({ ok: true });
    }
    app.clock.advance(MINUTE_IN_MS);
    expect(await profile.resendConfirmation(app.memberId, home)).toMatchObject({ reason: "too-many-attempts" });
    for (let wish = 8; wish <= 20; wish += 1) await askForAddress(app, `ada${wish}@lovell.example`);
    expect(await save(app, { email: "ada21@lovell.example" }, ada.password)).toMatchObject({
      reason: "too-many-attempts",
    });
  });

  test("whoever guesses the password is worn out, and the owner elsewhere is not", async () => {
    await using app = await openAccountApp(engine);
    const { profile, logIn } = app.services;
    const wish = { memberId: app.memberId, shown, wanted: { ...shown, email: newEmail } };
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
