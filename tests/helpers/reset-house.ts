import { expect } from "vitest";

import { ada, home, NEW_PASSWORD, type AccountHouse } from "./account-house.ts";

/** No account has it. */
export const nobody = "nobody@dormouse.example";
export const password = { password: NEW_PASSWORD, confirmation: NEW_PASSWORD };

/** Asks for a letter to Ada and reads it. */
export async function ask(house: AccountHouse): Promise<{ code: string; token: string }> {
  expect(await house.rooms.passwordReset.request({ ...home, email: ada.email })).toEqual({ ok: true });
  return house.readLetter(ada.email, "Choose a new password");
}

/** The right to choose a new password. */
export async function askForGrant(house: AccountHouse): Promise<string> {
  const { code } = await ask(house);
  const checked = await house.rooms.passwordReset.checkCode({ ...home, email: ada.email, code });
  if (!checked.ok) throw new Error(checked.reason);
  return checked.grant;
}
