import { expect, test } from "vitest";

import {
  awakeCookie,
  draftCookie,
  endedSessionCookie,
  readAwakeCookie,
  readDraftToken,
  readScheme,
  readSessionToken,
  schemeCookie,
  sessionCookie,
} from "./cookies.ts";

const https = new URL("https://members.example.org/login");
const http = new URL("http://localhost:3000/login");
const session = { token: "Zm9v_YmFy-4x", expiresAt: new Date("2026-12-20T03:00:00Z") };

function requestWith(cookie?: string): Request {
  return new Request("http://here.example/", cookie === undefined ? {} : { headers: { Cookie: cookie } });
}

function toPair(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf(";"));
}

test("over https the session's cookie is bound to this host, and no script reads it", () =>
  expect(sessionCookie(https, session).split("; ")).toEqual([
    "__Host-dormouse=Zm9v_YmFy-4x",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    "Secure",
    "Expires=Sun, 20 Dec 2026 03:00:00 GMT",
  ]));

test("over plain http it has another name and is not Secure", () =>
  expect(sessionCookie(http, session).split("; ")).toEqual([
    "dormouse-session=Zm9v_YmFy-4x",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    "Expires=Sun, 20 Dec 2026 03:00:00 GMT",
  ]));

test("a sign-up's cookie is as well kept as a session's, and ends with the draft", () => {
  expect(draftCookie(https, session).split("; ")).toEqual([
    "__Host-dormouse-signup=Zm9v_YmFy-4x",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    "Secure",
    "Expires=Sun, 20 Dec 2026 03:00:00 GMT",
  ]);
  expect(draftCookie(http, session).split("; ")).toEqual([
    "dormouse-signup=Zm9v_YmFy-4x",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    "Expires=Sun, 20 Dec 2026 03:00:00 GMT",
  ]);
});

test.each([https, http])("a session and a sign-up at %s are not taken for each other", (url) => {
  const sessionAlone = requestWith(toPair(sessionCookie(url, session)));
  const draftAlone = requestWith(toPair(draftCookie(url, session)));
  expect(readDraftToken(sessionAlone, url)).toBeUndefined();
  expect(readSessionToken(draftAlone, url)).toBeUndefined();
  const both = requestWith(
    [sessionCookie(url, { ...session, token: "member" }), draftCookie(url, { ...session, token: "draft" })]
      .map(toPair)
      .join("; "),
  );
  expect([readSessionToken(both, url), readDraftToken(both, url)]).toEqual(["member", "draft"]);
});

test.each([https, http])("an ended session at %s takes the very cookie away that it had", (url) => {
  const [pair = "", ...attributes] = endedSessionCookie(url).split("; ");
  const [started = "", ...startedAttributes] = sessionCookie(url, session).split("; ");
  expect(pair).toBe(`${started.split("=")[0]}=`);
  expect(attributes).toEqual([...startedAttributes.slice(0, -1), "Max-Age=0"]);
});

test.each([https, http])("a token comes back from a browser at %s", (url) =>
  expect(readSessionToken(requestWith(toPair(sessionCookie(url, session))), url)).toBe(session.token),
);

test("a token of the one scheme is none of the other", () => {
  expect(readSessionToken(requestWith(toPair(sessionCookie(http, session))), https)).toBeUndefined();
  expect(readSessionToken(requestWith(toPair(sessionCookie(https, session))), http)).toBeUndefined();
});

test.each([
  undefined,
  "",
  ";",
  "; ;;",
  "=",
  "=abc",
  "dormouse-session",
  "other=dormouse-session=abc",
  "Dormouse-Session=abc",
  "dormouse-session2=abc",
  "x-dormouse-session=abc",
  "dormouse session=abc",
  "__Host-dormouse=abc",
  "a=1, dormouse-session=abc",
  "__proto__=abc; constructor=abc",
])("in %j there is no token", (cookie) => expect(readSessionToken(requestWith(cookie), http)).toBeUndefined());

test.each([
  "dormouse-session=abc",
  " dormouse-session = abc ",
  "a=1; dormouse-session=abc; b=2",
  "a=1;dormouse-session=abc;b=2",
  ";;garbage; =; a==b; dormouse-session=abc",
  "dormouse-session=abc; dormouse-session=def",
  'quoted="a; dormouse-session=abc',
])("in %j the token is abc", (cookie) => expect(readSessionToken(requestWith(cookie), http)).toBe("abc"));

test("a token with padding is kept whole, and an emptied cookie holds nothing that could be one", () => {
  expect(readSessionToken(requestWith("dormouse-session=abc=="), http)).toBe("abc==");
  expect(readSessionToken(requestWith("dormouse-session="), http)).toBeFalsy();
});

test("a scheme is kept for a year, over https only there", () => {
  expect(schemeCookie(https, "dawn")).toBe("dormouse-scheme=dawn; Path=/; SameSite=Lax; Max-Age=31536000; Secure");
  expect(schemeCookie(http, "night")).toBe("dormouse-scheme=night; Path=/; SameSite=Lax; Max-Age=31536000");
});

test.each(["night", "dawn"] as const)("the scheme %s comes back", (scheme) =>
  expect(readScheme(requestWith(`a=1; ${toPair(schemeCookie(https, scheme))}`))).toBe(scheme),
);

test.each([
  undefined,
  "dormouse-scheme=",
  "dormouse-scheme=Night",
  "dormouse-scheme=nightly",
  'dormouse-scheme="dawn"',
  "dormouse-scheme=dawn%20",
  "dormouse-scheme=<script>",
  "dormouse-scheme=__proto__",
  "dormouse-scheme",
  "scheme=dawn",
])("%j has no scheme", (cookie) => expect(readScheme(requestWith(cookie))).toBeUndefined());

test("a pair without a value is not the cookie whose name it begins with", () => {
  expect(readSessionToken(requestWith("dormouse-sessionx; dormouse-session=abc"), http)).toBe("abc");
});

test("what Awake now has shown is kept for a night, out of reach of script", () => {
  const cookie = awakeCookie(https, ["read-5001", "watch-4002"]);
  expect(cookie.split("; ")).toEqual([
    "dormouse-awake=read-5001.watch-4002",
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    "Secure",
    "Max-Age=43200",
  ]);
  expect(readAwakeCookie(requestWith(toPair(cookie)))).toEqual(["read-5001", "watch-4002"]);
  expect(awakeCookie(https, [])).toContain("Max-Age=0");
});

test("of very many pieces the cookie keeps the last, and stays within what browsers take", () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `watch-${900_000_000 + index}`);
  const cookie = awakeCookie(https, keys);
  expect(cookie.length).toBeLessThan(4096);
  expect(readAwakeCookie(requestWith(toPair(cookie))).at(-1)).toBe(keys.at(-1));
});

test.each(["", "x", "read-1.", "read-1..read-2", "read-1,read-2", "<b>-1", "read-x"])(
  "a cookie of Awake now that says %j is taken for none",
  (value) => expect(readAwakeCookie(requestWith(`dormouse-awake=${value}`))).toEqual([]),
);
