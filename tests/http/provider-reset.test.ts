import { expect, test } from "vitest";

import { codeIn, emailsTo } from "../helpers/mailbox.ts";
import { ADA, openHostileApp, openRemoteApp, type Trouble } from "../helpers/provider.ts";
import type { CallName } from "../../server/provider/wire.ts";

const EMAIL = "ines@example.org";
const OLD = "sleep-well-tonight";
const NEW = "a-new-word-for-rest";
const address = "198.51.100.1";
const busy: Trouble = { status: 429, type: "application/json", body: '{"message":"slowly"}' };

/** A logged-in member who has typed a reset's code. */
async function openReset() {
  const app = await openRemoteApp();
  const { accounts } = app.provider.site.services;
  await accounts.register({
    firstName: "Ines",
    lastName: "Marlow",
    accountType: "individual",
    email: EMAIL,
    password: OLD,
  });
  const { logIn, sessions, passwordReset, outbox } = app.services;
  const mayEnter = async (password: string) => (await logIn({ email: EMAIL, password, address })).ok;
  const entered = await logIn({ email: EMAIL, password: OLD, address });
  const token = entered.ok ? entered.session.token : "";
  await passwordReset.request({ email: EMAIL, address, site: "http://front.test" });
  await outbox.deliver();
  const code = codeIn(emailsTo(EMAIL, app.emails).at(-1));
  const checked = await passwordReset.checkCode({ email: EMAIL, code, address });
  const grant = checked.ok ? checked.grant : "";
  const { calls } = app.provider;
  return {
    ...app,
    mayEnter,
    isLoggedIn: async () => (await sessions.find(token)) !== undefined,
    listSessions: async () => sessions.list((await accounts.findByEmail(EMAIL))?.id ?? 0),
    set: () => passwordReset.setPassword({ grant, password: NEW, confirmation: NEW }),
    refuse: (names: CallName[], trouble: Trouble) =>
      app.provider.meddle((call, moment) => (moment === "before" && names.includes(call) ? trouble : undefined)),
    refuseAfter: (first: CallName, trouble: Trouble) =>
      app.provider.meddle((call, moment) =>
        moment === "before" && call !== first && calls.includes(first) ? trouble : undefined,
      ),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

test.each<[string, Trouble]>([
  ["says that it is asked too often", busy],
  ["hangs up", "hang-up"],
])(
  "a provider that %s after the password is set leaves no session alive, and the answer is right",
  async (_, trouble) => {
    await using app = await openReset();
    app.refuseAfter("setPassword", trouble);
    expect(await app.set()).toEqual({ ok: true });
    expect(await app.listSessions()).toEqual([]);
    app.provider.stop();
    expect(await app.mayEnter(OLD)).toBe(false);
  },
);

test.each<[string, Trouble]>([
  ["is asked too often", busy],
  ["hangs up", "hang-up"],
])("where a provider %s before it has found the member, nothing is changed", async (_, trouble) => {
  await using app = await openReset();
  app.refuse(["grabuserid"], trouble);
  await expect(app.set()).rejects.toThrow();
  app.provider.stop();
  app.clock.advance(60_000);
  expect(await app.isLoggedIn()).toBe(true);
  expect(await app.mayEnter(OLD)).toBe(true);
  expect(await app.set()).toEqual({ ok: true });
  expect(await app.isLoggedIn()).toBe(false);
});

test("a member is found by earlier visits when the provider does not tell their number", async () => {
  await using app = await openReset();
  app.refuse(["grabuserid"], { status: 403, type: "application/json", body: '{"message":"not told"}' });
  expect(await app.set()).toEqual({ ok: true });
  expect(await app.listSessions()).toEqual([]);
});

test("both steps send the provider the client's address, for its rate limit", async () => {
  await using app = await openHostileApp();
  const { passwordReset } = app.services;
  app.provider.behave({ json: { id: ADA } }, "users/grabuserid");
  for (const step of ["validate-code", "set-password"]) app.provider.behave({ json: {} }, `bdpwr/v1/${step}`);
  const checked = await passwordReset.checkCode({ email: EMAIL, code: "123456", address });
  const grant = checked.ok ? checked.grant : "";
  expect(await passwordReset.setPassword({ grant, password: NEW, confirmation: NEW })).toEqual({ ok: true });
  const requests = app.provider.seen.filter(({ path }) => path.startsWith("bdpwr/"));
  expect(requests.map(({ headers }) => headers["x-client-address"])).toEqual([address, address]);
});
