import { describe, expect, test } from "vitest";

import { addMember, ada, askForAddress, findEmail, home, isLoggedIn, readEmail } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { logInWith, openPasskeyAccount, passkeyHost } from "../../../tests/helpers/passkey-account.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";

const { address, site } = home;

describe("a member's passkey", () => {
  test("is named after its device, logs in, and each change is emailed", async () => {
    await using app = await openPasskeyAccount();
    const [key, other] = [app.openKey(), app.openKey()];
    expect(await key.add()).toBe("added");
    app.clock.advance(MINUTE_IN_MS);
    expect(await other.add()).toBe("added");
    expect(await app.listNames()).toEqual(["Chrome on Android", "Chrome on Android 2"]);
    const token = await logInWith(key);
    expect(await app.sessions.find(token)).toMatchObject({ memberId: app.memberId });
    expect((await findEmail(app, ada.email, "A passkey was added"))?.text).toContain("added on Chrome on Android 2");
    expect(await app.remove("Chrome on Android")).toBe("removed");
    expect(await app.remove("Chrome on Android"), "a second press").toBe("unknown");
    expect((await findEmail(app, ada.email, "A passkey was removed"))?.text).toContain("Chrome on Android");
    expect(await key.logIn()).toEqual({ ok: false, reason: "wrong-credentials" });
    expect(await other.logIn()).toMatchObject({ ok: true });
  });

  test("is added and removed only within ten minutes of the password, or of a passkey", async () => {
    await using app = await openPasskeyAccount();
    const key = app.openKey();
    await key.add();
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await app.passkeys.isFresh(app.own.token)).toBe(false);
    expect(await app.openKey().add()).toBe("not-fresh");
    expect(await app.remove("Chrome on Android")).toBe("not-fresh");
    const prove = (proof: { password: string } | Awaited<ReturnType<typeof key.sign>>) =>
      app.passkeys.prove({ ...app.own, address, ...proof });
    expect(await prove({ password: "not-my-password" })).toEqual({ ok: false, reason: "password-wrong" });
    expect(await prove(await key.sign({ origin: "https://evil.example" }))).toMatchObject({
      reason: "passkey-refused",
    });
    expect(await app.passkeys.isFresh(app.own.token)).toBe(false);
    expect(await prove(await key.sign())).toEqual({ ok: true });
    expect(await app.openKey().add()).toBe("added");
    app.clock.advance(10 * MINUTE_IN_MS);
    expect(await prove({ password: ada.password })).toEqual({ ok: true });
    expect(await app.remove("Chrome on Android")).toBe("removed");
  });

  test("of another member proves nothing, and a session that a link began is not fresh", async () => {
    await using app = await openPasskeyAccount();
    const bo = await addMember(app, { email: "bo@dormouse.example" });
    const logIn = await app.logIn({ email: "bo@dormouse.example", password: ada.password, address });
    const key = app.openKey(`member ${bo.id}`);
    await key.add({ memberId: bo.id, token: logIn.ok ? logIn.session.token : "" });
    app.clock.advance(10 * MINUTE_IN_MS);
    const proof = await app.passkeys.prove({ ...app.own, address, ...(await key.sign()) });
    expect(proof).toEqual({ ok: false, reason: "passkey-refused" });
    await app.logInLink.request({ ...home, email: ada.email });
    const { token } = await readEmail(app, ada.email, "Your link to log in");
    const session = await app.logInLink.use(token, {});
    expect(await app.passkeys.isFresh(session?.token ?? "")).toBe(false);
  });

  test("ends the sessions that it began when it is removed, if asked", async () => {
    await using app = await openPasskeyAccount();
    const [lost, kept] = [app.openKey(), app.openKey()];
    await lost.add();
    await kept.add();
    const [there, here] = [await logInWith(lost), await logInWith(kept)];
    await app.remove("Chrome on Android 2");
    expect(await isLoggedIn(app, here), "not asked").toBe(true);
    await app.remove("Chrome on Android", true);
    expect(await isLoggedIn(app, there)).toBe(false);
    expect(await isLoggedIn(app, app.own.token)).toBe(true);
  });

  test("stays with a new address, and goes with a closing and with an address taken back", async () => {
    await using app = await openPasskeyAccount();
    const key = app.openKey();
    await key.add();
    await askForAddress(app, app.memberId, "ada@second.example");
    const { token } = await readEmail(app, "ada@second.example");
    await app.profile.confirmEmailByLink(token, site);
    expect(await key.logIn()).toMatchObject({ ok: true });
    const undo = await readEmail(app, ada.email, "Your email address was changed");
    expect(await app.profile.undoEmail(undo.token)).toBe("undone");
    expect(await app.listNames()).toEqual([]);

    await using closing = await openPasskeyAccount();
    const closed = closing.openKey();
    await closed.add();
    await closing.closure.close({ ...home, memberId: closing.memberId, password: ada.password });
    expect(await closing.listNames()).toEqual([]);
    expect(await closed.logIn()).toMatchObject({ ok: false });
  });

  test("is offered until the member has one, or was offered one", async () => {
    await using app = await openPasskeyAccount();
    expect(await app.passkeys.isOffered(app.memberId)).toBe(true);
    await app.openKey().add();
    expect(await app.passkeys.isOffered(app.memberId)).toBe(false);
    await app.remove("Chrome on Android");
    expect(await app.passkeys.isOffered(app.memberId)).toBe(true);
    await app.passkeys.endOffer(app.memberId);
    expect(await app.passkeys.isOffered(app.memberId)).toBe(false);
  });

  test("is refused beyond twenty", async () => {
    await using app = await openPasskeyAccount();
    for (let count = 0; count < 20; count += 1) expect(await app.openKey().add()).toBe("added");
    expect(await app.openKey().add()).toBe("full");
  });

  test("has wrong answers of a network limited, and a right one never", async () => {
    await using app = await openPasskeyAccount();
    const key = app.openKey();
    await key.add();
    const wrong = { ...passkeyHost, address, response: "{}" };
    for (let count = 0; count < 60; count += 1) await app.passkeys.logIn({ ...wrong, challenge: `c${count}` });
    expect(await app.passkeys.logIn({ ...wrong, challenge: "last" })).toMatchObject({ reason: "too-many-attempts" });
    expect(await key.logIn()).toMatchObject({ ok: true });
  });
});

test.each(engines)("a session that begins while its passkey is removed does not outlive it, on %s", async (engine) => {
  await using app = await openPasskeyAccount({ engine });
  for (let round = 0; round < 5; round += 1) {
    const key = app.openKey();
    await key.add();
    const [removed, entered] = await Promise.all([app.remove("Chrome on Android", true), logInWith(key)]);
    expect(removed).toBe("removed");
    expect(await isLoggedIn(app, entered)).toBe(false);
  }
});
