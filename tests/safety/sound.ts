import { expect } from "vitest";

import type { Answer, Site } from "../helpers/site.ts";

/** No page of ours is larger, whatever was typed: a form shows its input once or twice. */
const PAGE_MAX_LENGTH = 1_000_000;
/** Each form is sent to the page's own address, and no browser sends one of hundreds of thousands of characters. */
const FORMS_MAX_COUNT = 16;

/** These words show that internals leaked. */
const insides =
  /\bat (?:async )?[\w.<>]+ \((?:file:|node:|\/)|SQLITE_|SqliteError|node_modules\/|duplicate key value|\bkysely\b/i;

/** The rules of every answer. Matchers run only after a breach, because there are many answers. */
export function expectSound(answer: Answer, { what, address }: { what: string; address: string }): void {
  const broken = [...listBroken(answer, address), ...listUnsafeHeaders(answer.headers, address)];
  if (broken.length > 0) expect(broken, `${what}\n${answer.text.slice(0, 500)}`).toEqual([]);
}

/** ASVS 3.4, 4.1.1, 13.4.6 and 14.3.2, on pages, data, files, redirects and refusals alike. */
export function expectSafeHeaders(headers: Headers, what: string): void {
  expect(listUnsafeHeaders(headers, what), what).toEqual([]);
}

function listBroken({ status, headers, text, location }: Answer, address: string): string[] {
  const type = headers.get("Content-Type") ?? "";
  const broken: string[] = [];
  if (status < 200 || status >= 500) broken.push(`the status is ${status}`);
  if (location !== null && !/^(?:\/(?![/\\])|http:\/\/dormouse\.test\/)/.test(location))
    broken.push(`leads to ${location}`);
  if (/^(?:image|audio|video)\//.test(type)) return broken;
  const isWords = type.startsWith("text/") && type !== "text/x-script";
  if (isWords && !/; ?charset=utf-8$/i.test(type)) broken.push(`${type} says no charset`);
  if (text !== "" && status !== 304 && type === "") broken.push("a body says no type");
  if (text.length >= PAGE_MAX_LENGTH + FORMS_MAX_COUNT * address.length) broken.push(`${text.length} characters`);
  if (insides.test(text)) broken.push("tells of its inside");
  if (type.startsWith("text/html") && /<script>alert|<svg\/onload|<img src=x/.test(text))
    broken.push("runs what was sent");
  return broken;
}

const required: [name: string, form: RegExp][] = [
  ["X-Content-Type-Options", /^nosniff$/],
  ["X-Frame-Options", /^DENY$/],
  ["Referrer-Policy", /^strict-origin-when-cross-origin$/],
  ["Content-Security-Policy", /frame-ancestors 'none'|sandbox/],
  ["Cache-Control", /^(?:private|no-store)/],
];
const unwanted = ["Access-Control-Allow-Origin", "Server", "X-Powered-By", "X-Injected", "Refresh"];
const cookieForm =
  /^(?:__Host-)?dormouse-(?:scheme=[^;]*; Path=\/; SameSite=Lax|[\w-]+=[^;]*; Path=\/; HttpOnly; SameSite=Lax)/;

/** Only the desk's preview may be framed, by its own page. */
const framed: typeof required = [
  ["X-Frame-Options", /^(?:SAMEORIGIN|DENY)$/],
  ["Content-Security-Policy", /frame-ancestors '(?:self|none)'/],
];

function listUnsafeHeaders(headers: Headers, address: string): string[] {
  const exceptions = new Map(/^\/desk\/content\/[^/]+\/frame\/?(?:\?|$)/.test(address) ? framed : []);
  const wrong = required
    .filter(([name, form]) => !(exceptions.get(name) ?? form).test(headers.get(name) ?? ""))
    .map(([name]) => name);
  const cookies = headers.getSetCookie().filter((cookie) => !cookieForm.test(cookie));
  return [...wrong, ...unwanted.filter((name) => headers.has(name)), ...cookies];
}

/** Clears the log, in which no line may be a fault. */
export function expectNoFault({ log, emails }: Site, what: string): void {
  const faults = log.lines.filter(({ level }) => level === "error");
  log.lines.length = 0;
  emails.length = 0;
  if (faults.length > 0) expect(faults, what).toEqual([]);
}
