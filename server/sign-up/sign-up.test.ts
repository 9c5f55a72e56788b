import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openApp } from "../../tests/helpers/app.ts";
import { ada, findChallenge, pay, startDraft } from "../../tests/saga/visitor.ts";

describe.each(engines)("sign-up on %s", (engine) => {
  test("from details to a paid membership", async () => {
    await using app = await openApp(engine);
    const { membership, payments, sessions, signUp } = app.services;
    const token = await startDraft(app);
    expect(await signUp.findDraft(token)).toMatchObject({ isVerified: false, payment: { state: "none" } });
    expect(await signUp.verifyByCode(token, (await findChallenge(app, ada.email)).code)).toEqual({ ok: true });
    expect(await signUp.choosePlan(token, 3)).toEqual({ ok: true });
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });

    const draft = await signUp.findDraft(token);
    expect(draft?.payment).toMatchObject({ state: "completed", amountInPence: 6000, receiptNumber: "D-2026-000001" });
    const session = await signUp.claimSession(token);
    expect(session).toBeDefined();
    expect(await signUp.claimSession(token)).toBeUndefined();
    const memberId = (await sessions.find(session?.token ?? ""))?.memberId ?? 0;
    expect(await membership.findAccess(memberId)).toMatchObject({ isActive: true });
    expect(await payments.findReceipt(memberId, "D-2026-000001")).toMatchObject({
      amountInPence: 6000,
      postcode: "EX1 1AA",
    });
    await app.services.outbox.deliver();
    expect(app.emails.map(({ subject }) => subject)).toEqual([
      "Confirm your email address",
      "Welcome to Dormouse",
      "Your receipt D-2026-000001",
    ]);
    expect(app.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
  });

  test("who has joined logs in with the address and the password of step 1", async () => {
    await using app = await openApp(engine);
    const token = await startDraft(app, { email: "Ada.Lovell+sleep@Example.org" });
    await app.services.signUp.verifyByLink((await findChallenge(app, "Ada.Lovell+sleep@Example.org")).linkToken);
    await app.services.signUp.choosePlan(token, 1);
    await pay(app, token, { shownPlanType: 1 });
    const { accounts } = app.services;
    expect(await accounts.findMemberByPassword("ada.lovell+sleep@example.org", ada.password)).toMatchObject({
      firstName: "Ada",
      accountType: "individual",
    });
    expect(await accounts.findMemberByPassword("ada.lovell+sleep@example.org", "another password")).toBeUndefined();
  });
});
