import { expect, test } from "vitest";

import type { House } from "../helpers/house.ts";
import { authenticate, from, makeMethod, pay, prepareDraft, startDraft } from "../saga/visitor.ts";

/** A house, and the one in which its gateway's pages stand: the same, or its provider's. */
export type Selling = AsyncDisposable & { house: House; gateway: Pick<House, "rooms"> };

const EMAIL = "ada@example.org";

/** What sign-up, codes and payments promise, whoever keeps the accounts. */
export function signUpContract(open: () => Promise<Selling>): void {
  test("who pays is a member, logged in, with a receipt, and may log in again", async () => {
    await using selling = await open();
    const { house } = selling;
    const { signUp, logIn, sessions, membership, payments } = house.rooms;
    const token = await prepareDraft(house);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    const draft = await signUp.findDraft(token);
    expect(draft?.payment).toMatchObject({ state: "completed", amountInPence: 6000 });
    const session = await signUp.claimSession(token);
    expect(await signUp.claimSession(token)).toBeUndefined();
    const { memberId = 0 } = (await sessions.find(session?.token ?? "")) ?? {};
    expect((await membership.findAccess(memberId)).isActive).toBe(true);
    expect(await payments.listReceipts(memberId)).toHaveLength(1);
    const again = await logIn({ email: EMAIL, password: "sleep-well-tonight", address: from.address });
    expect(again.ok).toBe(true);
    await house.pass(1000);
    const subjects = house.letters.filter(({ to }) => to === EMAIL).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted());
    expect(subjects.some((subject) => /receipt/i.test(subject))).toBe(true);
  });

  test("a declined card takes nothing, and the next one is charged once", async () => {
    await using selling = await open();
    const { house } = selling;
    const token = await prepareDraft(house);
    expect(await pay(house, token, { card: "poor" })).toEqual({
      ok: false,
      reason: "declined",
      decline: "insufficient-funds",
    });
    expect((await house.rooms.signUp.findDraft(token))?.payment).toMatchObject({ state: "failed" });
    expect(await pay(house, token, { card: "declined" })).toMatchObject({ reason: "declined", decline: "declined" });
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
  });

  test("a bank that asks whether it is the payer leads on, and the payment is known when they come back", async () => {
    await using selling = await open();
    const { house, gateway } = selling;
    const token = await prepareDraft(house);
    const asked = await pay(house, token, { card: "authentication" });
    expect(asked).toMatchObject({ next: "continue" });
    expect((await house.rooms.signUp.findDraft(token))?.payment.state).toBe("unfinished");
    await authenticate(gateway, asked);
    await house.rooms.signUp.settle(token);
    expect((await house.rooms.signUp.findDraft(token))?.payment.state).toBe("completed");
  });

  test("a payer whom the bank does not know has paid nothing, and pays with another card", async () => {
    await using selling = await open();
    const { house, gateway } = selling;
    const token = await prepareDraft(house);
    const asked = await pay(house, token, { card: "authentication" });
    await authenticate(gateway, asked, false);
    await house.rooms.signUp.settle(token);
    expect((await house.rooms.signUp.findDraft(token))?.payment.state).toBe("failed");
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
  });

  test("the gateway's own page takes the card of who has no fields", async () => {
    await using selling = await open();
    const { house, gateway } = selling;
    const token = await prepareDraft(house);
    await pay(house, token, { card: "declined" });
    house.clock.advance(60_000);
    const asked = await pay(house, token, { card: "hosted" });
    const url = asked.ok && asked.next === "continue" ? asked.url : "";
    const id = /\/card\/(\w+)$/.exec(url)?.[1] ?? "";
    await house.rooms.signUp.settle(token);
    expect((await house.rooms.signUp.findDraft(token))?.payment.state).toBe("unfinished");
    const card = { number: "4242 4242 4242 4242", expiry: "12/30", cvc: "123" };
    expect((await gateway.rooms.demoGateways?.payCardPage(id, card))?.ok).toBe(true);
    await house.rooms.signUp.settle(token);
    expect((await house.rooms.signUp.findDraft(token))?.payment.state).toBe("completed");
  });

  test("a colleague joins by a code, and a code that is not good is refused with its own sentence", async () => {
    await using selling = await open();
    const { house } = selling;
    await selling.gateway.rooms.codes.create({ code: "PILLOW", seats: 1 });
    const token = await prepareDraft(house, { accountType: "corporate", code: "pillow" });
    const late = await prepareDraft(house, { accountType: "corporate", code: "pillow", email: "bo@example.org" });
    const free = { shownPlanType: undefined, card: "hosted" as const };
    expect(await pay(house, token, free)).toEqual({ ok: true, next: "completed" });
    expect(await pay(house, token, free)).toEqual({ ok: true, next: "completed" });
    const full = { ok: false, message: expect.stringContaining("Every place on this code is taken.") };
    expect(await pay(house, late, free)).toMatchObject(full);
    const asked = { ...from, token: undefined, accountType: "corporate" as const, code: "pillow" };
    const person = { firstName: "Cy", lastName: "Ash", email: "cy@example.org" };
    const secret = { password: "sleep-well-tonight", passwordConfirmation: "sleep-well-tonight" };
    expect(await house.rooms.signUp.saveDetails({ ...asked, ...person, ...secret })).toMatchObject({
      refusals: [{ reason: "code-refused", message: expect.stringContaining("Every place on this code is taken.") }],
    });
  });

  test("an address that somebody has is refused, and what is pressed twice is charged once", async () => {
    await using selling = await open();
    const { house } = selling;
    const token = await prepareDraft(house);
    const other = await prepareDraft(house, { firstName: "Eve" });
    const methodId = await makeMethod(house);
    const both = await Promise.all([pay(house, token, { methodId }), pay(house, token, { methodId })]);
    expect(both.every(({ ok }) => ok)).toBe(true);
    await house.pass(60_000);
    expect(await pay(house, token)).toEqual({ ok: true, next: "completed" });
    expect(await pay(house, other)).toEqual({ ok: false, reason: "email-registered" });
    await expect(startDraft(house)).rejects.toThrow("email-registered");
    const charged = await selling.gateway.rooms.payments.listFor({ memberId: 0, email: EMAIL });
    expect(charged.filter(({ order }) => order.state === "completed").length).toBeLessThanOrEqual(1);
  });

  test("nothing is left of a password once the draft has become somebody, or is over", async () => {
    await using selling = await open();
    const { house } = selling;
    await house.rooms.codes.check("x");
    const token = await prepareDraft(house);
    await prepareDraft(house, { email: "bo@example.org" });
    const kept = () => house.database.db.selectFrom("drafts").select(["email", "password_hash"]).execute();
    for (const { password_hash: password } of await kept()) {
      expect(password).not.toBeNull();
      expect(password).not.toContain("sleep-well");
    }
    await pay(house, token);
    expect((await kept()).find(({ email }) => email === EMAIL)?.password_hash).toBeNull();
    house.clock.advance(25 * 3_600_000);
    await house.rooms.tasks.run("purge-expired");
    expect(await kept()).toEqual([]);
  });
}
