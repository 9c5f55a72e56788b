import { expect } from "vitest";

import { codeIn, emailsTo, linkIn } from "./mailbox.ts";
import type { Browser, Site } from "./site.ts";

export const member = "member@dormouse.example";
export const NEW_PASSWORD = "moss-lantern-42";
export const MINUTE_IN_MS = 60_000;

export async function readEmail(site: Site, email = member) {
  await site.services.outbox.deliver();
  const mail = emailsTo(email, site.emails).findLast(({ subject }) => subject.endsWith("Choose a new password"));
  return mail && { code: codeIn(mail), path: linkIn(mail).replace("http://dormouse.test", "") };
}

export const askFor = (browser: Browser, email = member) =>
  browser.post("/login?reset=1", { intent: "reset-request", email });

export const typeCode = (browser: Browser, code: string) =>
  browser.post("/login?reset=2", { intent: "reset-code", code });

export const choose = (browser: Browser, password = NEW_PASSWORD, passwordConfirmation = password) =>
  browser.post("/login?reset=3", { intent: "reset-password", password, passwordConfirmation });

/** Up to the third step, by the code. */
export async function reachPassword(site: Site, browser: Browser): Promise<void> {
  await askFor(browser);
  expect(await typeCode(browser, (await readEmail(site))?.code ?? "")).toMatchObject({ status: 303 });
}
