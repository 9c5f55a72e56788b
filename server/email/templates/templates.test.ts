import { describe, expect, test } from "vitest";

import { sender, writeAll } from "../../../tests/helpers/every-email.ts";
import type { EmailKind } from "./layout.ts";

const kinds = Object.keys(writeAll("Ada")) as EmailKind[];

/** The words of a text, in no order. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}£]+/gu) ?? []).toSorted();
}

/** What a mail program shows of the HTML, without its tags. */
function readHtml(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  return body.replaceAll(/<[^>]*>/g, " ").replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)));
}

/** The attributes that lead somewhere or fetch something. */
function addressesOf(html: string): string[] {
  return [...html.matchAll(/\b(?:href|src|srcset|background|action)\s*=\s*"([^"]*)"/g)].map(([, address = ""]) =>
    address.replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number))),
  );
}

describe.each(kinds)("the email %s", (kind) => {
  const mail = writeAll("Ada")[kind];

  test("says the same in both forms", () => {
    const said = `${mail.subject} ${mail.text.replaceAll(/https:\S+/g, "")}`;
    expect(wordsOf(readHtml(mail.html))).toEqual(wordsOf(said));
  });

  test("has short lines, but for addresses", () => {
    for (const line of mail.text.split("\n")) if (!line.startsWith("https://")) expect(line.length).toBeLessThan(77);
    expect(mail.subject.length).toBeLessThan(78);
  });

  test("has every link alone on its line, whole", () => {
    const links = addressesOf(mail.html).filter((address) => address.startsWith("https:"));
    for (const address of links) expect(mail.text.split("\n")).toContain(address);
    expect(mail.text.match(/https:/g) ?? []).toHaveLength(links.length);
  });

  test("fetches nothing, runs nothing and is dark by itself", () => {
    expect(mail.html).not.toMatch(/<(?:img|script|link|iframe|object|form|base)\b|url\(|@import|\bon\w+=/i);
    expect(mail.html).toContain('<meta name="color-scheme" content="dark light">');
    expect(mail.html).toContain("@media (prefers-color-scheme: light)");
    expect(mail.html).toMatch(/<body[^>]+background:#0d1420;color:#ece6d8/);
    expect(mail.html).toContain('<html lang="en-GB">');
  });

  test("keeps the app's tone", () => {
    expect(mail.subject + mail.text).not.toMatch(/!|\p{Extended_Pictographic}|\b(?:user|customer|voucher|coupon)\b/iu);
    expect(mail.text).toContain("Questions? Write to hello@dormouse.example.");
    expect(mail.text).toMatch(/\nDormouse\n$/);
  });

  test("names that are HTML are harmless", () => {
    const evil = writeAll(`<b>x" onclick='y'</b>&lt;`)[kind];
    expect(evil.html).not.toMatch(/<b>|onclick='/);
    expect(evil.html.match(/<\w+/g)).toEqual(mail.html.match(/<\w+/g));
    expect(addressesOf(evil.html)).toEqual(addressesOf(mail.html));
  });

  test("names with line breaks make no line of their own", () => {
    const evil = writeAll("Ada\r\n\r\n999999\n")[kind];
    expect(evil.text.split(/[\r\n]/)).not.toContain("999999");
    expect(evil.subject).not.toMatch(/[\r\n]/);
    expect(evil.text).not.toContain("\r");
  });

  test("names are cut at eighty characters", () => {
    const long = writeAll("a".repeat(5000))[kind];
    expect(long.text.length).toBeLessThan(mail.text.length + 500);
    for (const line of long.text.split("\n")) if (!line.startsWith("https://")) expect(line.length).toBeLessThan(77);
  });

  test("a sender with a strange name stays whole", () => {
    const strange = { ...sender, productName: `Sleep & "Rest" <i>`, contactEmail: "a&b'c@dormouse.example" };
    const { html, subject } = writeAll("Ada", strange)[kind];
    expect(html).not.toContain("<i>");
    expect(html.match(/<\w+/g)).toEqual(mail.html.match(/<\w+/g));
    expect(addressesOf(html)).toContain("mailto:a&b'c@dormouse.example");
    expect(subject).not.toContain("\n");
  });
});
