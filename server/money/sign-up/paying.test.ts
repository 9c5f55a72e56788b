import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { createInterference } from "../../../tests/saga/interference.ts";
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
} from "../../../tests/saga/visitor.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import type { PaymentInput } from "./sign-up.ts";

describe("paying", () => {
  test("everything that would make a payment useless is refused before the gateway is asked", async () => {
    const gateway = createInterference();
    await using app = await openApp({ wrapCardGateway: gateway.wrapCardGateway });
    const { accounts, signUp } = app.services;
    const token = await startDraft(app);
    const methodId = await makeMethod(app);
    const tryToPay = (input: Partial<PaymentInput> = {}) => signUp.pay(token, { ...payment, methodId, ...input });

    expect(await signUp.pay("nobody's", payment)).toEqual({ ok: false, reason: "no-draft" });
    expect(await tryToPay()).toEqual({ ok: false, reason: "incomplete", missing: ["unverified"] });
    const both = ["unverified", "postcode-missing"];
    expect(await tryToPay({ postcode: "" })).toEqual({ ok: false, reason: "incomplete", missing: both });
    await verify(app, token);
    // A wrong card never leads to the gateway's own page.
    const wrong = ["card-missing"];
    expect(await tryToPay({ isCardWrong: true })).toEqual({ ok: false, reason: "incomplete", missing: wrong });
    expect(await tryToPay()).toEqual({ ok: false, reason: "no-plan" });
    await signUp.choosePlan(token, 1);
    expect(await tryToPay({ shownPlanType: 3 })).toEqual({ ok: false, reason: "plan-changed" });
    expect(await tryToPay({ shownPlanType: undefined })).toEqual({ ok: false, reason: "plan-changed" });
    expect(await tryToPay({ shownPlanType: 1, postcode: " \t " })).toEqual({
      ok: false,
      reason: "incomplete",
      missing: ["postcode-missing"],
    });
    await accounts.register({ ...ada, email: "ADA@example.org" });
    expect(await tryToPay({ shownPlanType: 1 })).toEqual({ ok: false, reason: "email-registered" });

    expect(gateway.calls).toEqual([]);
    expect(await app.database.db.selectFrom("orders").selectAll().execute()).toEqual([]);
    expect(await signUp.findDraft(token)).toMatchObject({ payment: { state: "none" } });
  });

  test.each([
    [1, 1500, "2026-12-20T03:00:00.000Z"],
    [2, 3000, "2027-02-20T03:00:00.000Z"],
    [3, 6000, "2027-11-20T03:00:00.000Z"],
  ] as const)("plan %i takes %i pence and lasts until %s", async (planType, amountInPence, end) => {
    await using app = await openApp();
    const token = await prepareDraft(app, { planType });
    const endsAt = new Date(end);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ planType, startsAt: app.clock(), endsAt });
    expect(await pay(app, token, { shownPlanType: planType })).toEqual({ ok: true, next: "completed" });
    expect((await app.services.signUp.findDraft(token))?.payment).toMatchObject({
      state: "completed",
      amountInPence,
      startsAt: app.clock(),
      endsAt,
    });
  });

  test("the view of a draft knows which steps are earned", async () => {
    await using app = await openApp();
    await app.services.codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const token = await startDraft(app);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({
      purpose: "join",
      isVerified: false,
      planType: undefined,
      endsAt: undefined,
      payment: { state: "none" },
    });
    expect(await app.services.signUp.choosePlan("nobody's", 1)).toEqual({ ok: false, reason: "no-draft" });
    expect(await app.services.signUp.choosePlan(token, 2)).toEqual({ ok: true });
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ isVerified: false, planType: 2 });
    const company = { accountType: "corporate" as const, code: "night-shift", email: "bea@example.org" };
    expect(await app.services.signUp.findDraft(await startDraft(app, company))).toMatchObject({
      accountType: "corporate",
      code: "night-shift",
      planType: 3,
      endsAt: addMonths(app.clock(), 12),
    });
  });

  test("after paying, Back and Pay again charge nothing; the plan stays", async () => {
    const gateway = createInterference();
    await using app = await openApp({ wrapCardGateway: gateway.wrapCardGateway });
    const token = await prepareDraft(app);
    await pay(app, token);
    const callCount = gateway.calls.length;
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await app.services.signUp.choosePlan(token, 1)).toEqual({ ok: false, reason: "paying" });
    await app.services.signUp.settle(token);
    expect(gateway.calls).toHaveLength(callCount);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ planType: 3, payment: { state: "completed" } });
  });

  test("a completed sign-up logs in its own browser, on the same day", async () => {
    await using app = await openApp();
    const { sessions, signUp } = app.services;
    const token = await prepareDraft(app);
    const begun = await pay(app, token, { card: "authentication" });
    expect(await signUp.claimSession(token)).toBeUndefined();
    await authenticate(app, begun);
    expect(await signUp.claimSession(token)).toBeUndefined();
    await signUp.settle(token);
    const session = await signUp.claimSession(token);
    expect(session && (await sessions.find(session.token))).toBeDefined();

    const late = await prepareDraft(app, { email: "bea@example.org" });
    await pay(app, late);
    app.clock.advance(24 * HOUR_IN_MS);
    expect(await signUp.claimSession(late)).toBeUndefined();
  });

  test("its session comes again for a quarter of an hour, while it lives, to a browser that has none", async () => {
    await using app = await openApp();
    const { accounts, sessions, signUp } = app.services;
    const token = await prepareDraft(app);
    await pay(app, token);
    const session = await signUp.claimSession(token);
    app.clock.advance(14 * MINUTE_IN_MS);
    expect(await signUp.claimSession(token)).toEqual(session);
    const other = await accounts.register({ ...ada, email: "bea@example.org" });
    const theirs = await sessions.start(other?.id ?? 0);
    expect(await signUp.claimSession(token, { replacedToken: theirs.token })).toBeUndefined();
    expect(await sessions.find(theirs.token)).toBeDefined();
    app.clock.advance(MINUTE_IN_MS);
    expect(await signUp.claimSession(token)).toBeUndefined();

    const shared = await prepareDraft(app, { email: "cy@example.org" });
    await pay(app, shared);
    await sessions.end((await signUp.claimSession(shared))?.token ?? "");
    expect(await signUp.claimSession(shared)).toBeUndefined();
  });

  test("claim and session are kept together or not at all", async () => {
    await using app = await openApp();
    const { signUp } = app.services;
    const token = await prepareDraft(app);
    await pay(app, token);
    await sql`create trigger no_sessions before insert on sessions begin select raise(abort, 'full'); end`.execute(
      app.db,
    );
    await expect(signUp.claimSession(token)).rejects.toThrow("full");
    await sql`drop trigger no_sessions`.execute(app.db);
    expect(await signUp.claimSession(token)).toBeDefined();
  });

  test("the session of a new member takes the place of the one this browser had", async () => {
    await using app = await openApp();
    const { accounts, sessions, signUp } = app.services;
    const other = await accounts.register({ ...ada, email: "bea@example.org" });
    const before = await sessions.start(other?.id ?? 0);
    const token = await prepareDraft(app);
    await pay(app, token);
    expect(await signUp.claimSession(token, { replacedToken: before.token })).toBeDefined();
    expect(await sessions.find(before.token)).toBeUndefined();
  });

  test("card testing is limited to twelve tries in a quarter of an hour", async () => {
    await using app = await openApp();
    const token = await prepareDraft(app);
    for (let tries = 1; tries <= 12; tries += 1) {
      const address = `203.0.113.${tries}`;
      expect(await pay(app, token, { card: "declined", address })).toMatchObject({ reason: "declined" });
    }
    app.clock.advance(MINUTE_IN_MS);
    expect(await pay(app, token, { address: "203.0.113.99" })).toEqual({
      ok: false,
      reason: "too-many-attempts",
      waitInMs: 14 * MINUTE_IN_MS,
    });
    app.clock.advance(14 * MINUTE_IN_MS);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });

  test("one network may try to pay sixty times an hour, over all sign-ups", async () => {
    await using app = await openApp();
    const token = await startDraft(app);
    const unverified = { ok: false, reason: "incomplete", missing: ["unverified"] };
    for (let tries = 1; tries <= 60; tries += 1) {
      if (tries % 12 === 0) app.clock.advance(11 * MINUTE_IN_MS);
      expect([unverified, expect.objectContaining({ reason: "too-many-attempts" })]).toContainEqual(
        await app.services.signUp.pay(token, payment),
      );
    }
    const other = await startDraft(app, { email: "bea@example.org" });
    expect(await app.services.signUp.pay(other, payment)).toMatchObject({ reason: "too-many-attempts" });
    expect(await app.services.signUp.pay(other, { ...payment, address: "203.0.113.9" })).toEqual(unverified);
  });

  test("links in the emails of a sign-up lead where the visitor met the site", async () => {
    await using app = await openApp();
    const site = "https://members.example.org/sleep/";
    const token = await prepareDraft(app, { site });
    const begun = await pay(app, token, { site, card: "authentication" });
    expect(begun).toMatchObject({ url: expect.stringContaining(`${site}demo-gateway/authenticate/`) });
    expect(await authenticate(app, begun)).toEqual({ url: `${site}signup?step=4` });
    await app.services.signUp.settle(token);
    await app.services.outbox.deliver();
    expect(app.emails).toHaveLength(3);
    for (const { text } of app.emails) {
      expect(text).toContain(site);
      expect(text).not.toContain(from.site);
    }
  });
});
