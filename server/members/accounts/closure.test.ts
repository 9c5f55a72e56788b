import { describe, expect, test } from "vitest";

import { openMemberApp } from "../../../tests/helpers/account.ts";
import {
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
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Engine } from "../../platform/database/database.ts";

const GRACE_IN_MS = 14 * DAY_IN_MS;
const ERASE_AT = new Date("2026-12-04T03:00:00.000Z");

async function openAccount(engine: Engine = "sqlite") {
  const app = await openMemberApp({ engine });
  const { closure, memberId } = app;
  const close = (password = ada.password) => closure.close({ ...home, memberId, password });
  /** Closes Ada's account; returns the token that reopens it. */
  const closeForGood = async (): Promise<string> => {
    expect(await close()).toMatchObject({ ok: true });
    return (await readEmail(app, ada.email, "Your account is closed")).token;
  };
  const askForGrant = async () => app.passwordReset.useLink((await app.requestReset()).token);
  const eraseDue = () => closure.eraseDue(app.personalData);
  return { ...app, close, closeForGood, askForGrant, eraseDue };
}

describe("a closed account", () => {
  test("asks for the password, counted with log-in", async () => {
    await using app = await openAccount();
    const guess = { ...elsewhere, memberId: app.memberId, password: "which-was-it" };
    for (let count = 0; count < 10; count += 1) {
      expect(await app.closure.close(guess)).toEqual({ ok: false, reason: "password-wrong" });
    }
    const right = { ...guess, password: ada.password };
    expect(await app.closure.close(right)).toMatchObject({ reason: "too-many-attempts" });
    expect(await app.logIn({ ...right, email: ada.email })).toMatchObject({ reason: "too-many-attempts" });
    expect(await app.accounts.findMember(app.memberId)).toBeDefined();
  });

  test("refuses log-in under every address, and its email says how to reopen it", async () => {
    await using app = await openAccount();
    const tokens = [await startSession(app, app.memberId), await startSession(app, app.memberId)];
    expect(await app.close()).toEqual({ ok: true, eraseAt: ERASE_AT });
    for (const token of tokens) expect(await isLoggedIn(app, token)).toBe(false);
    const [row] = await app.db.selectFrom("members").select(["email", "closedEmail"]).execute();
    expect(row?.closedEmail).toBe(ada.email);
    for (const email of [ada.email, row?.email ?? ""]) {
      expect(await canLogIn(app, email, ada.password)).toBe(false);
      expect(await app.accounts.findByEmail(email)).toBeUndefined();
    }
    expect(await app.accounts.findMember(app.memberId)).toBeUndefined();
    expect(await app.profile.find(app.memberId)).toBeUndefined();
    const { text = "" } = (await findEmail(app, ada.email)) ?? {};
    for (const words of ["Erased on: 4 December 2026", "6 years"]) expect(text).toContain(words);
    expect(text).toMatch(/\nhttp:\/\/dormouse\.test\/login\?reopen=\S+\n/);
  });

  test("voids earlier codes, grants and a pending new address, and is sent no new ones", async () => {
    await using app = await openAccount();
    await askForAddress(app, app.memberId, "ada@lovell.example");
    const confirm = await readEmail(app, "ada@lovell.example");
    const grant = await app.askForGrant();
    await app.closeForGood();
    expect(await app.profile.confirmEmailByLink(confirm.token)).toBe("over");
    expect(await app.setPassword(grant)).toMatchObject({ reason: "grant-over" });
    app.clock.advance(MINUTE_IN_MS);
    const before = app.emails.length;
    expect(await app.passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
    await app.outbox.deliver();
    expect(app.emails).toHaveLength(before);
  });

  test("has no link to renew, and no email about the end is written", async () => {
    await using app = await openAccount();
    const term = { planType: 1 as const, startsAt: app.clock(), endsAt: new Date("2026-11-25") };
    await app.membership.grant({ memberId: app.memberId, ...term });
    const link = app.renewalLinks.make(app.memberId);
    await app.closeForGood();
    expect(await app.signUp.findRenewal(link)).toBeUndefined();
    expect(await app.signUp.startRenewal(link, home)).toBeUndefined();
    const before = app.emails.length;
    await app.jobs.run("send-ending-emails");
    await app.outbox.deliver();
    expect(app.emails).toHaveLength(before);
  });

  test("opens by the email's link until it is erased, as it was", async () => {
    await using app = await openAccount();
    const { closure } = app;
    await app.favourites.save(app.memberId, { kind: "watch", id: 2001 });
    const token = await app.closeForGood();
    app.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await closure.findReopening(token)).toEqual({ email: ada.email });
    expect(await closure.reopen(token)).toBe("reopened");
    expect(await closure.reopen(token)).toBe("over");
    expect(await closure.findReopening(token)).toBeUndefined();
    expect(await app.profile.find(app.memberId)).toMatchObject({ firstName: "Ada", email: ada.email });
    expect(await canLogIn(app, ada.email, ada.password)).toBe(true);
    expect(JSON.stringify(await app.favourites.listFor(app.memberId))).toContain("2001");
    app.clock.advance(GRACE_IN_MS);
    expect(await app.eraseDue()).toBe(0);
    const second = await app.closeForGood();
    expect(await closure.reopen(second)).toBe("reopened");
    const third = await app.closeForGood();
    expect(await closure.reopen(second), "only the newer email opens it").toBe("over");
    expect(await closure.reopen(third)).toBe("reopened");
  });

  test("is erased by the job after fourteen days, with one last email, which is kept until it has left", async () => {
    await using app = await openAccount();
    const token = await app.closeForGood();
    app.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    expect(await app.eraseDue()).toBe(0);
    app.clock.advance(SECOND_IN_MS);
    expect(await app.closure.reopen(token)).toBe("over");
    await app.jobs.run("erase-closed-accounts");
    expect(await app.accounts.findRecord(app.memberId)).toBeUndefined();
    await app.outbox.purge();
    expect((await findEmail(app, ada.email))?.subject).toBe("We've erased your account");
    expect(await app.audit.listFor(app.memberId)).toMatchObject([{ action: "member erase" }]);
    expect(await app.eraseDue()).toBe(0);

    await app.outbox.purge();
    for (const table of ["members", "emails", "challenges", "sessions", "drafts", "audit"] as const) {
      const rows = await app.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toMatch(/ada|lovell/i);
    }
  });

  test("is erased without touching another account that now has its address", async () => {
    await using app = await openAccount();
    await app.closeForGood();
    const other = await addMember(app);
    const mail = { subject: "Refund", text: "£60 goes back.", html: "" };
    const refund = { key: "refund payment-9", kind: "refund" as const, to: ada.email, mail };
    app.clock.advance(GRACE_IN_MS);
    await app.outbox.add(refund, app.db);
    const sent = await app.outbox.listFor({ memberId: other.id, email: ada.email });
    expect(sent.map(({ subject }) => subject)).toContain(mail.subject);
    expect(await app.eraseDue()).toBe(1);
    expect(await app.accounts.findMember(other.id)).toBeDefined();
    expect((await app.outbox.list({ limit: 9 })).map(({ key }) => key)).toContain(refund.key);
  });

  test("keeps its seat at a company's code for two weeks", async () => {
    await using app = await openAccount();
    await app.codes.create({ code: "PILLOW", seats: 5 });
    await app.transact((trx) => app.codes.takeSeat({ code: "PILLOW", memberId: app.memberId }, trx));
    await app.closeForGood();
    expect((await app.codes.find("PILLOW"))?.seatsTaken).toBe(1);
    app.clock.advance(GRACE_IN_MS);
    await app.eraseDue();
    expect((await app.codes.find("PILLOW"))?.seatsTaken).toBe(0);
  });

  test("that cannot be erased yet does not hold up the others, and is tried again", async () => {
    await using app = await openAccount();
    const { memberId, db } = app;
    const bo = await addMember(app, { email: "bo@dormouse.example" });
    await app.closeForGood();
    app.clock.advance(HOUR_IN_MS);
    await app.closure.close({ ...home, memberId: bo.id, password: ada.password });
    const person = { firstName: "Ada", lastName: "Lovell", postcode: "", country: "GB", site: home.site };
    const paid = { accountType: "individual" as const, planType: 1, amountInPence: 1500, currency: "GBP" };
    const order = {
      memberId,
      state: "refund-pending",
      email: ada.email,
      updatedAt: app.clock(),
      createdAt: app.clock(),
    };
    const orders = db.insertInto("orders").values({ ...order, ...person, ...paid });
    await orders.execute();
    app.clock.advance(GRACE_IN_MS);
    expect(await app.eraseDue()).toBe(1);
    expect(app.log.lines).toContainEqual(expect.objectContaining({ level: "warn", facts: { member: memberId } }));
    await db.updateTable("orders").set({ state: "refunded" }).execute();
    expect(await app.eraseDue()).toBe(1);
    expect(await app.sessions.listFor(memberId)).toEqual([]);
  });
});

describe.each(engines)("closing an account on %s", (engine) => {
  test("eight times at once closes it once", async () => {
    await using app = await openAccount(engine);
    const results = await Promise.all(Array.from({ length: 8 }, () => app.close()));
    expect(results).toContainEqual({ ok: true, eraseAt: ERASE_AT });
    for (const result of results) expect(result.ok || result.reason === "password-wrong").toBe(true);
    await app.outbox.deliver();
    expect(app.emails).toHaveLength(1);
  });

  test("during a password reset either closes it or leaves it open with the new password", async () => {
    await using app = await openAccount(engine);
    const grant = await app.askForGrant();
    const [closed, set] = await Promise.all([app.close(), app.setPassword(grant)]);
    expect([closed.ok, set.ok].filter(Boolean)).toHaveLength(1);
    expect((await app.accounts.findMember(app.memberId)) === undefined).toBe(closed.ok);
    expect(await canLogIn(app, ada.email, NEW_PASSWORD)).toBe(set.ok);
  });

  test("frees its address: another person may join with it, and then the account cannot be reopened", async () => {
    await using app = await openAccount(engine);
    const token = await app.closeForGood();
    const other = await addMember(app, { firstName: "Eve" });
    expect(other.id).not.toBe(app.memberId);
    expect(await app.closure.reopen(token)).toBe("email-taken");
    expect(await app.accounts.findMember(other.id)).toMatchObject({ firstName: "Eve" });
    await app.accounts.erase(other.id, app.db);
    expect(await app.closure.reopen(token), "free again").toBe("reopened");
  });

  test("ends with it either open or erased when ten requests reopen it while the job erases it", async () => {
    await using app = await openAccount(engine);
    const token = await app.closeForGood();
    // This clock lags: the link is still valid, while the account is due by the other process's time.
    app.clock.advance(GRACE_IN_MS - SECOND_IN_MS);
    await app.db
      .updateTable("members")
      .set({ eraseAt: new Date("2026-12-04T02:59:59.000Z") })
      .execute();
    const [erased, ...opened] = await Promise.all([
      app.eraseDue(),
      ...Array.from({ length: 10 }, () => app.closure.reopen(token)),
    ]);
    const reopened = opened.filter((result) => result === "reopened").length;
    expect(erased + reopened).toBe(1);
    expect((await app.accounts.findByEmail(ada.email)) !== undefined).toBe(reopened === 1);
    await app.outbox.deliver();
    expect(app.emails.some(({ subject }) => subject === "We've erased your account")).toBe(erased === 1);
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("and reopening it while another person joins with its address gives the address to one of them", async () => {
    await using app = await openAccount(engine);
    const token = await app.closeForGood();
    const details = { email: ada.email, firstName: "Eve", lastName: "Marsh", accountType: "individual" as const };
    const [opened, joined] = await Promise.all([
      app.closure.reopen(token),
      app.accounts.admit({ ...details, passwordHash: "$argon2id$none" }, app.db),
    ]);
    expect([opened === "reopened", joined !== undefined].filter(Boolean)).toHaveLength(1);
    expect(["reopened", "email-taken"]).toContain(opened);
  });
});
