import { describe, expect, test } from "vitest";

import { askForAllEmails, unknownEmail, openMemberApp } from "../../../tests/helpers/account.ts";
import {
  ada,
  type AppOptions,
  findEmail,
  home,
  isLoggedIn,
  NEW_PASSWORD,
  readEmail,
} from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";

const SUBJECT = "Your link to log in";

async function openAccount(options: AppOptions = {}) {
  const app = await openMemberApp(options);
  const { logInLink: link } = app;
  const ask = async () => {
    expect(await link.request({ ...home, email: ada.email })).toEqual({ ok: true });
    return (await readEmail(app, ada.email, SUBJECT)).token;
  };
  return { ...app, link, ask };
}

describe("a link to log in", () => {
  test("works once, within ten minutes, and a newer one voids it", async () => {
    await using app = await openAccount();
    const first = await app.ask();
    expect(await app.link.peek(first)).toBe(true);
    const session = await app.link.use(first, {});
    expect(await app.sessions.find(session?.token ?? "")).toMatchObject({ memberId: app.memberId });
    expect(await app.link.peek(first)).toBe(false);
    expect(await app.link.use(first, {})).toBeUndefined();

    app.clock.advance(MINUTE_IN_MS);
    const older = await app.ask();
    app.clock.advance(MINUTE_IN_MS);
    const late = await app.ask();
    expect(await app.link.use(older, {})).toBeUndefined();
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await app.link.use(late, {})).toBeUndefined();
  });

  test("ends the session that the browser had, and no other", async () => {
    await using app = await openAccount();
    const [here, there] = [await app.sessions.start(app.memberId), await app.sessions.start(app.memberId)];
    const session = await app.link.use(await app.ask(), { replacedToken: here.token });
    const live = [here.token, there.token, session?.token ?? ""].map((token) => isLoggedIn(app, token));
    expect(await Promise.all(live)).toEqual([false, true, true]);
  });

  test("is void once the password is replaced, the address has changed or the account is closed", async () => {
    await using app = await openAccount();
    const before = await app.ask();
    await app.changePassword();
    expect(await app.link.use(before, {})).toBeUndefined();

    app.clock.advance(MINUTE_IN_MS);
    const toOldAddress = await app.ask();
    const moved = { email: "ada@second.example", emailKey: "ada@second.example" };
    await app.db.updateTable("members").set(moved).where("id", "=", app.memberId).execute();
    expect(await app.link.use(toOldAddress, {})).toBeUndefined();

    await app.link.request({ ...home, email: moved.email });
    const { token } = await readEmail(app, moved.email, SUBJECT);
    await app.closure.close({ ...home, memberId: app.memberId, password: NEW_PASSWORD });
    expect(await app.link.use(token, {})).toBeUndefined();
  });

  test("is no link of a reset, nor the other way round", async () => {
    await using app = await openAccount();
    const token = await app.ask();
    expect(await app.passwordReset.useLink(token)).toBeUndefined();
    expect(await app.link.use((await app.requestReset()).token, {})).toBeUndefined();
  });

  test("is sent six times an hour to an address, and twice more on its owner's own network", async () => {
    await using app = await openAccount();
    await askForAllEmails(app, app.link.request);
    await app.outbox.deliver();
    expect(app.emails).toHaveLength(8);
  });

  test("is asked for by sixty addresses of a network in an hour", async () => {
    await using app = await openAccount();
    for (let guess = 0; guess < 60; guess += 1) await app.link.request({ ...home, email: `guess${guess}@a.example` });
    const refusal = { ok: false, reason: "too-many-attempts", waitInMs: HOUR_IN_MS };
    expect(await app.link.request({ ...home, email: ada.email })).toEqual(refusal);
  });

  test("reveals no account: an unknown address gets the same answer and no email", async () => {
    await using app = await openAccount();
    expect(await app.link.request({ ...home, email: unknownEmail })).toEqual({ ok: true });
    expect(await app.outbox.list({ limit: 9 })).toEqual([]);
    expect(await app.link.request({ ...home, email: "ada" })).toEqual({ ok: false, reason: "email-invalid" });
    await app.ask();
    expect(await app.link.request({ ...home, email: ada.email }), "within a minute").toEqual({ ok: true });
    await findEmail(app, ada.email);
    expect(app.emails).toHaveLength(1);
  });

  test("cannot be read in the database", async () => {
    await using app = await openAccount();
    const token = await app.ask();
    const rows = [
      await app.db.selectFrom("challenges").selectAll().execute(),
      await app.db.selectFrom("emails").select(["body", "key"]).execute(),
    ];
    for (const secret of [token, ada.email.toLowerCase()]) expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

test.each(engines)("of ten browsers that use a link at once, one is logged in, on %s", async (engine) => {
  await using app = await openAccount({ engine });
  const token = await app.ask();
  const sessions = await Promise.all(Array.from({ length: 10 }, () => app.link.use(token, {})));
  expect(sessions.filter((session) => session !== undefined)).toHaveLength(1);
  expect(await app.sessions.list(app.memberId)).toHaveLength(1);
});
