import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";

import type { Operator } from "../../server/operators/operators.ts";
import type { Role } from "../../server/operators/rules.ts";
import type { Answer, Browser, Fields, Site } from "./site.ts";

/** An operator's browser at the desk of a site, logged in by an invitation as a person would. */
export type Desk = {
  operator: Operator;
  browser: Browser;
  /** The base32 secret of their app. */
  secret: string;
  recoveryCodes: string[];
  get(path: string): Promise<Answer>;
  /** Sends a form of a screen; with a reason, unless `fields` has one. */
  act(path: string, intent: string, fields?: Record<string, string>): Promise<Answer>;
  /** The same, for an act that succeeds: answers what the next page says of it. */
  actAndRead(path: string, intent: string, fields?: Record<string, string>): Promise<string>;
};

export const OPERATOR_PASSWORD = "lantern-moss-4711";
export const REASON = "They wrote to us";

/** The code that an app shows at an instant. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}

export async function openDesk(site: Site, role: Role = "owner", email = `${role}@desk.example`): Promise<Desk> {
  const { operators } = site.services;
  const added = await operators.add({ email, name: `The ${role}`, role });
  if (!added) throw new Error(`There is an operator ${email} already`);
  const secret = (await operators.showSecret(added.invitation))?.secret ?? "";
  const browser = site.openBrowser();
  const password = { password: OPERATOR_PASSWORD, passwordConfirmation: OPERATOR_PASSWORD };
  const answer = await browser.post(`/desk?invitation=${added.invitation}`, {
    intent: "accept-invitation",
    ...password,
    code: codeAt(secret, site.clock()),
  });
  expect(answer.status, answer.text).toBe(200);
  const recoveryCodes = [...answer.text.matchAll(/<code>([A-Z0-9]{5}-[A-Z0-9]{5})<\/code>/g)].map(
    ([, code = ""]) => code,
  );
  const operator = (await operators.find(email)) ?? added.operator;
  return { operator, browser, secret, recoveryCodes, get: browser.get, ...createActs(browser) };
}

function createActs(browser: Browser): Pick<Desk, "act" | "actAndRead"> {
  const act: Desk["act"] = (path, intent, fields = {}) => {
    const form: Fields = { reason: REASON, ...fields, intent };
    return browser.post(path, form);
  };
  return {
    act,
    async actAndRead(path, intent, fields) {
      const { status, location, text } = await act(path, intent, fields);
      expect(status, text).toBe(303);
      return readFlash((await browser.get(location ?? "")).text);
    },
  };
}

/** The page's message about an act; empty without one. */
function readFlash(html: string): string {
  return /<p class="flash-message-good"[^>]*>(?:<svg[^]*?<\/svg>)?([^<]*)<\/p>/.exec(html)?.[1] ?? "";
}
