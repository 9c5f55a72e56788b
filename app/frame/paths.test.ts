import { expect, test } from "vitest";

import { href, toPath, safePath, stripBase } from "./paths.ts";

const HERE = "http://here.example";

test.each(["/", "/login", "/login?to=%2F", "/?view=read&item=3#top"])("links to %s lead there", (path) =>
  expect(href(path)).toBe(path),
);

test.each([
  ["/", "/"],
  ["/login", "/login"],
  ["/login/", "/login/"],
  ["/a//b", "/a//b"],
])("the path %s of an address becomes %s of the site", (pathname, path) => expect(stripBase(pathname)).toBe(path));

test.each([
  [HERE, "/"],
  [`${HERE}/?q=a%20b&type=reads`, "/?q=a%20b&type=reads"],
  [`${HERE}/login?to=/x#part`, "/login?to=/x"],
  ["https://user:secret@elsewhere.example:8443/signup?a=1", "/signup?a=1"],
])("%s is the page %s", (address, path) => expect(toPath(new URL(address))).toBe(path));

test.each([
  "/",
  "/login",
  "/?q=a..b",
  "/?view=read&item=3#x",
  "/?view=list&page=2",
  "/?q=caf%C3%A9%20%26%20sleep",
  "/?to=//evil.example",
  "/?to=https://evil.example/",
  "/#//evil.example",
  "/media/a.b-c_d~e.png",
  "/a//b",
  "/@evil.example",
  "/https://evil.example",
])("%s leads where it says", (path) => expect(safePath(path)).toBe(path));

test.each([undefined, null, ""])("%j leads home", (path) => expect(safePath(path)).toBe("/"));

/** Some browser, router or eye takes them for a path of ours. */
const elsewhere = [
  "//evil.example",
  "///evil.example",
  "////evil.example/",
  "//evil.example/%2e%2e",
  "//user:pass@evil.example/",
  "//here.example@evil.example/",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "/a\\..\\..\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\n/evil.example",
  "\t//evil.example",
  "\n//evil.example",
  " //evil.example",
  "/\u0000/evil.example",
  "/\u0001//evil.example",
  "/\u007f/evil.example",
  "/\u0085/evil.example",
  "/\u00a0/evil.example",
  "/\u2028/evil.example",
  "/\ufeff/evil.example",
  "/ /evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/./..///evil.example",
  "/%2e//evil.example",
  "/%2E%2e//evil.example",
  "/login/..//evil.example",
  "/login/%2e.//evil.example",
  "https://evil.example",
  "https:evil.example",
  "https:/evil.example",
  "HTTPS:\\\\evil.example",
  "http:evil.example",
  "http://here.example@evil.example/",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,hi",
  "evil.example",
  "@evil.example",
  ".evil.example",
  ":80/evil",
  "?q=a",
  "#a",
  "./login",
  "../login",
];

test.each(elsewhere)("%j leads home", (trick) => expect(safePath(trick)).toBe("/"));

/** They look strange and are harmless: the result must still be a path of ours. */
const strange = [
  "//here.invalid/login",
  "/%09/evil.example",
  "/%0d%0aLocation:%20https://evil.example",
  "/%5cevil.example",
  "/%2f%2fevil.example",
  "/%2fevil.example",
  "/%00/evil.example",
  "/;//evil.example",
  "/:80//evil.example",
  "/a/../evil.example",
  "/a/b/../../..",
  "/\u2215\u2215evil.example",
  "/\uff0fevil.example",
  "/\u2044/evil.example",
  "/\u3002evil.example",
  "/\u202e/evil.example",
  "/\u200b/evil.example",
  "/\ud800/evil.example",
  "/%zz",
  "/%",
  "/?//evil.example",
  '/"><script>alert(1)</script>',
  "/[//evil.example]",
  `/${"a/".repeat(20)}`,
];

test.each([...elsewhere, ...strange])("a browser sent on from %j stays on this site", (trick) => {
  const answer = safePath(trick);
  expect(new URL(answer, `${HERE}/login?to=x`).origin).toBe(HERE);
  expect(answer).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
});

test.each([...elsewhere, ...strange, "/login", "/?q=a%20b"])("%j is unchanged by a second sanitising", (path) =>
  expect(safePath(safePath(path))).toBe(safePath(path)),
);

test("dots are walked and letters outside ASCII are written as an address writes them", () => {
  expect(safePath("/a/../login?x=1")).toBe("/login?x=1");
  expect(safePath("/caf\u00e9?q=caf\u00e9#caf\u00e9")).toBe("/caf%C3%A9?q=caf%C3%A9#caf%C3%A9");
});
