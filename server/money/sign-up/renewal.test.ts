import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { settleAll, openApp, type App } from "../../../tests/helpers/app.ts";
import { listFaults, readLedger } from "../../../tests/saga/ledger.ts";
import { ada, authenticate, from, pay, payment, prepareDraft } from "../../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";

describe.each(engines)("renewing on %s", (engine) => {
  async function admit(app: App, details: Partial<typeof ada> = {}) {
    const token = await prepareDraft(app, details);
    const paid = details.accountType === "corporate" ? { card: "hosted" as const, shownPlanType: undefined } : {};
    await pay(app, token, paid);
    const member = await app.services.accounts.findByEmail(details.email ?? ada.email);
    if (!member) throw new Error("Nobody has joined");
    return { member, link: app.services.renewalLinks.make(member.id), token };
  }

  async function startRenewal(app: App, link: string): Promise<string> {
    const draft = await app.services.signUp.startRenewal(link, from);
    if (!draft) throw new Error("The link is not good");
    return draft.token;
  }

  test("an altered, foreign or expired link opens nothing", async () => {
    await using app = await openApp({ engine });
    const { signUp } = app.services;
    const { link } = await admit(app);
    const other = await admit(app, { email: "bea@example.org" });
    const [id = "", end = "", signature = ""] = link.split(".");
    const forged = [
      "",
      `${other.member.id}.${end}.${signature}`,
      `${id}.${Number(end) + 1}.${signature}`,
      `0${link}`,
      `${link}x`,
      link.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ];
    for (const token of forged) {
      expect(await signUp.findRenewal(token), token).toBeUndefined();
      expect(await signUp.startRenewal(token, from), token).toBeUndefined();
    }
    expect(await signUp.findRenewal(link)).toEqual({ firstName: "Ada", endsAt: addMonths(app.clock(), 12) });
    app.clock.advance(70 * DAY_IN_MS - 1);
    expect(await signUp.findRenewal(link)).toBeDefined();
    app.clock.advance(1);
    expect(await signUp.findRenewal(link)).toBeUndefined();
  });

  test("before the end it adds a term after the one that runs; the account stays as it is", async () => {
    await using app = await openApp({ engine });
    const { accounts, membership, payments, signUp } = app.services;
    const { member, link } = await admit(app);
    const end = addMonths(app.clock(), 12);
    app.clock.advance(360 * DAY_IN_MS);
    const token = await startRenewal(app, app.services.renewalLinks.make(member.id));
    expect(await signUp.findRenewal(link)).toBeUndefined();
    await signUp.choosePlan(token, 2);
    expect(await signUp.findDraft(token)).toMatchObject({
      purpose: "renew",
      isVerified: true,
      email: ada.email,
      startsAt: end,
      endsAt: addMonths(end, 3),
    });
    expect(await pay(app, token, { shownPlanType: 2 })).toEqual({ ok: true, next: "completed" });
    expect(await membership.listFor(member.id)).toMatchObject([
      { startsAt: end, endsAt: addMonths(end, 3) },
      { endsAt: end },
    ]);
    expect(await payments.listReceipts(member.id)).toHaveLength(2);
    expect(await accounts.findMemberByPassword(ada.email, ada.password)).toMatchObject({ id: member.id });
    expect(await signUp.claimSession(token)).toBeUndefined();
    await settleAll(app);
    expect(app.emails.filter(({ subject }) => subject.startsWith("Welcome"))).toHaveLength(1);
    expect(app.emails.filter(({ subject }) => subject.startsWith("Your receipt"))).toHaveLength(2);
    expect(listFaults(await readLedger(app.database.db))).toEqual([]);
  });

  test("after the end it starts today", async () => {
    await using app = await openApp({ engine });
    const { member } = await admit(app);
    app.clock.advance(400 * DAY_IN_MS);
    const link = app.services.renewalLinks.make(member.id);
    expect(await app.services.signUp.findRenewal(link)).toEqual({ firstName: "Ada", endsAt: undefined });
    const token = await startRenewal(app, link);
    await app.services.signUp.choosePlan(token, 3);
    await pay(app, token);
    expect(await app.services.membership.findAccess(member.id)).toEqual({
      isActive: true,
      endsAt: addMonths(app.clock(), 12),
    });
  });

  test("a member may renew by themselves from a month before the end, and long after it", async () => {
    await using app = await openApp({ engine });
    const { signUp, membership } = app.services;
    const { member } = await admit(app);
    const end = addMonths(app.clock(), 12);
    app.clock.advance(333 * DAY_IN_MS);
    expect(await signUp.findOwnRenewal(member.id)).toBeUndefined();
    expect(await signUp.startOwnRenewal(member.id, from)).toBeUndefined();
    app.clock.advance(2 * DAY_IN_MS);
    expect(await signUp.findOwnRenewal(member.id)).toEqual({ firstName: "Ada", endsAt: end });
    app.clock.advance(400 * DAY_IN_MS);
    expect(await signUp.findOwnRenewal(member.id)).toEqual({ firstName: "Ada", endsAt: undefined });
    const { token = "" } = (await signUp.startOwnRenewal(member.id, from)) ?? {};
    await signUp.choosePlan(token, 1);
    expect(await pay(app, token, { shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
    expect(await membership.findAccess(member.id)).toMatchObject({ isActive: true });
    expect(await signUp.claimSession(token)).toBeUndefined();
  });

  test("a member without any order may renew, and one who is erased may not", async () => {
    await using app = await openApp({ engine });
    const { accounts, signUp, personalData } = app.services;
    const member = await accounts.register({ ...ada, accountType: "corporate" });
    expect(await signUp.findOwnRenewal(member?.id ?? 0)).toEqual({ firstName: "Ada", endsAt: undefined });
    await personalData.erase({ memberId: member?.id ?? 0, email: ada.email }, "op");
    expect(await signUp.startOwnRenewal(member?.id ?? 0, from)).toBeUndefined();
  });

  test("a colleague renews in the week in which the company pays, or as an individual where its code is dead", async () => {
    await using app = await openApp({ engine });
    const { codes, signUp } = app.services;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member } = await admit(app, { accountType: "corporate", code: "NIGHT-SHIFT" });
    app.clock.advance(350 * DAY_IN_MS);
    expect(await signUp.findOwnRenewal(member.id)).toBeUndefined();
    app.clock.advance(8 * DAY_IN_MS);
    const byCode = await signUp.startOwnRenewal(member.id, from);
    expect(await signUp.findDraft(byCode?.token ?? "")).toMatchObject({ accountType: "corporate" });
    await codes.revoke("NIGHT-SHIFT");
    const alone = await signUp.startOwnRenewal(member.id, from);
    expect(await signUp.findDraft(alone?.token ?? "")).toMatchObject({ accountType: "individual", code: undefined });
  });

  test("what was renewed on another device is told before it is paid for again", async () => {
    await using app = await openApp({ engine });
    const { signUp, membership } = app.services;
    const { member, link } = await admit(app);
    const end = addMonths(app.clock(), 12);
    const [phone, laptop] = [await startRenewal(app, link), await startRenewal(app, link)];
    for (const token of [phone, laptop]) await signUp.choosePlan(token, 1);
    app.clock.advance(1000);
    expect(await pay(app, phone, { shownPlanType: 1 })).toMatchObject({ ok: true });
    const renewed = { at: app.clock(), endsAt: addMonths(end, 1), receiptNumber: "D-2026-000002" };
    expect(await signUp.findDraft(laptop)).toMatchObject({ renewed, startsAt: renewed.endsAt });
    expect(await pay(app, laptop, { shownPlanType: 1 })).toEqual({ ok: false, reason: "renewed", renewed });
    expect(await membership.findCoverEnd(member.id)).toEqual(addMonths(end, 1));
    const again = { shownPlanType: 1 as const, knownReceipt: renewed.receiptNumber };
    expect(await pay(app, laptop, again)).toEqual({ ok: true, next: "completed" });
    expect(await membership.findCoverEnd(member.id)).toEqual(addMonths(end, 2));
  });

  test("two renewals paid at once are queued one after the other", async () => {
    await using app = await openApp({ engine });
    const { member, link } = await admit(app);
    const end = addMonths(app.clock(), 12);
    const tokens = [await startRenewal(app, link), await startRenewal(app, link)];
    for (const token of tokens) await app.services.signUp.choosePlan(token, 1);
    await Promise.all(tokens.map((token) => pay(app, token, { shownPlanType: 1 })));
    const terms = (await app.services.membership.listFor(member.id)).map(({ startsAt }) => startsAt);
    expect(terms).toEqual([addMonths(end, 1), end, app.clock()]);
  });

  test("a colleague renews with the company's code: the same seat, no charge, even when the code is full", async () => {
    await using app = await openApp({ engine });
    await app.services.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member } = await admit(app, { accountType: "corporate", code: "NIGHT-SHIFT" });
    const end = addMonths(app.clock(), 12);
    app.clock.advance(360 * DAY_IN_MS);
    const token = await startRenewal(app, app.services.renewalLinks.make(member.id));
    expect(await app.services.signUp.findDraft(token)).toMatchObject({
      accountType: "corporate",
      code: "NIGHT-SHIFT",
      planType: 3,
    });
    expect(await app.services.signUp.pay(token, { ...payment, shownPlanType: undefined })).toEqual({
      ok: true,
      next: "completed",
    });
    expect(await app.services.membership.findCoverEnd(member.id)).toEqual(addMonths(end, 12));
    expect(await app.services.codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 1 });
    await app.services.outbox.deliver();
    expect(app.emails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^\d{6}: Confirm your email address$/),
      "Welcome to Dormouse",
      "Your receipt D-2026-000001",
      "Your receipt D-2027-000002",
    ]);
    const text = app.emails.at(-1)?.text.split("\n");
    for (const line of ["Starts on: 20 November 2027", "Ends on: 20 November 2028"]) expect(text).toContain(line);
  });

  test("a company pays for one year ahead, however often its colleague presses the link", async () => {
    await using app = await openApp({ engine });
    await app.services.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member } = await admit(app, { accountType: "corporate", code: "NIGHT-SHIFT" });
    const end = addMonths(app.clock(), 12);
    app.clock.advance(357 * DAY_IN_MS);
    const link = app.services.renewalLinks.make(member.id);
    const payAtOnce = async () => {
      const token = await startRenewal(app, link);
      return app.services.signUp.pay(token, { ...payment, shownPlanType: undefined });
    };
    const refused = {
      ok: false,
      reason: "code-refused",
      message: expect.stringContaining("already used this code for the year ahead"),
    };
    expect(await payAtOnce()).toEqual(refused);
    app.clock.advance(DAY_IN_MS);
    const answers = await Promise.all([payAtOnce(), payAtOnce(), payAtOnce()]);
    expect(answers.filter(({ ok }) => ok)).toEqual([{ ok: true, next: "completed" }]);
    expect(answers.filter(({ ok }) => !ok)).toEqual([refused, refused]);
    expect(await app.services.membership.findCoverEnd(member.id)).toEqual(addMonths(end, 12));
  });

  test("a colleague whose company has gone may stay as an individual, for money", async () => {
    await using app = await openApp({ engine });
    const { accounts, codes, signUp } = app.services;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member, link } = await admit(app, { accountType: "corporate", code: "NIGHT-SHIFT" });
    await codes.revoke("NIGHT-SHIFT");
    const token = await startRenewal(app, link);
    expect(await signUp.findDraft(token)).toMatchObject({
      accountType: "individual",
      code: undefined,
      planType: undefined,
    });
    await signUp.choosePlan(token, 1);
    expect(await pay(app, token, { shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
    expect(await accounts.findMember(member.id)).toMatchObject({ accountType: "individual" });
    await settleAll(app);
    expect(listFaults(await readLedger(app.database.db))).toEqual([]);
  });

  test("a payment for an account that is erased meanwhile is refunded", async () => {
    await using app = await openApp({ engine });
    const { member, link } = await admit(app);
    const token = await startRenewal(app, link);
    await app.services.signUp.choosePlan(token, 1);
    const begun = await pay(app, token, { shownPlanType: 1, card: "authentication" });
    await app.database.db.deleteFrom("members").where("id", "=", member.id).execute();
    await authenticate(app, begun);
    await settleAll(app);
    const { charges } = await readLedger(app.database.db);
    expect(charges.map(({ amountInPence, refunds }) => [amountInPence, refunds])).toEqual([
      [6000, []],
      [1500, [1500]],
    ]);
    expect(app.emails.filter(({ subject }) => subject === "Your refund of £15 is on its way")).toHaveLength(1);
    expect(await app.services.signUp.startRenewal(link, from)).toBeUndefined();
  });

  test("filling in step 1 starts a new sign-up instead of a renewal", async () => {
    await using app = await openApp({ engine });
    const { link } = await admit(app);
    const token = await startRenewal(app, link);
    const result = await app.services.signUp.saveDetails({ ...ada, token, email: "bea@example.org" });
    expect(result.ok && result.draft.token).not.toBe(token);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ purpose: "renew", email: ada.email });
  });
});
