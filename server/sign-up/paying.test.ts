import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse } from "../../tests/helpers/house.ts";
import { createInterference } from "../../tests/saga/interference.ts";
import {
  ada,
  authenticate,
  from,
  makeMethod,
  pay,
  payment,
  prepareDraft,
  startDraft,
  verify,
} from "../../tests/saga/visitor.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import { addMonths } from "../membership/plans.ts";
import type { PaymentInput } from "./sign-up.ts";

describe.each(engines)("paying on %s", (engine) => {
  test("whatever would make a payment useless is told before the gateway is asked for anything", async () => {
    const gateway = createInterference();
    await using house = await openHouse(engine, { wrapCards: gateway.wrapCards });
    const { accounts, signUp } = house.rooms;
    const token = await startDraft(house);
    const methodId = await makeMethod(house);
    const tryToPay = (input: Partial<PaymentInput> = {}) => signUp.pay(token, { ...payment, methodId, ...input });

    expect(await signUp.pay("nobody's", payment)).toEqual({ ok: false, reason: "no-draft" });
    expect(await tryToPay()).toEqual({ ok: false, reason: "unverified" });
    await verify(house, token);
    expect(await tryToPay()).toEqual({ ok: false, reason: "no-plan" });
    await signUp.choosePlan(token, 1);
    expect(await tryToPay({ shownPlanType: 3 })).toEqual({ ok: false, reason: "plan-changed" });
    expect(await tryToPay({ shownPlanType: undefined })).toEqual({ ok: false, reason: "plan-changed" });
    expect(await tryToPay({ shownPlanType: 1, postcode: " \t " })).toEqual({ ok: false, reason: "postcode-missing" });
    await accounts.register({ ...ada, email: "ADA@example.org" });
    expect(await tryToPay({ shownPlanType: 1 })).toEqual({ ok: false, reason: "email-registered" });

    expect(gateway.calls).toEqual([]);
    expect(await house.database.db.selectFrom("orders").selectAll().execute()).toEqual([]);
    expect(await signUp.findDraft(token)).toMatchObject({ payment: { state: "none" } });
  });

  test.each([
    [1, 1500, "2026-12-20T03:00:00.000Z"],
    [2, 3000, "2027-02-20T03:00:00.000Z"],
    [3, 6000, "2027-11-20T03:00:00.000Z"],
  ] as const)("plan %i takes %i pence and lasts until %s", async (planType, amountInPence, end) => {
    await using house = await openHouse(engine);
    const token = await prepareDraft(house, { planType });
    const endsAt = new Date(end);
    expect(await house.rooms.signUp.findDraft(token)).toMatchObject({ planType, startsAt: house.clock(), endsAt });
    expect(await pay(house, token, { shownPlanType: planType })).toEqual({ ok: true, next: "completed" });
    expect((await house.rooms.signUp.findDraft(token))?.payment).toMatchObject({
      state: "completed",
      amountInPence,
      startsAt: house.clock(),
      endsAt,
    });
  });

  test("the view of a draft knows which steps are earned", async () => {
    await using house = await openHouse(engine);
    await house.rooms.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const token = await startDraft(house);
    expect(await house.rooms.signUp.findDraft(token)).toMatchObject({
      purpose: "join",
      isVerified: false,
      planType: undefined,
      endsAt: undefined,
      payment: { state: "none" },
    });
    expect(await house.rooms.signUp.choosePlan("nobody's", 1)).toEqual({ ok: false, reason: "no-draft" });
    expect(await house.rooms.signUp.choosePlan(token, 2)).toEqual({ ok: true });
    expect(await house.rooms.signUp.findDraft(token)).toMatchObject({ isVerified: false, planType: 2 });
    const company = { accountType: "corporate" as const, code: "night-shift", email: "bea@example.org" };
    expect(await house.rooms.signUp.findDraft(await startDraft(house, company))).toMatchObject({
      accountType: "corporate",
      code: "night-shift",
      planType: 3,
      endsAt: addMonths(house.clock(), 12),
    });
  });

  test("after paying, Back and Pay again charge nothing; the plan stays", async () => {
    const gateway = createInterference();
    await using house = await openHouse(engine, { wrapCards: gateway.wrapCards });
    const token = await prepareDraft(house);
    await pay(house, token);
    const asked = gateway.calls.length;
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await house.rooms.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    await house.rooms.signUp.settle(token);
    expect(gateway.calls).toHaveLength(asked);
    expect(await house.rooms.signUp.findDraft(token)).toMatchObject({ planType: 3, payment: { state: "completed" } });
  });

  test("only who completed the sign-up is logged in by it, once, and on the same day", async () => {
    await using house = await openHouse(engine);
    const { sessions, signUp } = house.rooms;
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    expect(await signUp.claimSession(token)).toBeUndefined();
    await authenticate(house, begun);
    expect(await signUp.claimSession(token)).toBeUndefined();
    await signUp.settle(token);
    const old = await signUp.claimSession(token);
    expect(old && (await sessions.find(old.token))).toBeDefined();
    expect(await signUp.claimSession(token)).toBeUndefined();

    const late = await prepareDraft(house, { email: "bea@example.org" });
    await pay(house, late);
    house.clock.advance(24 * HOUR_IN_MS);
    expect(await signUp.claimSession(late)).toBeUndefined();
  });

  test("the session of a new member takes the place of the one this browser had", async () => {
    await using house = await openHouse(engine);
    const { accounts, sessions, signUp } = house.rooms;
    const other = await accounts.register({ ...ada, email: "bea@example.org" });
    const before = await sessions.start(other?.id ?? 0);
    const token = await prepareDraft(house);
    await pay(house, token);
    expect(await signUp.claimSession(token, { replacedToken: before.token })).toBeDefined();
    expect(await sessions.find(before.token)).toBeUndefined();
  });

  test("a stolen list of cards is not tried out here: a dozen tries in a quarter of an hour", async () => {
    await using house = await openHouse(engine);
    const token = await prepareDraft(house);
    for (let tries = 1; tries <= 12; tries += 1) {
      const address = `203.0.113.${tries}`;
      expect(await pay(house, token, { card: "declined", address })).toMatchObject({ reason: "declined" });
    }
    house.clock.advance(MINUTE_IN_MS);
    expect(await pay(house, token, { address: "203.0.113.99" })).toEqual({
      ok: false,
      reason: "too-many-attempts",
      waitInMs: 14 * MINUTE_IN_MS,
    });
    house.clock.advance(14 * MINUTE_IN_MS);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
  });

  test("one network pays sixty times an hour at most, for whatever sign-ups", async () => {
    await using house = await openHouse(engine);
    const token = await startDraft(house);
    const unverified = { ok: false, reason: "unverified" };
    for (let tries = 1; tries <= 60; tries += 1) {
      if (tries % 12 === 0) house.clock.advance(11 * MINUTE_IN_MS);
      expect([unverified, expect.objectContaining({ reason: "too-many-attempts" })]).toContainEqual(
        await house.rooms.signUp.pay(token, payment),
      );
    }
    const other = await startDraft(house, { email: "bea@example.org" });
    expect(await house.rooms.signUp.pay(other, payment)).toMatchObject({ reason: "too-many-attempts" });
    expect(await house.rooms.signUp.pay(other, { ...payment, address: "203.0.113.9" })).toEqual(unverified);
  });

  test("links in the letters of a sign-up lead where the visitor met the site", async () => {
    await using house = await openHouse(engine);
    const site = "https://members.example.org/sleep/";
    const token = await prepareDraft(house, { site });
    const begun = await pay(house, token, { site, card: "authentication" });
    expect(begun).toMatchObject({ url: expect.stringContaining(`${site}demo-gateway/authenticate/`) });
    expect(await authenticate(house, begun)).toEqual({ url: `${site}signup?step=4` });
    await house.rooms.signUp.settle(token);
    await house.rooms.outbox.deliver();
    expect(house.letters).toHaveLength(3);
    for (const { text } of house.letters) {
      expect(text).toContain(site);
      expect(text).not.toContain(from.site);
    }
  });
});
