import { expect } from "vitest";

import { ada, home, NEW_PASSWORD, type AccountApp } from "./account-app.ts";

/** No account has it. */
export const nobody = "nobody@dormouse.example";
export const password = { password: NEW_PASSWORD, confirmation: NEW_PASSWORD };

/** Asks for an email to Ada and reads it. */
export async function ask(app: AccountApp): Promise<{ code: string; token: string }> {
  expect(await app.services.passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
  return app.readEmail(ada.email, "Choose a new password");
}

/** The right to choose a new password. */
export async function askForGrant(app: AccountApp): Promise<string> {
  const { code } = await ask(app);
  const checked = await app.services.passwordReset.checkCode({ ...home, email: ada.email, code });
  if (!checked.ok) throw new Error(checked.reason);
  return checked.grant;
}
