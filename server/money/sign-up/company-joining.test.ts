import { describe, expect, test } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { ada, pay, payment, prepareDraft, startDraft } from "../../../tests/saga/visitor.ts";

describe("paying", () => {
  test("a code that became full since step 1 admits no one, and leaves nothing behind", async () => {
    await using app = await openApp();
    const { codes, signUp } = app.services;
    await codes.create({ code: "NIGHT-SHIFT", seats: 2 });
    const token = await prepareDraft(app, { accountType: "corporate", code: "NIGHT-SHIFT" });
    await codes.revoke("NIGHT-SHIFT");
    expect(await signUp.pay(token, { ...payment, shownPlanType: undefined })).toEqual({
      ok: false,
      reason: "code-refused",
      message: "This code is no longer in use. Please ask the person who gave it to you for a new one.",
    });
    const { db } = app.database;
    for (const table of ["members", "orders", "subscriptions", "seats"] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    // With another code, or without one, the same sign-up continues.
    await startDraft(app, { token, accountType: "individual" });
    await signUp.choosePlan(token, 3);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });

  test("an account created in the meantime is reported, and no seat is lost", async () => {
    await using app = await openApp();
    const { accounts, codes, signUp } = app.services;
    await codes.create({ code: "NIGHT-SHIFT", seats: 1 });
    const token = await prepareDraft(app, { accountType: "corporate", code: "NIGHT-SHIFT" });
    await accounts.register(ada);
    expect(await signUp.pay(token, { ...payment, shownPlanType: undefined })).toEqual({
      ok: false,
      reason: "email-registered",
    });
    expect(await codes.find("NIGHT-SHIFT")).toMatchObject({ seatsTaken: 0 });
  });
});
