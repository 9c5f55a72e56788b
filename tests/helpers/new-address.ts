import { expect } from "vitest";

import type { ProfileFields } from "../../server/accounts/profile.ts";
import { ada, home, type AccountHouse } from "./account-house.ts";

/** What Ada's form shows. */
export const shown: ProfileFields = { firstName: "Ada", lastName: "Lovell", email: ada.email };
export const newEmail = "ada@lovell.example";

/** Sends her form with something changed in it. */
export function save(house: AccountHouse, wanted: Partial<ProfileFields>, password?: string) {
  const form = { shown, wanted: { ...shown, ...wanted }, password };
  return house.rooms.profile.save({ ...home, memberId: house.memberId, ...form });
}

/** Asks for another address; answers the code and the token of the letter to it. */
export async function askForAddress(house: AccountHouse, email = newEmail) {
  expect(await house.askForAddress(email)).toEqual({ ok: true, isEmailPending: true });
  return house.readLetter(email);
}
