import { describe, expect, test } from "vitest";

import { openApp, type App } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { openRemoteApp } from "../helpers/provider.ts";
import { authenticate, from, makeMethod, pay, prepareDraft, startDraft } from "../saga/visitor.ts";

/** An app, and the one with its gateway's pages: the same, or its provider. */
type Selling = AsyncDisposable & { app: App; gateway: Pick<App, "services"> };

const EMAIL = "ada@example.org";

/** For accounts of our own and of a provider. */
function signUpContract(open: () => Promise<Selling>): void {
  test("a payment makes a member, logged in, with a receipt, who may log in again", async () => {
    await using selling = await open();
    const { app } = selling;
    const { signUp, logIn, sessions, membership, payments } = app.services;
    const token = await prepareDraft(app);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    const draft = await signUp.findDraft(token);
    expect(draft?.payment).toMatchObject({ state: "completed", amountInPence: 6000 });
    const session = await signUp.claimSession(token);
    expect(await signUp.claimSession(token)).toEqual(session);
    const { memberId = 0 } = (await sessions.find(session?.token ?? "")) ?? {};
    expect((await membership.findAccess(memberId)).isActive).toBe(true);
    expect(await payments.listReceipts(memberId)).toHaveLength(1);
    const again = await logIn({ email: EMAIL, password: "sleep-well-tonight", address: from.address });
    expect(again.ok).toBe(true);
    await app.pass(1000);
    const subjects = app.emails.filter(({ to }) => to === EMAIL).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted());
    expect(subjects.some((subject) => /receipt/i.test(subject))).toBe(true);
  });

  test("a declined card takes nothing, and the next one is charged once", async () => {
    await using selling = await open();
    const { app } = selling;
    const token = await prepareDraft(app);
    expect(await pay(app, token, { card: "poor" })).toEqual({
      ok: false,
      reason: "declined",
      decline: "insufficient-funds",
    });
    expect((await app.services.signUp.findDraft(token))?.payment).toMatchObject({ state: "failed" });
    expect(await pay(app, token, { card: "declined" })).toMatchObject({ reason: "declined", decline: "declined" });
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });

  test("a bank's authentication leads on, and the payment is known on the return", async () => {
    await using selling = await open();
    const { app, gateway } = selling;
    const token = await prepareDraft(app);
    const paid = await pay(app, token, { card: "authentication" });
    expect(paid).toMatchObject({ next: "continue" });
    expect((await app.services.signUp.findDraft(token))?.payment.state).toBe("unfinished");
    await authenticate(gateway, paid);
    await app.services.signUp.settle(token);
    expect((await app.services.signUp.findDraft(token))?.payment.state).toBe("completed");
  });

  test("a failed authentication charges nothing, and another card pays", async () => {
    await using selling = await open();
    const { app, gateway } = selling;
    const token = await prepareDraft(app);
    const paid = await pay(app, token, { card: "authentication" });
    await authenticate(gateway, paid, false);
    await app.services.signUp.settle(token);
    expect((await app.services.signUp.findDraft(token))?.payment.state).toBe("failed");
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
  });

  test("the gateway's own page takes the card where there are no fields", async () => {
    await using selling = await open();
    const { app, gateway } = selling;
    const token = await prepareDraft(app);
    await pay(app, token, { card: "declined" });
    app.clock.advance(60_000);
    const paid = await pay(app, token, { card: "hosted" });
    const url = paid.ok && paid.next === "continue" ? paid.url : "";
    const id = /\/card\/(\w+)$/.exec(url)?.[1] ?? "";
    await app.services.signUp.settle(token);
    expect((await app.services.signUp.findDraft(token))?.payment.state).toBe("unfinished");
    const card = { number: "4242 4242 4242 4242", expiry: "12/30", cvc: "123" };
    expect((await gateway.services.demoGateways?.payCardPage(id, card))?.ok).toBe(true);
    await app.services.signUp.settle(token);
    expect((await app.services.signUp.findDraft(token))?.payment.state).toBe("completed");
  });

  test("a colleague joins by a code, and a code that is not good is refused with its own sentence", async () => {
    await using selling = await open();
    const { app } = selling;
    await selling.gateway.services.codes.create({ code: "PILLOW", seats: 1 });
    const token = await prepareDraft(app, { accountType: "corporate", code: "pillow" });
    const late = await prepareDraft(app, { accountType: "corporate", code: "pillow", email: "bo@example.org" });
    const free = { shownPlanType: undefined, card: "hosted" as const };
    expect(await pay(app, token, free)).toEqual({ ok: true, next: "completed" });
    expect(await pay(app, token, free)).toEqual({ ok: true, next: "completed" });
    const full = { ok: false, message: expect.stringContaining("All the places on this code are used.") };
    expect(await pay(app, late, free)).toMatchObject(full);
    const input = { ...from, token: undefined, accountType: "corporate" as const, code: "pillow" };
    const person = { firstName: "Cy", lastName: "Ash", email: "cy@example.org" };
    const secret = { password: "sleep-well-tonight", passwordConfirmation: "sleep-well-tonight" };
    expect(await app.services.signUp.saveDetails({ ...input, ...person, ...secret })).toMatchObject({
      refusals: [{ reason: "code-refused", message: expect.stringContaining("All the places on this code are used.") }],
    });
  });

  test("a registered address is refused, and pressing twice is charged once", async () => {
    await using selling = await open();
    const { app } = selling;
    const token = await prepareDraft(app);
    const other = await prepareDraft(app, { firstName: "Eve" });
    const methodId = await makeMethod(app);
    const both = await Promise.all([pay(app, token, { methodId }), pay(app, token, { methodId })]);
    expect(both.every(({ ok }) => ok)).toBe(true);
    await app.pass(60_000);
    expect(await pay(app, token)).toEqual({ ok: true, next: "completed" });
    expect(await pay(app, other)).toEqual({ ok: false, reason: "email-registered" });
    await expect(startDraft(app)).rejects.toThrow("email-registered");
    const charged = await selling.gateway.services.payments.listFor({ memberId: 0, email: EMAIL });
    expect(charged.filter(({ order }) => order.state === "completed").length).toBeLessThanOrEqual(1);
  });

  test("a draft's password is deleted once it is completed or over", async () => {
    await using selling = await open();
    const { app } = selling;
    await app.services.codes.check("x");
    const token = await prepareDraft(app);
    await prepareDraft(app, { email: "bo@example.org" });
    const listStored = () => app.database.db.selectFrom("drafts").select(["email", "passwordHash"]).execute();
    for (const { passwordHash: password } of await listStored()) {
      expect(password).not.toBeNull();
      expect(password).not.toContain("sleep-well");
    }
    await pay(app, token);
    expect((await listStored()).find(({ email }) => email === EMAIL)?.passwordHash).toBeNull();
    app.clock.advance(25 * 3_600_000);
    await app.services.jobs.run("purge-expired");
    expect(await listStored()).toEqual([]);
  });
}

describe("sign-up of our own", () => {
  signUpContract(async () => {
    const app = await openApp();
    return { app, gateway: app, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});

describe.each(engines)("sign-up with a provider, drafts on %s", (engine) => {
  signUpContract(async () => {
    const app = await openRemoteApp({ engine });
    return { app, gateway: app.provider.site, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});
