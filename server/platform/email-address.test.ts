import { expect, test } from "vitest";

import { cleanEmail, isEmail, showDomains, toAsciiEmail, toEmailKey } from "./email-address.ts";

test.each(["ada@dormouse.example", "anna+sleep@post.example.co.uk", "a.b@x-y.health", "o'neill@members.london"])(
  "%s is an email address",
  (email) => expect(isEmail(email)).toBe(true),
);

const notEmails = ["", "ada", "ada@localhost", "ada@@x.example", "ada @x.example", "ada@-x.example", "ada@x..example"];
test.each([...notEmails, `${"a".repeat(250)}@x.example`])("%s is not an email address", (email) =>
  expect(isEmail(email)).toBe(false),
);

test("addresses that differ in case and edges are one address", () => {
  expect(toEmailKey(" Ada@Dormouse.Example ")).toBe("ada@dormouse.example");
});

test.each([
  ["Otto@müller.example", "Otto@xn--mller-kva.example", "Otto@müller.example"],
  ["otto@MU\u0308LLER.example", "otto@XN--MLLER-KVA.Example", "otto@müller.example"],
  ["otto@post.straße.de", "otto@post.xn--strae-oqa.de", "otto@post.straße.de"],
  ["otto@почта。рф", "otto@xn--80a1acny.xn--p1ai", "otto@почта.рф"],
  ["otto@نامه\u200cای.com", "otto@xn--mgba3gch31f060k.com", "otto@نامه\u200cای.com"],
])("%s and %s are one address, shown as %s", (letters, ascii, shown) => {
  for (const typed of [letters, ascii, ` ${letters}\u200b`]) {
    expect(cleanEmail(typed)).toBe(shown);
    expect(isEmail(cleanEmail(typed))).toBe(true);
    expect(toEmailKey(typed)).toBe(toEmailKey(ascii.toLowerCase()));
  }
  expect(toAsciiEmail(shown)).toBe(ascii.toLowerCase().replace(/^otto/, shown.slice(0, 4)));
  expect(cleanEmail(shown)).toBe(shown);
  expect(toEmailKey(toEmailKey(shown))).toBe(toEmailKey(shown));
});

test("addresses whose domains only look alike, or have other letters, stay apart", () => {
  const domains = ["muller.example", "müller.example", "mueller.example", "mülIer.example", "mu\u03cdller.example"];
  expect(new Set(domains.map((domain) => toEmailKey(`otto@${domain}`))).size).toBe(domains.length);
  expect(toEmailKey("ada@аpple.example")).not.toBe(toEmailKey("ada@apple.example"));
});

test.each([
  "ötto@müller.example",
  "otto@müller",
  "otto@mül ler.example",
  "otto@müller..example",
  "otto@müller.example.",
  "otto@müller/x.example",
  "otto@müller%41.example",
  "otto@müller／x.example",
  "otto@müller:80.example",
  "otto@xn--a.example",
  "otto@xn--zzzzzzzz.example",
  "otto@１.２.３",
  `otto@ü${"a".repeat(62)}.example`,
  `${"a".repeat(230)}@xn--mller-kva.example.org`,
])("%s is not an email address, and its key is the text", (email) => {
  expect(isEmail(cleanEmail(email))).toBe(false);
  if (!email.startsWith("a") && !email.startsWith("ö")) expect(cleanEmail(email)).toBe(email);
});

test("a part of an address is shown with its domains in letters", () => {
  expect(showDomains("@XN--mller-kva.exam")).toBe("@müller.exam");
  expect(showDomains("xn--zzzzzzzz")).toBe("xn--zzzzzzzz");
  expect(showDomains("ada")).toBe("ada");
});
