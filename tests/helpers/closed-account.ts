import { expect } from "vitest";

import { DAY_IN_MS } from "../../server/clock.ts";
import { ada, home, type AccountApp } from "./account-app.ts";

export const GRACE_IN_MS = 14 * DAY_IN_MS;

/** Closes Ada's account, with her password or another. */
export function close(app: AccountApp, password = ada.password) {
  return app.services.closure.close({ ...home, memberId: app.memberId, password });
}

/** Closes Ada's account; answers the token that opens it again. */
export async function closeForGood(app: AccountApp): Promise<string> {
  expect(await close(app)).toMatchObject({ ok: true });
  return (await app.readEmail(ada.email, "Your account is closed")).token;
}
