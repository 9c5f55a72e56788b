import { expect } from "vitest";

import type { RequestCodeResult } from "../../server/members/challenges/code-log-in.ts";
import type { PasswordChange } from "../../server/members/accounts/profile.ts";
import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import { type App, type AppOptions, addMember, ada, elsewhere, home, NEW_PASSWORD, openApp, readEmail } from "./app.ts";

/** The services with Ada as the only member. */
export async function openMemberApp(options: AppOptions = {}) {
  const app = await openApp(options);
  const { services, clock } = app;
  const { id: memberId } = await addMember(app);
  const chosen = { oldPassword: ada.password, password: NEW_PASSWORD, confirmation: NEW_PASSWORD, ...home };
  return {
    ...services,
    ...app,
    memberId,
    findProfile: () => services.profile.find(memberId),
    changePassword: (wanted: Partial<PasswordChange> = {}) =>
      services.profile.changePassword({ ...chosen, memberId, currentToken: undefined, ...wanted }),
    /** Returns the code and the token of the email. */
    async requestReset(email = ada.email) {
      clock.advance(MINUTE_IN_MS);
      expect(await services.passwordReset.request({ ...home, email })).toEqual({ ok: true });
      return readEmail(app, email, "Choose a new password");
    },
    setPassword: (grant = "", password = NEW_PASSWORD, confirmation = password) =>
      services.passwordReset.setPassword({ grant, password, confirmation }),
  };
}

export const unknownEmail = "unknown@dormouse.example";

/** Asks for all emails that an address gets in an hour: for Ada's, and for one without an account. */
export async function askForAllEmails(
  app: App,
  ask: (request: typeof home & { email: string }) => Promise<RequestCodeResult>,
): Promise<void> {
  const refusal = { ok: false, reason: "too-many-attempts" };
  for (const email of [ada.email, unknownEmail]) {
    const request = async (from: typeof home) => {
      const result = await ask({ ...from, email });
      if (result.ok) app.clock.advance(MINUTE_IN_MS);
      return result;
    };
    for (let mail = 1; mail <= 6; mail += 1) expect(await request(elsewhere)).toEqual({ ok: true });
    expect(await request(elsewhere)).toEqual({ ...refusal, waitInMs: 54 * MINUTE_IN_MS });
    for (let mail = 1; mail <= 2; mail += 1) expect(await request(home)).toEqual({ ok: true });
    expect(await request(home)).toMatchObject(refusal);
  }
}
