import { describe, expect, test } from "vitest";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { openApp, type App } from "../helpers/app.ts";
import { openRemoteApp } from "../helpers/provider.ts";
import { from } from "../saga/visitor.ts";

const EMAIL = "ines@example.org";
const OLD = "sleep-well-tonight";
const NEW = "a-new-word-for-rest";
const { address, site } = from;

/** An app, and the one with its accounts: the same, or its provider. */
type ResetApp = AsyncDisposable & { app: App; keeper: Pick<App, "services"> };

/** For accounts of our own and of a provider. */
function passwordResetContract(open: () => Promise<ResetApp>): void {
  /** Registers a member, requests a code, and returns how to read it. */
  async function ask(selling: ResetApp) {
    const { app, keeper } = selling;
    const person = { firstName: "Ines", lastName: "Marlow", accountType: "individual" as const };
    await keeper.services.accounts.register({ ...person, email: EMAIL, password: OLD });
    const { passwordReset, outbox } = app.services;
    expect(await passwordReset.request({ email: EMAIL, address, site })).toEqual({ ok: true });
    await outbox.deliver();
    const mail = app.emails.findLast(({ to }) => to === EMAIL);
    return { passwordReset, code: /^\d{6}$/m.exec(mail?.text ?? "")?.[0] ?? "" };
  }

  test("a code allows a new password, which then replaces the old one", async () => {
    await using selling = await open();
    const { logIn } = selling.app.services;
    const { passwordReset, code } = await ask(selling);
    expect((await logIn({ email: EMAIL, password: OLD, address })).ok).toBe(true);
    const checked = await passwordReset.checkCode({
      email: EMAIL,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
      address,
    });
    const grant = checked.ok ? checked.grant : "";
    expect(grant).not.toContain(code);
    const input = { grant, password: NEW, confirmation: NEW };
    expect(await passwordReset.setPassword({ ...input, confirmation: "another" })).toEqual({
      ok: false,
      reason: "password-mismatch",
    });
    expect(await passwordReset.setPassword({ ...input, password: "short", confirmation: "short" })).toEqual({
      ok: false,
      reason: "password-short",
    });
    const named = "ines-marlow";
    expect(await passwordReset.setPassword({ ...input, password: named, confirmation: named })).toEqual({
      ok: false,
      reason: "password-common",
    });
    expect(await passwordReset.setPassword(input)).toEqual({ ok: true });
    expect(await logIn({ email: EMAIL, password: OLD, address })).toEqual({ ok: false, reason: "wrong-credentials" });
    expect((await logIn({ email: EMAIL, password: NEW, address })).ok).toBe(true);
    expect(await passwordReset.setPassword(input)).toEqual({ ok: false, reason: "grant-over" });
    await selling.app.services.outbox.deliver();
    const sent = selling.app.emails.filter(({ subject }) => subject === "Your password was changed");
    expect(sent).toHaveLength(1);
  });

  test("a new password ends every session", async () => {
    await using selling = await open();
    const { logIn, sessions } = selling.app.services;
    const { passwordReset, code } = await ask(selling);
    const entered = await logIn({ email: EMAIL, password: OLD, address });
    const token = entered.ok ? entered.session.token : "";
    expect(await sessions.find(token)).toBeDefined();
    const checked = await passwordReset.checkCode({ email: EMAIL, code, address });
    await passwordReset.setPassword({ grant: checked.ok ? checked.grant : "", password: NEW, confirmation: NEW });
    expect(await sessions.find(token)).toBeUndefined();
  });

  test("the browser that sets it is logged in, once more where an answer was lost, and by no other password", async () => {
    await using selling = await open();
    const { sessions } = selling.app.services;
    const { passwordReset, code } = await ask(selling);
    const checked = await passwordReset.checkCode({ email: EMAIL, code, address });
    const input = { grant: checked.ok ? checked.grant : "", password: NEW, confirmation: NEW, browser: {} };
    for (let time = 1; time <= 2; time += 1) {
      const set = await passwordReset.setPassword(input);
      const session = set.ok ? set.session : undefined;
      expect(await sessions.find(session?.token ?? "")).toBeDefined();
    }
    const other = { ...input, password: "another-word-for-rest", confirmation: "another-word-for-rest" };
    expect(await passwordReset.setPassword(other)).toEqual({ ok: false, reason: "grant-over" });
  });

  test("wrong codes are limited, old ones expire, and no answer tells whether an account exists", async () => {
    await using selling = await open();
    const { app } = selling;
    const { passwordReset, code } = await ask(selling);
    const answer = (typed: string, email = EMAIL) => passwordReset.checkCode({ email, code: typed, address });
    const wrong = code === "000000" ? "111111" : "000000";
    expect(await passwordReset.request({ email: "nobody@example.org", address, site })).toEqual({ ok: true });
    expect(await passwordReset.request({ email: "no address", address, site })).toEqual({
      ok: false,
      reason: "email-invalid",
    });
    expect(await answer(wrong)).toEqual(await answer(wrong, "nobody@example.org"));
    app.clock.advance(11 * MINUTE_IN_MS);
    expect(await answer(code)).toEqual({ ok: false, reason: "expired-code" });
    await passwordReset.request({ email: EMAIL, address, site });
    const answers = [];
    for (let time = 1; time <= 6; time += 1) answers.push(await answer(wrong));
    expect(answers[0]).toEqual({ ok: false, reason: "wrong-code" });
    expect(answers.at(-1)).toEqual({ ok: false, reason: "too-many-tries" });
  });

  test("a made-up grant sets no password", async () => {
    await using selling = await open();
    const { passwordReset } = await ask(selling);
    const input = { grant: "x".repeat(43), password: NEW, confirmation: NEW };
    expect(await passwordReset.setPassword(input)).toEqual({ ok: false, reason: "grant-over" });
    expect(await passwordReset.peekLink("x".repeat(43))).toBe(false);
    expect(await passwordReset.useLink("x".repeat(43))).toBeUndefined();
  });
}

describe("a reset of our own", () => {
  passwordResetContract(async () => {
    const app = await openApp();
    return { app, keeper: app, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});

describe("a reset with a provider", () => {
  passwordResetContract(async () => {
    const app = await openRemoteApp();
    return { app, keeper: app.provider.site, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  });
});
