import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import {
  ada,
  authenticate,
  findChallenge,
  pay,
  prepareDraft,
  startDraft,
  verify,
} from "../../../tests/saga/visitor.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

describe("step 1", () => {
  test("keeps names on one line, a code only for joining by one, and the password only as a hash", async () => {
    await using app = await openApp();
    await app.services.codes.create({ code: "NIGHT-SHIFT", seats: 3 });
    await startDraft(app, { firstName: " Ada\r\nBcc: x ", code: "left over", email: " ada@example.org " });
    await startDraft(app, { accountType: "corporate", code: " night-shift ", email: "bea@example.org" });
    const rows = await app.database.db.selectFrom("drafts").selectAll().orderBy("id").execute();
    expect(rows.map(({ firstName: name, email, code }) => [name, email, code])).toEqual([
      ["Ada Bcc: x", "ada@example.org", null],
      ["Ada", "bea@example.org", "night-shift"],
    ]);
    expect(rows.every(({ passwordHash: hash }) => hash?.startsWith("$argon2id$"))).toBe(true);
    expect(await app.database.db.selectFrom("members").selectAll().execute()).toEqual([]);
  });

  test("the draft's token is nowhere in the database", async () => {
    await using app = await openApp();
    const token = await startDraft(app);
    const rows = await app.database.db.selectFrom("drafts").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await app.services.signUp.findDraft(token.slice(0, -1) + (token.endsWith("A") ? "B" : "A"))).toBeUndefined();
  });

  test("an unfinished sign-up does not block another with the same address", async () => {
    await using app = await openApp();
    await pay(app, await prepareDraft(app), { card: "declined" });
    app.clock.advance(MINUTE_IN_MS);
    const token = await prepareDraft(app, { firstName: "Ada Again" });
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });

  test("going back to step 1 changes the same draft, and extends it by a day", async () => {
    await using app = await openApp();
    const token = await prepareDraft(app);
    app.clock.advance(23 * HOUR_IN_MS);
    expect(await startDraft(app, { token, lastName: "Lovelace" })).toBe(token);
    app.clock.advance(23 * HOUR_IN_MS);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({
      lastName: "Lovelace",
      isVerified: true,
      planType: 3,
    });
    app.clock.advance(HOUR_IN_MS);
    expect(await app.services.signUp.findDraft(token)).toBeUndefined();
  });

  test("a changed address has to be verified, and so has the first one when it returns", async () => {
    await using app = await openApp();
    const token = await prepareDraft(app);
    await startDraft(app, { token, email: "bea@example.org" });
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ email: "bea@example.org", isVerified: false });
    app.clock.advance(MINUTE_IN_MS);
    await startDraft(app, { token, email: "ADA@example.org" });
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ isVerified: false });
    await verify(app, token);
    await startDraft(app, { token, email: "ada@example.org" });
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ isVerified: true });
  });

  test("a payment that was begun for the old details is stopped", async () => {
    await using app = await openApp();
    const token = await prepareDraft(app);
    const begun = await pay(app, token, { card: "authentication" });
    await startDraft(app, { token, email: "bea@example.org" });
    await authenticate(app, begun);
    await app.services.signUp.settle(token);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ payment: { state: "none" } });
  });

  test("while a payment cannot be stopped nothing changes", async () => {
    await using app = await openApp({
      wrapCardGateway: (gateway) => ({ ...gateway, cancelPayment: () => Promise.reject(new Error("out of reach")) }),
    });
    const token = await prepareDraft(app);
    await pay(app, token, { card: "authentication" });
    expect(await app.services.signUp.saveDetails({ ...ada, token, firstName: "Bea" })).toEqual({
      ok: false,
      reason: "paying",
    });
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ firstName: "Ada" });
  });

  test("a member who returns to step 1 starts another sign-up, but not with the same address", async () => {
    await using app = await openApp();
    const token = await prepareDraft(app);
    await pay(app, token);
    expect(await app.services.signUp.saveDetails({ ...ada, token })).toMatchObject({
      refusals: [{ reason: "email-registered" }],
    });
    const next = await startDraft(app, { token, email: "bea@example.org" });
    expect(next).not.toBe(token);
    expect(await app.services.signUp.findDraft(token)).toMatchObject({ payment: { state: "completed" } });
  });

  test("limits step 1 to a number an hour from one network, without limiting others", async () => {
    await using app = await openApp();
    const { signUp } = app.services;
    const bad = { ...ada, email: "" };
    for (let time = 1; time <= 120; time += 1)
      expect(await signUp.saveDetails(bad)).toMatchObject({ reason: "refused" });
    app.clock.advance(HOUR_IN_MS / 4);
    expect(await signUp.saveDetails(bad)).toEqual({
      ok: false,
      reason: "too-many-attempts",
      waitInMs: (HOUR_IN_MS * 3) / 4,
    });
    expect(await signUp.saveDetails({ ...bad, address: "203.0.113.9" })).toMatchObject({ reason: "refused" });
    app.clock.advance((HOUR_IN_MS * 3) / 4);
    expect(await signUp.saveDetails(bad)).toMatchObject({ reason: "refused" });
  });

  test("an address gets at most six emails an hour, from however many networks", async () => {
    await using app = await openApp();
    for (let number = 1; number <= 6; number += 1) {
      await startDraft(app, {
        address: `203.0.113.${number}`,
        email: number % 2 ? "ada@example.org" : "ADA@example.org",
      });
    }
    expect(await app.services.signUp.saveDetails({ ...ada, address: "203.0.113.7" })).toMatchObject({
      reason: "too-many-attempts",
    });
    await startDraft(app, { email: "bea@example.org" });
    await findChallenge(app, "bea@example.org");
    expect(app.emails).toHaveLength(7);
  });
});
