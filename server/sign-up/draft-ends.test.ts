import { describe, expect, test } from "vitest";

import { engines } from "../../tests/helpers/databases.ts";
import { openHouse } from "../../tests/helpers/house.ts";
import { ada, authenticate, pay, prepareDraft, startDraft } from "../../tests/saga/visitor.ts";
import { after, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";

describe.each(engines)("paying on %s", (engine) => {
  test("drafts are forgotten when they are over, but not while money is under way", async () => {
    await using house = await openHouse(engine, {
      wrapCards: (cards) => ({
        ...cards,
        findPayment: () => Promise.reject(new Error("out of reach")),
        cancelPayment: () => Promise.reject(new Error("out of reach")),
      }),
    });
    const { payments, signUp } = house.rooms;
    const idle = await startDraft(house, { email: "idle@example.org" });
    const done = await prepareDraft(house, { email: "done@example.org" });
    await pay(house, done);
    const paying = await prepareDraft(house, { email: "paying@example.org" });
    await pay(house, paying, { card: "authentication" });
    expect(await signUp.purge()).toBe(0);
    house.clock.advance(24 * HOUR_IN_MS);
    await payments.reconcile();
    expect(await signUp.purge()).toBe(2);
    const left = await house.database.db.selectFrom("drafts").select("email").execute();
    expect(left).toEqual([{ email: "paying@example.org" }]);
    expect(await signUp.findDraft(idle)).toBeUndefined();
    expect(await house.rooms.accounts.findByEmail("done@example.org")).toBeDefined();
  });

  test("a draft that is paid for late outlives its payment; one that has a day yet lives no longer for it", async () => {
    await using house = await openHouse(engine);
    const { signUp } = house.rooms;
    const token = await prepareDraft(house);
    const before = await signUp.findStarted(token);
    await pay(house, token, { card: "declined" });
    expect(await signUp.findStarted(token)).toEqual(before);
    house.clock.advance(24 * HOUR_IN_MS - 1);
    await pay(house, token, { card: "hosted" });
    expect(await signUp.findStarted(token)).toEqual({ token, expiresAt: after(house.clock(), 2 * HOUR_IN_MS) });
    await house.pass(91 * MINUTE_IN_MS);
    expect(await signUp.findDraft(token)).toMatchObject({ payment: { state: "failed" } });
    await house.pass(29 * MINUTE_IN_MS);
    expect(await signUp.findStarted(token)).toBeUndefined();
    expect(await signUp.findStarted("nobody's")).toBeUndefined();
  });

  test("a payment that ends after the draft's day is over still makes the member", async () => {
    await using house = await openHouse(engine, {
      wrapCards: (cards) => ({ ...cards, cancelPayment: () => Promise.reject(new Error("out of reach")) }),
    });
    const token = await prepareDraft(house);
    const begun = await pay(house, token, { card: "authentication" });
    await house.pass(25 * HOUR_IN_MS);
    await house.rooms.tasks.run("purge-expired");
    await authenticate(house, begun);
    await house.pass(MINUTE_IN_MS);
    expect(await house.rooms.accounts.findByEmail(ada.email)).toBeDefined();
    await house.rooms.tasks.run("purge-expired");
    expect(await house.rooms.signUp.purge()).toBe(0);
    expect(await house.database.db.selectFrom("drafts").selectAll().execute()).toEqual([]);
  });
});
