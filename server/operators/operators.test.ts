import { describe, expect, test } from "vitest";

import { codeAt } from "../../tests/helpers/desk.ts";
import { openApp } from "../../tests/helpers/app.ts";
import { engines } from "../../tests/helpers/databases.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

const password = "lantern-moss-4711";
const address = "198.51.100.7";
const olive = { email: "olive@example.org", name: "Olive", role: "owner" } as const;

/** An operator who has begun; the code of the invitation is used up. */
async function openOperator(engine: (typeof engines)[number] = "sqlite") {
  const app = await openApp({ engine });
  const { operators } = app.services;
  const added = await operators.add(olive);
  const invitation = added?.invitation ?? "";
  const secret = (await operators.showSecret(invitation))?.secret ?? "";
  const code = codeAt(secret, app.clock());
  const accepted = await operators.acceptInvitation({
    token: invitation,
    password,
    confirmation: password,
    code,
    address,
  });
  if (!accepted.ok) throw new Error("The invitation was refused");
  const logIn = (typed: string) => operators.logIn({ email: olive.email, password, code: typed, address });
  return { ...app, operators, secret, invitation, accepted, logIn };
}

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
    operators.acceptInvitation({ token, password: chosen, confirmation: chosen, code, address });
  expect(await accept("000000")).toEqual({ ok: false, reason: "refused", refusals: ["code-wrong"] });
  expect(await accept("000000", "dormouse1")).toEqual({ ok: false, reason: "refused", refusals: ["password-common"] });
  const secret = (await operators.showSecret(token))?.secret ?? "";
  expect((await accept(codeAt(secret, app.clock()))).ok).toBe(true);
  expect(await accept(codeAt(secret, app.clock()))).toEqual({ ok: false, reason: "over" });
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
