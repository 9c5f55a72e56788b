import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";

import { createFindOrigin } from "./proxy.ts";

const VISITOR = "203.0.113.9";
const OTHER = "198.51.100.4";
const PROXY = "10.0.0.1";

function from(remoteAddress: string | undefined, headers: Record<string, string | string[]> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers: { host: "here.example", ...headers } } as unknown as IncomingMessage;
}

function findAddress(trusted: string[], peer: string, forwardedFor: string | string[]): string {
  return createFindOrigin(trusted, undefined)(from(peer, { "x-forwarded-for": forwardedFor })).address;
}

test("without proxies a request comes from its socket, over http, to the host it names", () => {
  expect(createFindOrigin([], undefined)(from(VISITOR))).toEqual({
    address: VISITOR,
    protocol: "http:",
    host: "here.example",
  });
});

test("a request without a Host is for localhost, and one whose socket is gone comes from nowhere", () => {
  const gone = { socket: {}, headers: {} } as unknown as IncomingMessage;
  expect(createFindOrigin(["loopback"], undefined)(gone)).toEqual({
    address: "",
    protocol: "http:",
    host: "localhost",
  });
});

test.each([
  [[], VISITOR],
  [["loopback"], VISITOR],
  [["10.0.0.0/8"], "11.0.0.1"],
  [["fd00::/8"], "fe80::1"],
  [["2001:db8::1"], "2001:db8::2"],
])("trusting %j, headers from %s are ignored", (trusted, peer) => {
  const forwarded = { "x-forwarded-for": OTHER, "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" };
  expect(createFindOrigin(trusted, undefined)(from(peer, forwarded))).toEqual({
    address: peer,
    protocol: "http:",
    host: "here.example",
  });
});

test.each([
  ["loopback", "127.8.9.10"],
  ["loopback", "::1"],
  ["loopback", "::ffff:127.0.0.1"],
  ["10.0.0.1", "10.0.0.1"],
  ["10.0.0.1", "::ffff:10.0.0.1"],
  ["10.0.0.1", "::ffff:a00:1"],
  ["10.0.0.0/8", "10.255.255.255"],
  ["0.0.0.0/0", "192.0.2.1"],
  ["2001:db8::1", "2001:0db8:0:0::1"],
  ["fd00::/8", "fdab:cdef::9"],
])("trusting %s, headers from %s are believed", (trusted, peer) =>
  expect(findAddress([trusted], peer, VISITOR)).toBe(VISITOR),
);

test("an IPv4 address is called the same on an IPv6 socket and in a header", () => {
  expect(createFindOrigin([], undefined)(from(`::ffff:${VISITOR}`)).address).toBe(VISITOR);
  expect(findAddress(["loopback"], "::1", `::FFFF:${VISITOR}`)).toBe(VISITOR);
});

test.each([
  ["one hop", VISITOR, VISITOR],
  ["an IPv6 visitor", "2001:db8::7", "2001:db8::7"],
  ["a second trusted proxy", `${VISITOR}, 10.0.0.2`, VISITOR],
  ["an address that the visitor made up", `${OTHER}, ${VISITOR}`, VISITOR],
  ["a visitor who claims to be a trusted proxy", `10.0.0.9, 127.0.0.1, ${VISITOR}`, VISITOR],
  ["an untrusted proxy before ours", `${OTHER}, ${VISITOR}, 10.0.0.2`, VISITOR],
  ["only trusted addresses: an internal client", "10.1.1.1, 10.0.0.2", "10.1.1.1"],
])("%s: the last address that no trusted proxy added is the visitor's", (_case, forwardedFor, visitor) =>
  expect(findAddress(["10.0.0.0/8"], PROXY, forwardedFor)).toBe(visitor),
);

test("a header that came twice is read as one list", () =>
  expect(findAddress(["10.0.0.0/8"], PROXY, [OTHER, `${VISITOR}, 10.0.0.2`])).toBe(VISITOR));

test.each(["", ", ,,", "unknown", "127.1", "999.1.1.1", "::g"])(
  "when a trusted proxy says only %j, the request comes from the proxy",
  (forwardedFor) => expect(findAddress(["10.0.0.0/8"], PROXY, forwardedFor)).toBe(PROXY),
);

test.each([`unknown, ${VISITOR}`, `${VISITOR}, , `, `a b c,${VISITOR},10.0.0.2`])(
  "a forged header (%j) does not hide the visitor's address",
  (forwardedFor) => expect(findAddress(["10.0.0.0/8"], PROXY, forwardedFor)).toBe(VISITOR),
);

test.each([
  [PROXY, "https", "https:"],
  [PROXY, "", "http:"],
  [PROXY, "javascript", "http:"],
  [PROXY, "http, https", "https:"],
  [PROXY, "https, http", "http:"],
  [VISITOR, "https", "http:"],
])("%s says the visitor came over %j: %s", (peer, proto, protocol) => {
  const findOrigin = createFindOrigin(["10.0.0.0/8"], undefined);
  expect(findOrigin(from(peer, { "x-forwarded-proto": proto }))).toMatchObject({ protocol });
});

test("X-Forwarded-Host is ignored, even from a trusted proxy", () =>
  expect(
    createFindOrigin(["10.0.0.0/8"], undefined)(from(PROXY, { "x-forwarded-host": "evil.example" })),
  ).toMatchObject({ host: "here.example" }));

test.each([
  ["https://members.example.org", { protocol: "https:", host: "members.example.org" }],
  ["http://localhost:4000", { protocol: "http:", host: "localhost:4000" }],
])("with the public origin %s every request is for it, whatever it says", (origin, fixed) => {
  const findOrigin = createFindOrigin(["10.0.0.0/8"], origin);
  const forwarded = { host: "evil.example", "x-forwarded-for": VISITOR };
  for (const proto of ["http", "https", "ftp"]) {
    expect(findOrigin(from(PROXY, { ...forwarded, "x-forwarded-proto": proto }))).toEqual({
      address: VISITOR,
      ...fixed,
    });
    expect(findOrigin(from(OTHER, { ...forwarded, "x-forwarded-proto": proto }))).toEqual({ address: OTHER, ...fixed });
  }
});

test.each([
  [`6.6.6.6, ${VISITOR}:4711`, VISITOR],
  ["6.6.6.6, [2001:db8::1]", "2001:db8::1"],
  ["6.6.6.6, [2001:db8::1]:4711", "2001:db8::1"],
  ["6.6.6.6, unknown", PROXY],
  ["6.6.6.6, unknown, 10.0.0.2", "10.0.0.2"],
])("behind a proxy that writes %j the visitor is %s, never what stands before", (forwardedFor, visitor) =>
  expect(findAddress(["10.0.0.0/8"], PROXY, forwardedFor)).toBe(visitor),
);
