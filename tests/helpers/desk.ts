import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";

import type { NewOperator, Operator } from "../../server/operations/operators/operators.ts";
import type { Role } from "../../server/operations/operators/roles.ts";
import type { App } from "./app.ts";
import { readValue, readWords, tagWith } from "./page.ts";
import type { Answer, Browser, Fields, Site } from "./site.ts";

/** An operator's browser, logged in by an invitation as a person would. */
export type Desk = {
  operator: Operator;
  browser: Browser;
  /** In base32, of their app. */
  secret: string;
  recoveryCodes: string[];
  get(path: string): Promise<Answer>;
  /** Sends a form of a screen, with a reason unless `fields` has one; agrees to the prediction. */
  act(path: string, intent: string, fields?: Record<string, string>): Promise<Answer>;
  /** For an act that succeeds: returns the next page's message. */
  actAndRead(path: string, intent: string, fields?: Record<string, string>): Promise<string>;
};

export const OPERATOR_PASSWORD = "lantern-moss-4711";
export const REASON = "They wrote to us";

/** As the app shows it. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}

/** Adds an operator who has begun, without a browser. */
export async function addOperator(
  { services: { operators }, clock }: Pick<App, "services" | "clock">,
  wanted: NewOperator,
) {
  const invitation = (await operators.add(wanted))?.invitation ?? "";
  const secret = (await operators.showSecret(invitation))?.secret ?? "";
  const password = OPERATOR_PASSWORD;
  const code = codeAt(secret, clock());
  const accepted = await operators.acceptInvitation({ token: invitation, password, confirmation: password, code });
  if (!accepted.ok) throw new Error("The invitation was refused");
  return { invitation, secret, accepted };
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
  const act: Desk["act"] = async (path, intent, fields = {}) => {
    const form: Fields = { reason: REASON, ...fields, intent };
    const answer = await browser.post(path, form);
    const agreed = readQuestion(answer.text);
    return agreed === undefined ? answer : browser.post(path, { ...form, agreed });
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

/** By its act, from a screen that offers it. */
export async function download(desk: Pick<Desk, "act" | "get">, path: string, item: string): Promise<Answer> {
  const { status, location, text } = await desk.act(path, "list csv", { item });
  expect(status, text).toBe(303);
  return desk.get(location ?? "");
}

/** The prediction before an act, in a page or in its data. */
export function readQuestion(text: string): string | undefined {
  const tag = tagWith(text, "input", 'name="agreed"');
  if (tag !== undefined) return readValue(text, "agreed");
  const [line = ""] = text.split("\n");
  if (!line.startsWith("[")) return undefined;
  // The framework's stream is one list, whose objects and lists name their parts by number.
  const parts = JSON.parse(line) as unknown[];
  const key = `_${parts.indexOf("willHappen")}`;
  const holder = parts.find((part) => typeof part === "object" && part !== null && key in part);
  const numbers = holder && parts[(holder as Record<string, number>)[key] ?? -1];
  return Array.isArray(numbers) ? numbers.map((number: number) => parts[number]).join(" ") : undefined;
}

function readFlash(html: string): string {
  return readWords(/<p class="flash-message-good"[^>]*>(?:<svg[^]*?<\/svg>)?([^<]*)<\/p>/.exec(html)?.[1] ?? "");
}
