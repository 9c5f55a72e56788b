import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse, type House } from "../../tests/helpers/house.ts";
import { listFaults, readLedger } from "../../tests/saga/ledger.ts";
import { ada, authenticate, from, pay, payment, prepareDraft } from "../../tests/saga/visitor.ts";
import { DAY_IN_MS } from "../clock.ts";
import { addMonths } from "../membership/plans.ts";

describe.each(engines)("renewing on %s", (engine) => {
  /** Somebody whose membership runs for a year from now. */
  async function admit(house: House, details: Partial<typeof ada> = {}) {
    const token = await prepareDraft(house, details);
    const paid = details.accountType === "corporate" ? { card: "hosted" as const, shownPlanType: undefined } : {};
    await pay(house, token, paid);
    const member = await house.rooms.accounts.findByEmail(details.email ?? ada.email);
    if (!member) throw new Error("Nobody has joined");
    return { member, link: house.rooms.renewalLinks.make(member.id), token };
  }

  async function startRenewal(house: House, link: string): Promise<string> {
    const draft = await house.rooms.signUp.startRenewal(link, from);
    if (!draft) throw new Error("The link is not good");
    return draft.token;
  }

  test("a link that was altered, or is somebody else's, or too old, opens nothing", async () => {
    await using house = await openHouse(engine);
    const { signUp } = house.rooms;
    const { link } = await admit(house);
    const other = await admit(house, { email: "bea@example.org" });
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
    expect(await signUp.findRenewal(link)).toEqual({ firstName: "Ada", endsAt: addMonths(house.clock(), 12) });
    house.clock.advance(70 * DAY_IN_MS - 1);
    expect(await signUp.findRenewal(link)).toBeDefined();
    house.clock.advance(1);
    expect(await signUp.findRenewal(link)).toBeUndefined();
  });

  test("before the end it adds a term after the one that runs; the account stays as it is", async () => {
    await using house = await openHouse(engine);
    const { accounts, membership, payments, signUp } = house.rooms;
    const { member, link } = await admit(house);
    const end = addMonths(house.clock(), 12);
    house.clock.advance(360 * DAY_IN_MS);
    const token = await startRenewal(house, house.rooms.renewalLinks.make(member.id));
    expect(await signUp.findRenewal(link)).toBeUndefined();
    await signUp.choosePlan(token, 2);
    expect(await signUp.findDraft(token)).toMatchObject({
      purpose: "renew",
      isVerified: true,
      email: ada.email,
      startsAt: end,
      endsAt: addMonths(end, 3),
    });
    expect(await pay(house, token, { shownPlanType: 2 })).toEqual({ ok: true, next: "completed" });
    expect(await membership.listFor(member.id)).toMatchObject([
      { startsAt: end, endsAt: addMonths(end, 3) },
      { endsAt: end },
    ]);
    expect(await payments.listReceipts(member.id)).toHaveLength(2);
    expect(await accounts.findMemberByPassword(ada.email, ada.password)).toMatchObject({ id: member.id });
    expect(await signUp.claimSession(token)).toBeUndefined();
    await house.comeToRest();
    expect(house.letters.filter(({ subject }) => subject.startsWith("Welcome"))).toHaveLength(1);
    expect(house.letters.filter(({ subject }) => subject.startsWith("Your receipt"))).toHaveLength(2);
    expect(listFaults(await readLedger(house.database.db))).toEqual([]);
  });

  test("after the end it starts today", async () => {
    await using house = await openHouse(engine);
    const { member } = await admit(house);
    house.clock.advance(400 * DAY_IN_MS);
    const link = house.rooms.renewalLinks.make(member.id);
    expect(await house.rooms.signUp.findRenewal(link)).toEqual({ firstName: "Ada", endsAt: undefined });
    const token = await startRenewal(house, link);
    await house.rooms.signUp.choosePlan(token, 3);
    await pay(house, token);
    expect(await house.rooms.membership.findAccess(member.id)).toEqual({
      isActive: true,
      endsAt: addMonths(house.clock(), 12),
    });
  });

  test("two renewals that are paid at once stand one behind the other", async () => {
    await using house = await openHouse(engine);
    const { member, link } = await admit(house);
    const end = addMonths(house.clock(), 12);
    const tokens = [await startRenewal(house, link), await startRenewal(house, link)];
    for (const token of tokens) await house.rooms.signUp.choosePlan(token, 1);
    await Promise.all(tokens.map((token) => pay(house, token, { shownPlanType: 1 })));
    const terms = (await house.rooms.membership.listFor(member.id)).map(({ startsAt }) => startsAt);
    expect(terms).toEqual([addMonths(end, 1), end, house.clock()]);
  });

  test("a colleague renews with the company's code: the same seat, no charge, even when the code is full", async () => {
    await using house = await openHouse(engine);
    await house.rooms.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member } = await admit(house, { accountType: "corporate", code: "NIGHT-SHIFT" });
    const end = addMonths(house.clock(), 12);
    house.clock.advance(360 * DAY_IN_MS);
    const token = await startRenewal(house, house.rooms.renewalLinks.make(member.id));
    expect(await house.rooms.signUp.findDraft(token)).toMatchObject({
      accountType: "corporate",
      code: "NIGHT-SHIFT",
      planType: 3,
    });
    expect(await house.rooms.signUp.pay(token, { ...payment, shownPlanType: undefined })).toEqual({
      ok: true,
      next: "completed",
    });
    expect(await house.rooms.membership.findCoverEnd(member.id)).toEqual(addMonths(end, 12));
    expect(await house.rooms.codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 1 });
    await house.rooms.outbox.deliver();
    expect(house.letters.map(({ subject }) => subject)).toEqual([
      "Confirm your email address",
      "Welcome to Dormouse",
      "Your receipt D-2026-000001",
      "Your receipt D-2027-000002",
    ]);
    const text = house.letters.at(-1)?.text.split("\n");
    for (const line of ["Starts on: 20/11/2027", "Ends on: 20/11/2028"]) expect(text).toContain(line);
  });

  test("a company pays for one year ahead, however often its colleague presses the link", async () => {
    await using house = await openHouse(engine);
    await house.rooms.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member } = await admit(house, { accountType: "corporate", code: "NIGHT-SHIFT" });
    const end = addMonths(house.clock(), 12);
    house.clock.advance(357 * DAY_IN_MS);
    const link = house.rooms.renewalLinks.make(member.id);
    const payAtOnce = async () => {
      const token = await startRenewal(house, link);
      return house.rooms.signUp.pay(token, { ...payment, shownPlanType: undefined });
    };
    const refused = { ok: false, reason: "code-refused", message: expect.stringContaining("the year ahead already") };
    expect(await payAtOnce()).toEqual(refused);
    house.clock.advance(DAY_IN_MS);
    const answers = await Promise.all([payAtOnce(), payAtOnce(), payAtOnce()]);
    expect(answers.filter(({ ok }) => ok)).toEqual([{ ok: true, next: "completed" }]);
    expect(answers.filter(({ ok }) => !ok)).toEqual([refused, refused]);
    expect(await house.rooms.membership.findCoverEnd(member.id)).toEqual(addMonths(end, 12));
  });

  test("a colleague whose company has gone may stay as an individual, for money", async () => {
    await using house = await openHouse(engine);
    const { accounts, codes, signUp } = house.rooms;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const { member, link } = await admit(house, { accountType: "corporate", code: "NIGHT-SHIFT" });
    await codes.revoke("NIGHT-SHIFT");
    const token = await startRenewal(house, link);
    expect(await signUp.findDraft(token)).toMatchObject({
      accountType: "individual",
      code: undefined,
      planType: undefined,
    });
    await signUp.choosePlan(token, 1);
    expect(await pay(house, token, { shownPlanType: 1 })).toEqual({ ok: true, next: "completed" });
    expect(await accounts.findMember(member.id)).toMatchObject({ accountType: "individual" });
    await house.comeToRest();
    expect(listFaults(await readLedger(house.database.db))).toEqual([]);
  });

  test("an account that is gone by the time the bank has agreed gets its money back", async () => {
    await using house = await openHouse(engine);
    const { member, link } = await admit(house);
    const token = await startRenewal(house, link);
    await house.rooms.signUp.choosePlan(token, 1);
    const begun = await pay(house, token, { shownPlanType: 1, card: "authentication" });
    await house.database.db.deleteFrom("members").where("id", "=", member.id).execute();
    await authenticate(house, begun);
    await house.comeToRest();
    const { charges } = await readLedger(house.database.db);
    expect(charges.map(({ amountInPence, refunds }) => [amountInPence, refunds])).toEqual([
      [6000, []],
      [1500, [1500]],
    ]);
    expect(house.letters.filter(({ subject }) => subject === "Your £15 is on its way back")).toHaveLength(1);
    expect(await house.rooms.signUp.startRenewal(link, from)).toBeUndefined();
  });

  test("step 1 is not for renewing: filling it in starts a sign-up of its own", async () => {
    await using house = await openHouse(engine);
    const { link } = await admit(house);
    const token = await startRenewal(house, link);
    const result = await house.rooms.signUp.saveDetails({ ...ada, token, email: "bea@example.org" });
    expect(result.ok && result.draft.token).not.toBe(token);
    expect(await house.rooms.signUp.findDraft(token)).toMatchObject({ purpose: "renew", email: ada.email });
  });
});
