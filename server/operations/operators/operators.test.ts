import { describe, expect, test } from "vitest";

import { addOperator, codeAt, OPERATOR_PASSWORD as password } from "../../../tests/helpers/desk.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";

const address = "198.51.100.7";
const olive = { email: "olive@example.org", name: "Olive", role: "owner" } as const;

/** An operator who has begun; the code of the invitation is used up. */
async function openOperator(engine: (typeof engines)[number] = "sqlite") {
  const app = await openApp({ engine });
  const { operators } = app.services;
  const { invitation, secret, accepted } = await addOperator(app, olive);
  const logIn = (typed: string, credentials = {}) =>
    operators.logIn({ email: olive.email, password, code: typed, address, ...credentials });
  /** Parallel wrong log-ins, each from its own network. */
  const guess = (tries: number, credentials = {}) =>
    Promise.all(
      Array.from({ length: tries }, (_, index) =>
        logIn("123456", { password: "wrong-password-1", address: `203.0.113.${index}`, ...credentials }),
      ),
    );
  const { operator } = accepted;
  const provePassword = (typed = password) => operators.provePassword({ operator, password: typed, address });
  return { ...app, operators, secret, invitation, accepted, logIn, guess, provePassword };
}

const tooMany = expect.objectContaining({ reason: "too-many-attempts" });

describe.each(engines)("operators on %s", (engine) => {
  test("of ten log-ins at once with one code, one succeeds", async () => {
    await using app = await openOperator(engine);
    app.clock.advance(MINUTE_IN_MS);
    const code = codeAt(app.secret, app.clock());
    const results = await Promise.all(Array.from({ length: 10 }, () => app.logIn(code)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("of ten log-ins at once with one recovery code, one succeeds", async () => {
    await using app = await openOperator(engine);
    const [code = ""] = app.accepted.recoveryCodes;
    const results = await Promise.all(Array.from({ length: 10 }, () => app.logIn(code)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("strangers on many networks shut no operator out of any way in", async () => {
    await using app = await openOperator(engine);
    app.clock.advance(MINUTE_IN_MS);
    const [own] = await Promise.all([app.logIn(codeAt(app.secret, app.clock())), app.guess(60)]);
    expect(own, "among their tries").toMatchObject({ ok: true });
    app.clock.advance(MINUTE_IN_MS);
    expect(await app.logIn(codeAt(app.secret, app.clock()))).toMatchObject({ ok: true });
    const [first = "", second = ""] = app.accepted.recoveryCodes;
    expect(await app.logIn(first), "a recovery code").toMatchObject({ ok: true });
    expect(await app.provePassword(), "an open session").toEqual({ ok: true });
    // On the operator's own network they block the app's code, and nothing else.
    await app.guess(12, { address });
    app.clock.advance(MINUTE_IN_MS);
    expect(await app.logIn(codeAt(app.secret, app.clock()))).toEqual(tooMany);
    expect(await app.logIn(second)).toMatchObject({ ok: true });
    expect(await app.provePassword()).toEqual({ ok: true });
  });

  test("a right password gives its try back, and wrong ones beside it still count", async () => {
    await using app = await openOperator(engine);
    for (let count = 0; count < 30; count += 1) {
      app.clock.advance(MINUTE_IN_MS / 2);
      expect((await app.logIn(codeAt(app.secret, app.clock()))).ok, `log-in ${count + 1}`).toBe(true);
      expect(await app.provePassword(), `proof ${count + 1}`).toEqual({ ok: true });
    }
    const raced = await Promise.all(Array.from({ length: 15 }, () => app.provePassword("wrong-password-1")));
    expect(raced.filter((result) => !result.ok && result.reason === "wrong-credentials")).toHaveLength(10);
    expect(await app.provePassword()).toEqual(tooMany);
  });

  test("a thief of the password guesses fifty codes an hour from all networks together, and learns nothing", async () => {
    await using app = await openOperator(engine);
    const tried = await app.guess(51, { password });
    expect(tried).toEqual(tried.map(() => ({ ok: false, reason: "wrong-credentials" })));
    app.clock.advance(MINUTE_IN_MS);
    const elsewhere = { address: "192.0.2.1" };
    const right = await app.logIn(codeAt(app.secret, app.clock()), elsewhere);
    expect(right).toEqual({ ok: false, reason: "wrong-credentials" });
    expect((await app.logIn(app.accepted.recoveryCodes[0] ?? "", elsewhere)).ok).toBe(true);
  });

  test("where an operator logged in lately, a thief of the password elsewhere cannot shut their app's codes", async () => {
    await using app = await openOperator(engine);
    const logIn = () => {
      app.clock.advance(MINUTE_IN_MS);
      return app.logIn(codeAt(app.secret, app.clock()));
    };
    expect(await logIn()).toMatchObject({ ok: true });
    const [own] = await Promise.all([logIn(), app.guess(60, { password })]);
    expect(own, "among the thief's tries").toMatchObject({ ok: true });
    expect(await logIn(), "after them").toMatchObject({ ok: true });
  });

  test("an address has one operator, and a removed one leaves nothing that lets in", async () => {
    await using app = await openOperator(engine);
    expect(await app.operators.add({ ...olive, email: "OLIVE@example.org" })).toBeUndefined();
    const { operator, session } = app.accepted;
    await app.operators.remove(operator.id);
    expect(await app.operators.findSession(session.token)).toBeUndefined();
    expect(await app.operators.isThereAny()).toBe(false);
    await app.operators.add(olive);
    expect(await app.operators.isThereAny()).toBe(true);
  });
});

test("a code is good for its thirty seconds and those next to them, and never for an earlier step than the last", async () => {
  await using app = await openOperator();
  app.clock.advance(10 * MINUTE_IN_MS);
  const now = app.clock();
  const at = (seconds: number) => codeAt(app.secret, new Date(now.getTime() + seconds * SECOND_IN_MS));
  expect((await app.logIn(at(-90))).ok).toBe(false);
  expect((await app.logIn(at(90))).ok).toBe(false);
  expect((await app.logIn(at(30))).ok).toBe(true);
  expect((await app.logIn(at(0))).ok).toBe(false);
});

test("secrets, recovery codes and tokens are not in the database as they are", async () => {
  await using app = await openOperator();
  const { accepted, secret, invitation } = app;
  const rows = await Promise.all(
    (["operators", "operatorSessions", "operatorRecoveryCodes", "challenges", "audit"] as const).map((table) =>
      app.db.selectFrom(table).selectAll().execute(),
    ),
  );
  const text = JSON.stringify(rows);
  const codes = accepted.recoveryCodes.flatMap((code) => [code, code.replace("-", "")]);
  for (const each of [password, secret, invitation, accepted.session.token, ...codes]) expect(text).not.toContain(each);
});

test("an invitation with a wrong code or a weak password stays good, and a used one is over", async () => {
  await using app = await openApp();
  const { operators } = app.services;
  const added = await operators.add(olive);
  const token = added?.invitation ?? "";
  const accept = (code: string, chosen = password) =>
    operators.acceptInvitation({ token, password: chosen, confirmation: chosen, code });
  expect(await accept("000000")).toEqual({ ok: false, reason: "refused", refusals: ["code-wrong"] });
  expect(await accept("000000", "dormouse1")).toEqual({ ok: false, reason: "refused", refusals: ["password-common"] });
  const secret = (await operators.showSecret(token))?.secret ?? "";
  expect((await accept(codeAt(secret, app.clock()))).ok).toBe(true);
  expect(await accept(codeAt(secret, app.clock()))).toEqual({ ok: false, reason: "over" });
});

test("wrong answers of passkeys are limited by network", async () => {
  await using app = await openOperator();
  const answer = { host: "dormouse.test", origin: "https://dormouse.test", address, response: "{}" };
  const results = [];
  for (let count = 0; count < 21; count += 1) {
    results.push(await app.operators.logInByPasskey({ ...answer, challenge: `c${count}` }));
  }
  expect(results.at(-2)).toEqual({ ok: false, reason: "wrong-credentials" });
  expect(results.at(-1)).toEqual(tooMany);
});

test("a passkey's answer that is no answer, or comes twice, lets nobody in", async () => {
  await using app = await openOperator();
  const site = { host: "dormouse.test", origin: "https://dormouse.test", address };
  for (const response of ["", "[]", "null", '{"id":"x"}', "{"]) {
    const answer = { ...site, challenge: `c${response}`, response };
    expect(await app.operators.logInByPasskey(answer)).toEqual({ ok: false, reason: "wrong-credentials" });
    expect(await app.operators.addPasskey(app.accepted.operator, { ...answer, name: "A phone" })).toBe(false);
  }
  expect(await app.operators.listPasskeys(app.accepted.operator.id)).toEqual([]);
});
