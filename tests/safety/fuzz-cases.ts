import * as fc from "fast-check";

import { apiPaths, toDataPath, fillPattern, toPattern, patterns } from "./addresses.ts";
import type { Person } from "./fuzz-people.ts";
import { hostileName, hostileText, anyMutation, toHeaderText } from "./hostile.ts";

/** A request that no browser makes, as plain data: a failure prints it. */
export type Case = {
  who: string;
  isActive: boolean;
  method: string;
  address: string;
  cookies: Record<string, string>;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer> | string | undefined;
};

/** Of one of these people, sometimes with a manipulated one. */
export function anyCookies(people: Person[]): fc.Arbitrary<Pick<Case, "who" | "isActive" | "cookies">> {
  const names = [
    ...new Set(people.flatMap(({ cookies }) => Object.keys(cookies))),
    "dormouse-unsent",
    "dormouse-reset",
    "dormouse-scheme",
  ];
  return fc.constantFrom(...people).chain(({ name, isActive, cookies }) => {
    const tampered = fc
      .constantFrom(...names)
      .chain((cookie) =>
        fc
          .oneof(hostileText, anyMutation(cookies[cookie] ?? "x"))
          .map((value) => Object.assign({}, cookies, { [cookie]: toHeaderText(value).slice(0, 3000) })),
      );
    return fc
      .oneof({ weight: 7, arbitrary: fc.constant(cookies) }, { weight: 2, arbitrary: tampered })
      .map((chosen) => ({ who: name, isActive, cookies: chosen }));
  });
}

/** Of a page with other parameters, or a route with any values. */
export function anyAddress(people: Person[]): fc.Arbitrary<string> {
  const named = [...new Set(people.flatMap(({ walk }) => [...walk.named]))];
  const parameters = [...new Set(named.flatMap((each) => [...readParameters(each).keys()]))];
  const names = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...parameters) },
    { weight: 1, arbitrary: hostileName },
  );
  const query = fc.array(fc.tuple(names, hostileText), { maxLength: 4 });
  const known = fc
    .tuple(fc.constantFrom(...named), query, fc.boolean())
    .map(([address, pairs, isPut]) => change(address, pairs, isPut));
  const filled = fc
    .tuple(fc.constantFrom(...patterns), fc.array(anyPlace(named), { minLength: 2, maxLength: 2 }), query)
    .map(([{ pattern }, values, pairs]) => change(fillPattern(pattern, values), pairs, false));
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: filled }), fc.nat(3))
    .map(([address, dice]) => (dice === 0 ? toDataPath(address) : address));
}

/** A route's parameter: an existing thing, or any text, escaped or raw. */
function anyPlace(named: string[]): fc.Arbitrary<string> {
  const there = named.flatMap((address) => {
    const path = address.split("?")[0] ?? "";
    return /[:*]/.test(toPattern(path).pattern) ? [path.split("/").at(-1) ?? ""] : [];
  });
  const raw = ["%00", "..", "..%2f..%2f", "%2e%2e/", "//", ";x=y", "a".repeat(2000), "~", "x.data"];
  return fc.oneof(
    fc.constantFrom(...there, ...apiPaths, "x"),
    fc.constantFrom(...raw),
    hostileText.map((text) => encodeURIComponent(text.slice(0, 3000).toWellFormed())),
  );
}

function readParameters(address: string): URLSearchParams {
  return new URLSearchParams(address.split("?")[1]);
}

/** `isPut`: replaces the value; else a parameter comes twice. */
function change(address: string, pairs: [string, string][], isPut: boolean): string {
  const query = readParameters(address);
  for (const [name, value] of pairs) {
    if (isPut) query.set(name, value);
    else query.append(name, value);
  }
  return query.size === 0 ? address : `${address.split("?")[0]}?${query}`;
}

export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          "Accept",
          "Accept-Language",
          "Range",
          "If-None-Match",
          "Referer",
          "User-Agent",
          "X-Forwarded-For",
          "X-HTTP-Method-Override",
        ),
        fc.oneof(
          hostileText,
          fc.constantFrom("bytes=0-0,1-1,2-2", "bytes=-0", "bytes=9-1", "*", 'W/"', "text/html;q=x"),
        ),
      )
      .map(([name, value]) => ({ [name]: toHeaderText(value).slice(0, 2000) })),
  },
);

/** A form of ours sends this. */
export const fromOurPage = { Origin: "http://dormouse.test" };

/** Reads any address, sometimes by another method. */
export function anyLook(people: Person[]): fc.Arbitrary<Case> {
  const method = fc.oneof(
    { weight: 8, arbitrary: fc.constant("GET") },
    { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "PROPFIND", "post") },
  );
  return fc
    .record({ person: anyCookies(people), method, address: anyAddress(people), headers: oddHeaders })
    .map(({ person, headers, ...look }) => Object.assign({ headers: { ...fromOurPage, ...headers } }, person, look));
}
