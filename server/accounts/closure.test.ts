import { describe, expect, test } from "vitest";

import { ada, elsewhere, home, NEW_PASSWORD, openAccountApp } from "../../tests/helpers/account-app.ts";
import { close, closeForGood, GRACE_IN_MS } from "../../tests/helpers/closed-account.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

describe.each(engines)("a closed account on %s", (engine) => {
  test("it asks for the password, counted with log-in", async () => {
    await using app = await openAccountApp(engine);
    const { closure, logIn } = app.services;
    const guess = { ...elsewhere, memberId: app.memberId, password: "which-was-it" };
    for (let count = 0; count < 10; count += 1) {
      expect(await closure.close(guess)).toEqual({ ok: false, reason: "password-wrong" });
    }
    expect(await closure.close({ ...guess, password: ada.password })).toMatchObject({ reason: "too-many-attempts" });
    const atDoor = { address: elsewhere.address, email: ada.email, password: ada.password };
    expect(await logIn(atDoor)).toMatchObject({ reason: "too-many-attempts" });
    expect(await app.services.accounts.findMember(app.memberId)).toBeDefined();
  });

  test("nobody gets in any more, by whatever address, and it is no member's", async () => {
    await using app = await openAccountApp(engine);
    const { accounts, profile, sessions } = app.services;
    const tokens = [await app.start(), await app.start()];
    expect(await close(app)).toEqual({ ok: true, eraseAt: new Date("2026-12-04T03:00:00.000Z") });
    for (const token of tokens) expect(await sessions.find(token)).toBeUndefined();

    const [row] = await app.database.db.selectFrom("members").select(["email", "closed_email"]).execute();
    expect(row?.closed_email).toBe(ada.email);
    for (const email of [ada.email, row?.email ?? ""]) {
      expect(await app.canLogIn(email, ada.password)).toBe(false);
      expect(await accounts.findByEmail(email)).toBeUndefined();
    }
    expect(await accounts.findMember(app.memberId)).toBeUndefined();
    expect(await profile.find(app.memberId)).toBeUndefined();
  });

  test("the email says when it is erased, what stays, and how to take it back", async () => {
    await using app = await openAccountApp(engine);
    const token = await closeForGood(app);
    const text = (await app.findEmail(ada.email))?.text ?? "";
    expect(text).toContain("Erased on: 04/12/2026");
    expect(text).toContain("6 years");
    expect(text).toContain(`\nhttp://dormouse.test/login?reopen=${token}\n`);
  });

  test("codes, grants and a new address that were asked for before are void", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset, profile } = app.services;
    await app.askForAddress("ada@lovell.example");
    const confirm = await app.readEmail("ada@lovell.example");
    await passwordReset.request({ ...home, email: ada.email });
    const grant = (await passwordReset.useLink((await app.readEmail(ada.email)).token)) ?? "";
    await closeForGood(app);
    expect(await profile.confirmEmailByLink(confirm.token)).toBe("over");
    const wish = { grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD };
    expect(await passwordReset.setPassword(wish)).toMatchObject({ reason: "grant-over" });
    app.clock.advance(MINUTE_IN_MS);
    const before = app.emails.length;
    expect(await passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
    await app.services.outbox.deliver();
    expect(app.emails).toHaveLength(before);
  });

  test("a member's link to renew leads nowhere, and no email about the end is written", async () => {
    await using app = await openAccountApp(engine);
    const { membership, renewalLinks, signUp, jobs } = app.services;
    const now = app.clock();
    const term = { memberId: app.memberId, planType: 1 as const, startsAt: now, endsAt: new Date("2026-11-25") };
    await membership.grant(term, app.database.db);
    const link = renewalLinks.make(app.memberId);
    await closeForGood(app);
    expect(await signUp.findRenewal(link)).toBeUndefined();
    expect(await signUp.startRenewal(link, home)).toBeUndefined();
    const before = app.emails.length;
    await jobs.run("send-ending-emails");
    await app.services.outbox.deliver();
    expect(app.emails).toHaveLength(before);
  });

  test("pressed eight times at once it is closed once", async () => {
    await using app = await openAccountApp(engine);
    const results = await Promise.all(Array.from({ length: 8 }, () => close(app)));
    const eraseAt = new Date("2026-12-04T03:00:00.000Z");
    expect(
      results.filter((result) => result.ok && result.eraseAt.getTime() === eraseAt.getTime()).length,
    ).toBeGreaterThan(0);
    for (const result of results) expect(result.ok || result.reason === "password-wrong").toBe(true);
    await app.services.outbox.deliver();
    expect(app.emails).toHaveLength(1);
  });

  test("closed and reset at once, the account is closed or its password is the new one", async () => {
    await using app = await openAccountApp(engine);
    const { passwordReset, closure, accounts } = app.services;
    await passwordReset.request({ ...home, email: ada.email });
    const grant = (await passwordReset.useLink((await app.readEmail(ada.email)).token)) ?? "";
    const [closed, set] = await Promise.all([
      closure.close({ ...home, memberId: app.memberId, password: ada.password }),
      passwordReset.setPassword({ grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD }),
    ]);
    expect([closed.ok, set.ok].filter(Boolean)).toHaveLength(1);
    expect((await accounts.findMember(app.memberId)) === undefined).toBe(closed.ok);
    expect(await app.canLogIn(ada.email, NEW_PASSWORD)).toBe(set.ok);
  });

  test("until it is erased the email's link opens it again, as it was", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, profile, favourites } = app.services;
    await favourites.save(app.memberId, { kind: "watch", id: 2001 });
    const token = await closeForGood(app);
    app.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.findReopening(token)).toEqual({ email: ada.email });
    expect(await closure.reopen(token)).toBe("reopened");
    expect(await closure.reopen(token)).toBe("over");
    expect(await closure.findReopening(token)).toBeUndefined();
    expect(await profile.find(app.memberId)).toMatchObject({ firstName: "Ada", email: ada.email });
    expect(await app.canLogIn(ada.email, ada.password)).toBe(true);
    expect(JSON.stringify(await favourites.listFor(app.memberId))).toContain("2001");
    app.clock.advance(GRACE_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(0);
  });

  test("it may be closed again, and only the newer email opens it", async () => {
    await using app = await openAccountApp(engine);
    const { closure } = app.services;
    await closure.reopen(await closeForGood(app));
    const second = await closeForGood(app);
    expect(await closure.reopen(second)).toBe("reopened");
    const third = await closeForGood(app);
    expect(await closure.reopen(second)).toBe("over");
    expect(await closure.reopen(third)).toBe("reopened");
  });

  test("its address is free: somebody may join with it, and then it cannot come back", async () => {
    await using app = await openAccountApp(engine);
    const { closure, accounts } = app.services;
    const token = await closeForGood(app);
    const other = await app.register({ firstName: "Eve" });
    expect(other.id).not.toBe(app.memberId);
    expect(await closure.reopen(token)).toBe("email-taken");
    expect(await accounts.findMember(other.id)).toMatchObject({ firstName: "Eve" });

    await accounts.erase(other.id, app.database.db);
    expect(await closure.reopen(token), "free again").toBe("reopened");
  });

  test("ten people open it and the job erases it at once: it is there with its address, or gone", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, accounts } = app.services;
    const token = await closeForGood(app);
    // A clock that lags: the link is good still, and the account is due by the other process's time.
    app.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    await app.database.db.updateTable("members").set({ erase_at: "2026-12-04T02:59:59.000Z" }).execute();
    const [erased, ...opened] = await Promise.all([
      closure.eraseDue(personalData),
      ...Array.from({ length: 10 }, () => closure.reopen(token)),
    ]);
    const reopened = opened.filter((result) => result === "reopened").length;
    expect(erased + reopened).toBe(1);
    expect((await accounts.findByEmail(ada.email)) !== undefined).toBe(reopened === 1);
    await app.services.outbox.deliver();
    expect(app.emails.some(({ subject }) => subject === "Your account is erased")).toBe(erased === 1);
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("it opens while somebody joins with its address: one of the two has it", async () => {
    await using app = await openAccountApp(engine);
    const { closure, accounts } = app.services;
    const token = await closeForGood(app);
    const details = { email: ada.email, firstName: "Eve", lastName: "Marsh", accountType: "individual" as const };
    const [opened, joined] = await Promise.all([
      closure.reopen(token),
      accounts.admit({ ...details, passwordHash: "$argon2id$none" }, app.database.db),
    ]);
    expect([opened === "reopened", joined !== undefined].filter(Boolean)).toHaveLength(1);
    expect(opened === "reopened" || opened === "email-taken").toBe(true);
  });

  test("after fourteen days the link is over and the job erases it, with one last email", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, accounts, outbox, jobs, audit } = app.services;
    const token = await closeForGood(app);
    app.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(0);
    app.clock.advance(SECOND_IN_MS);
    expect(await closure.reopen(token)).toBe("over");
    await jobs.run("erase-closed-accounts");
    expect(await accounts.findRecord(app.memberId)).toBeUndefined();
    expect((await app.findEmail(ada.email))?.subject).toBe("Your account is erased");
    expect(await audit.listFor(app.memberId)).toMatchObject([{ action: "member erase" }]);
    expect(await closure.eraseDue(personalData)).toBe(0);

    await outbox.purge();
    for (const table of ["members", "letters", "challenges", "sessions", "drafts", "audit"] as const) {
      const rows = await app.database.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toMatch(/ada|lovell/i);
    }
  });

  test("the last email is kept until it has left", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, outbox } = app.services;
    await closeForGood(app);
    app.clock.advance(GRACE_IN_MS);
    await closure.eraseDue(personalData);
    await outbox.purge();
    expect((await app.findEmail(ada.email))?.subject).toBe("Your account is erased");
  });

  test("erasing it leaves whoever has the address now alone", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, outbox, accounts } = app.services;
    await closeForGood(app);
    const other = await app.register();
    const mail = { subject: "Refund", text: "£60 goes back.", html: "" };
    const refund = { key: "refund payment-9", kind: "refund" as const, to: ada.email, mail };
    app.clock.advance(GRACE_IN_MS);
    await outbox.add(refund, app.database.db);
    const wrote = async (memberId: number) =>
      (await outbox.listFor({ memberId, email: ada.email })).map(({ subject }) => subject);
    expect(await wrote(other.id)).toContain(mail.subject);
    expect(await closure.eraseDue(personalData)).toBe(1);
    expect(await accounts.findMember(other.id)).toBeDefined();
    expect((await outbox.list({ limit: 9 })).map(({ key }) => key)).toContain(refund.key);
  });

  test("a seat at a company's code is kept for the two weeks and free afterwards", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, codes, transact } = app.services;
    await codes.create({ code: "PILLOW", seats: 5 });
    await transact((trx) => codes.takeSeat({ code: "PILLOW", memberId: app.memberId }, trx));
    await closeForGood(app);
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(1);
    app.clock.advance(GRACE_IN_MS);
    await closure.eraseDue(personalData);
    expect((await codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("one that cannot be erased yet keeps nobody else waiting, and is tried again", async () => {
    await using app = await openAccountApp(engine);
    const { closure, personalData, sessions } = app.services;
    const bo = await app.register({ email: "bo@dormouse.example" });
    await closeForGood(app);
    app.clock.advance(HOUR_IN_MS);
    await closure.close({ ...home, memberId: bo.id, password: ada.password });
    const { db } = app.database;
    const order = {
      member_id: app.memberId,
      state: "refund-pending",
      email: ada.email,
      updated_at: "",
      created_at: "",
    };
    const person = { first_name: "Ada", last_name: "Lovell", postcode: "", country: "GB", site: home.site };
    const paid = { account_type: "individual" as const, plan_type: 1, amount_in_pence: 1500, currency: "GBP" };
    await db
      .insertInto("orders")
      .values({ ...order, ...person, ...paid })
      .execute();
    app.clock.advance(GRACE_IN_MS);
    expect(await closure.eraseDue(personalData)).toBe(1);
    expect(app.log.lines).toContainEqual(expect.objectContaining({ level: "warn", facts: { member: app.memberId } }));
    await db.updateTable("orders").set({ state: "refunded" }).execute();
    expect(await closure.eraseDue(personalData)).toBe(1);
    expect(await sessions.listFor(app.memberId)).toEqual([]);
  });
});
