import { expect } from "vitest";

import { DAY_IN_MS } from "../../server/clock.ts";
import { ada, home, type AccountHouse } from "./account-house.ts";

export const GRACE_IN_MS = 14 * DAY_IN_MS;

/** Closes Ada's account, with her password or another. */
export function close(house: AccountHouse, password = ada.password) {
  return house.rooms.closure.close({ ...home, memberId: house.memberId, password });
}

/** Closes Ada's account; answers the token that opens it again. */
export async function closeForGood(house: AccountHouse): Promise<string> {
  expect(await close(house)).toMatchObject({ ok: true });
  return (await house.readLetter(ada.email, "Your account is closed")).token;
}
