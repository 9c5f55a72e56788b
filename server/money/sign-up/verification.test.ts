import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { openApp } from "../../../tests/helpers/app.ts";
import { ada, findChallenge, startDraft } from "../../../tests/saga/visitor.ts";
import { HOUR_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";

const EMAIL = ada.email;

describe.each(engines)("an address is proved on %s", (engine) => {
  test("not by a made-up link, nor by one a day old", async () => {
    await using app = await openApp({ engine });
    const { signUp } = app.services;
    await startDraft(app);
    const { linkToken } = await findChallenge(app, EMAIL);
    expect(await signUp.verifyByLink("")).toBe(false);
    expect(await signUp.verifyByLink(`${linkToken}x`)).toBe(false);
    app.clock.advance(24 * HOUR_IN_MS);
    expect(await signUp.findVerification(linkToken)).toBeUndefined();
    expect(await signUp.verifyByLink(linkToken)).toBe(false);
  });

  test("a new email may be asked for after a minute; the one before is void", async () => {
    await using app = await openApp({ engine });
    const { signUp } = app.services;
    const token = await startDraft(app);
    const first = await findChallenge(app, EMAIL);
    app.clock.advance(20 * SECOND_IN_MS);
    expect((await signUp.findDraft(token))?.mayResendAt).toEqual(new Date(app.clock().getTime() + 40 * SECOND_IN_MS));
    expect(await signUp.resendVerification(token)).toEqual({
      ok: false,
      reason: "too-soon",
      waitInMs: 40 * SECOND_IN_MS,
    });
    app.clock.advance(40 * SECOND_IN_MS);
    expect(await signUp.resendVerification(token)).toEqual({ ok: true });
    const second = await findChallenge(app, EMAIL);
    expect(second.linkToken).not.toBe(first.linkToken);
    expect(await signUp.verifyByLink(first.linkToken)).toBe(false);
    expect(await signUp.verifyByLink(second.linkToken)).toBe(true);
    expect(await signUp.resendVerification(token)).toEqual({ ok: false, reason: "already-verified" });
    expect(await signUp.resendVerification("nobody")).toEqual({ ok: false, reason: "no-draft" });
  });

  test("changing the address voids the code and the link of the one before", async () => {
    await using app = await openApp({ engine });
    const { signUp } = app.services;
    const token = await startDraft(app);
    const first = await findChallenge(app, EMAIL);
    await startDraft(app, { token, email: "bea@example.org" });
    expect(await signUp.verifyByCode(token, first.code)).toMatchObject({ ok: false });
    expect(await signUp.verifyByLink(first.linkToken)).toBe(false);
    expect(await signUp.findDraft(token)).toMatchObject({ email: "bea@example.org", isVerified: false });
    const { code } = await findChallenge(app, "bea@example.org");
    expect(await signUp.verifyByCode(token, code)).toEqual({ ok: true });
  });

  test("a code proves the address of its own sign-up only", async () => {
    await using app = await openApp({ engine });
    const { signUp } = app.services;
    const mine = await startDraft(app);
    const { code } = await findChallenge(app, EMAIL);
    const stranger = await startDraft(app);
    const other = await findChallenge(app, EMAIL);
    if (other.code !== code) expect(await signUp.verifyByCode(stranger, code)).toMatchObject({ ok: false });
    expect(await signUp.verifyByCode(mine, code)).toEqual({ ok: true });
    expect(await signUp.findDraft(stranger)).toMatchObject({ isVerified: false });
  });

  test("code and link are nowhere to be read in the database, before the email is sent or after it", async () => {
    await using app = await openApp({ engine });
    const { db } = app.database;
    await startDraft(app);
    const atRest = async () =>
      JSON.stringify([
        await db.selectFrom("emails").selectAll().execute(),
        await db.selectFrom("challenges").selectAll().execute(),
      ]);
    const before = await atRest();
    const { code, linkToken } = await findChallenge(app, EMAIL);
    for (const text of [before, await atRest()]) {
      expect(text).not.toContain(linkToken);
      expect(text).not.toMatch(new RegExp(`\\b${code}\\b`));
    }
  });
});
