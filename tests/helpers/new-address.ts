import { expect } from "vitest";

import type { ProfileFields } from "../../server/accounts/profile.ts";
import { ada, home, type AccountApp } from "./account-app.ts";

/** What Ada's form shows. */
export const shown: ProfileFields = { firstName: "Ada", lastName: "Lovell", email: ada.email };
export const newEmail = "ada@lovell.example";

/** Sends her form with something changed in it. */
export function save(app: AccountApp, wanted: Partial<ProfileFields>, password?: string) {
  const form = { shown, wanted: { ...shown, ...wanted }, password };
  return app.services.profile.save({ ...home, memberId: app.memberId, ...form });
}

/** Asks for another address; answers the code and the token of the email to it. */
export async function askForAddress(app: AccountApp, email = newEmail) {
  expect(await app.askForAddress(email)).toEqual({ ok: true, isEmailPending: true });
  return app.readEmail(email);
}
