import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { ada, authenticate, pay, prepareDraft, startDraft } from "../../../tests/saga/visitor.ts";
import { after, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

describe("paying", () => {
  test("expired drafts are deleted, but not while a payment is under way", async () => {
    await using app = await openApp({
      wrapCardGateway: (gateway) => ({
        ...gateway,
        findPayment: () => Promise.reject(new Error("out of reach")),
        cancelPayment: () => Promise.reject(new Error("out of reach")),
      }),
    });
    const { payments, signUp } = app.services;
    const idle = await startDraft(app, { email: "idle@example.org" });
    const done = await prepareDraft(app, { email: "done@example.org" });
    await pay(app, done);
    const paying = await prepareDraft(app, { email: "paying@example.org" });
    await pay(app, paying, { card: "authentication" });
    expect(await signUp.purge()).toBe(0);
    app.clock.advance(24 * HOUR_IN_MS);
    await payments.reconcile();
    expect(await signUp.purge()).toBe(2);
    const left = await app.database.db.selectFrom("drafts").select("email").execute();
    expect(left).toEqual([{ email: "paying@example.org" }]);
    expect(await signUp.findDraft(idle)).toBeUndefined();
    expect(await app.services.accounts.findByEmail("done@example.org")).toBeDefined();
  });

  test("a late payment extends a draft that is about to expire, and no other", async () => {
    await using app = await openApp();
    const { signUp } = app.services;
    const token = await prepareDraft(app);
    const before = await signUp.findStarted(token);
    await pay(app, token, { card: "declined" });
    expect(await signUp.findStarted(token)).toEqual(before);
    app.clock.advance(24 * HOUR_IN_MS - 1);
    await pay(app, token, { card: "hosted" });
    expect(await signUp.findStarted(token)).toEqual({ token, expiresAt: after(app.clock(), 2 * HOUR_IN_MS) });
    await app.pass(91 * MINUTE_IN_MS);
    expect(await signUp.findDraft(token)).toMatchObject({ payment: { state: "failed" } });
    await app.pass(29 * MINUTE_IN_MS);
    expect(await signUp.findStarted(token)).toBeUndefined();
    expect(await signUp.findStarted("nobody's")).toBeUndefined();
  });

  test("a payment that ends after the draft's day is over still makes the member", async () => {
    await using app = await openApp({
      wrapCardGateway: (gateway) => ({ ...gateway, cancelPayment: () => Promise.reject(new Error("out of reach")) }),
    });
    const token = await prepareDraft(app);
    const begun = await pay(app, token, { card: "authentication" });
    await app.pass(25 * HOUR_IN_MS);
    await app.services.jobs.run("purge-expired");
    await authenticate(app, begun);
    await app.pass(MINUTE_IN_MS);
    expect(await app.services.accounts.findByEmail(ada.email)).toBeDefined();
    await app.services.jobs.run("purge-expired");
    expect(await app.services.signUp.purge()).toBe(0);
    expect(await app.database.db.selectFrom("drafts").selectAll().execute()).toEqual([]);
  });
});
