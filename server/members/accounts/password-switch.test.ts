import { describe, expect, test } from "vitest";

import {
  ada,
  askForAddress,
  canLogIn,
  findEmail,
  home,
  isLoggedIn,
  NEW_PASSWORD,
  readEmail,
  shownAda,
} from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { openPasskeyAccount } from "../../../tests/helpers/passkey-account.ts";
import { MINUTE_IN_MS } from "../../platform/clock.ts";

const { address, site } = home;

/** Ada with two passkeys, whose password is off if asked. */
async function openSwitch({ isOff = false, engine }: { isOff?: boolean; engine?: (typeof engines)[number] } = {}) {
  const app = await openPasskeyAccount(engine && { engine });
  const keys = [app.openKey(), app.openKey()] as const;
  for (const key of keys) {
    await key.add();
    app.clock.advance(1);
  }
  const [key] = keys;
  const switchTo = (isOn: boolean, session = app.own) => app.passwordSwitch.switchTo({ ...session, isOn, site });
  if (isOff) expect(await switchTo(false)).toBe("switched");
  const isPasswordOff = async () => (await app.services.profile.find(app.memberId))?.isPasswordOff === true;
  const canEnter = (password = ada.password) => canLogIn(app, ada.email, password);
  const proveByPasskey = async () => app.passkeys.prove({ ...app.own, address, ...(await key.sign()) });
  const listActs = async () => (await app.services.audit.listFor(app.memberId)).map(({ action }) => action);
  const reset = async () => {
    const { token } = await app.requestReset();
    const grant = (await app.passwordReset.useLink(token)) ?? "";
    const turnsOn = await app.passwordReset.turnsOn(grant);
    const chosen = { grant, password: NEW_PASSWORD, confirmation: NEW_PASSWORD, site };
    expect(await app.passwordReset.setPassword(chosen)).toMatchObject({ ok: true });
    return turnsOn;
  };
  return { ...app, key, switchTo, isPasswordOff, canEnter, proveByPasskey, listActs, reset };
}

describe.each(engines)("the password on %s", (engine) => {
  test("is off until it is turned on as it was; each change is emailed and in the audit log", async () => {
    await using app = await openSwitch({ engine });
    expect(await app.switchTo(false)).toBe("switched");
    expect(await app.switchTo(false), "a second press").toBe("switched");
    expect([await app.isPasswordOff(), await app.canEnter()]).toEqual([true, false]);
    expect((await findEmail(app, ada.email, "Your password is off"))?.text).toContain(`${site}login?reset=1`);
    expect(await app.key.logIn()).toMatchObject({ ok: true });
    expect(await isLoggedIn(app, app.own.token), "sessions stay").toBe(true);

    expect(await app.switchTo(true)).toBe("switched");
    expect([await app.isPasswordOff(), await app.canEnter()]).toEqual([false, true]);
    expect((await findEmail(app, ada.email, "Your password is on again"))?.text).toContain("works again");
    expect(await app.listActs()).toEqual(["member password on", "member password off"]);
  });

  test("of a removal and a switch at once, one is refused", async () => {
    await using app = await openSwitch({ engine });
    for (let round = 0; round < 5; round += 1) {
      const [removed, switched] = await Promise.all([app.remove("Chrome on Android"), app.switchTo(false)]);
      expect(removed === "removed").toBe(switched !== "switched");
      if (removed === "removed") await app.openKey().add();
      else expect(await app.switchTo(true)).toBe("switched");
    }
  });
});

test("is turned off only with two passkeys, in a session that is fresh", async () => {
  await using app = await openSwitch();
  app.clock.advance(10 * MINUTE_IN_MS);
  expect(await app.switchTo(false)).toBe("not-fresh");
  await app.proveByPasskey();
  expect(await app.remove("Chrome on Android 2")).toBe("removed");
  expect(await app.switchTo(false)).toBe("too-few");
  expect(await app.canEnter()).toBe(true);
  expect(await app.listActs()).toEqual([]);
});

test("while it is off two passkeys stay, and a third may go", async () => {
  await using app = await openSwitch({ isOff: true });
  expect(await app.remove("Chrome on Android")).toBe("too-few");
  await app.openKey().add();
  expect(await app.remove("Chrome on Android")).toBe("removed");
  await app.switchTo(true);
  expect(await app.remove("Chrome on Android 2")).toBe("removed");
});

test("off, it answers as a wrong one does, within the same limits", async () => {
  await using app = await openSwitch({ isOff: true });
  const type = (password: string, email = ada.email) => app.logIn({ email, password, address });
  const wrong = await type("not-my-password");
  expect(await type(ada.password)).toEqual(wrong);
  expect(await type(ada.password, "nobody@dormouse.example")).toEqual(wrong);
  for (let count = 0; count < 8; count += 1) await type(ada.password);
  expect(await type(ada.password)).toMatchObject({ reason: "too-many-attempts" });
  expect(await app.passkeys.prove({ ...app.own, password: ada.password, address: "192.0.2.1" })).toEqual({
    ok: false,
    reason: "password-wrong",
  });
});

test("a reset by email turns it on with a new one, and says so before and after", async () => {
  await using app = await openSwitch({ isOff: true });
  expect(await app.reset()).toBe(true);
  expect((await findEmail(app, ada.email, "Choose a new password"))?.text).toContain("turns it on again");
  expect([await app.canEnter(NEW_PASSWORD), await app.canEnter()]).toEqual([true, false]);
  expect(await app.isPasswordOff()).toBe(false);
  expect(await app.listActs()).toEqual(["member password on", "member password off"]);
  expect(await app.key.logIn(), "passkeys stay").toMatchObject({ ok: true });
  app.clock.advance(2 * MINUTE_IN_MS);
  expect(await app.reset(), "it was on").toBe(false);
  expect(await app.listActs()).toHaveLength(2);
});

test("while it is off a passkey proves who changes the address, or closes the account", async () => {
  await using app = await openSwitch({ isOff: true });
  const wanted = { ...shownAda, email: "ada@second.example" };
  const save = (token?: string) =>
    app.profile.save({ ...home, memberId: app.memberId, shown: shownAda, wanted, password: ada.password, token });
  const close = (token?: string) =>
    app.closure.close({ ...home, memberId: app.memberId, password: ada.password, token });
  app.clock.advance(10 * MINUTE_IN_MS);
  expect(await save(app.own.token)).toMatchObject({ refusals: ["passkey-wanted"] });
  expect(await close(app.own.token)).toEqual({ ok: false, reason: "not-fresh" });
  await app.proveByPasskey();
  expect(await save(), "another server's call has no session").toMatchObject({ refusals: ["passkey-wanted"] });
  expect(await save(app.own.token)).toMatchObject({ ok: true, isEmailPending: true });
  expect(await close(app.own.token)).toMatchObject({ ok: true });
});

test("a closing leaves it off, and whoever reopens the account hears that they need a new one", async () => {
  await using app = await openSwitch({ isOff: true });
  await app.closure.close({ ...home, memberId: app.memberId, password: "", token: app.own.token });
  const { token } = await readEmail(app, ada.email, "Your account is closed");
  expect(await app.closure.reopen(token)).toBe("reopened-without");
  expect(await app.canEnter()).toBe(false);
  expect(await app.reset()).toBe(true);
  expect(await app.canEnter(NEW_PASSWORD)).toBe(true);
});

test("an address that its owner takes back ends it: the old password stays dead, and a new one is chosen", async () => {
  await using app = await openSwitch();
  await askForAddress(app, app.memberId, "ada@second.example");
  const { token } = await readEmail(app, "ada@second.example");
  await app.profile.confirmEmailByLink(token, site);
  await app.switchTo(false);
  const undo = await readEmail(app, ada.email, "Your email address was changed");
  expect(await app.profile.undoEmail(undo.token)).toBe("undone");
  expect([await app.isPasswordOff(), await app.canEnter()]).toEqual([false, false]);
  expect(await app.reset()).toBe(false);
  expect(await app.canEnter(NEW_PASSWORD)).toBe(true);
});
