import type { RouteConfigEntry } from "@react-router/dev/routes";

import routes from "../../app/routes.ts";
import { calls } from "../../server/provider/wire.ts";

/** A route as `app/routes.ts` has it, with the whole of its path: `/media/:name`, `/api/*`; and what its paths match. */
export type RoutePattern = { pattern: string; file: string; expression: RegExp };

/** Every route of the site, from the page that lists them: a new one is tested from its first day. */
export const patterns: RoutePattern[] = listPatterns(routes);

function listPatterns(entries: RouteConfigEntry[], parent = ""): RoutePattern[] {
  return entries.flatMap(({ path = "", file, index = false, children = [] }) => {
    // It has the address of the layout around it.
    if (index) return [];
    const pattern = `${parent}/${path}`.replaceAll(/\/+/g, "/");
    // A layout without a path has no address of its own.
    if (path === "") return listPatterns(children, parent);
    return [{ pattern, file, expression: toExpression(pattern) }, ...listPatterns(children, pattern)];
  });
}

/** The pattern that a path of the site is of, the first that fits; the last of all fits everything. */
export function toPattern(path: string): RoutePattern {
  const found = patterns.find(({ expression }) => expression.test(path));
  if (!found) throw new Error(`No route fits ${path}`);
  return found;
}

function toExpression(pattern: string): RegExp {
  const expression = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\/\*$/, "(?:/.*)?");
  return new RegExp(`^${expression}/?$`);
}

/** A pattern with these values in its places, as they are, escaped or not. */
export function fillPattern(pattern: string, values: string[]): string {
  let at = 0;
  return pattern.replaceAll(/:\w+|\*/g, () => values[at++] ?? "x");
}

/** The address that script requests in place of the page: `/login` as `/login.data`, `/` as `/_.data`. */
export function toDataPath(address: string): string {
  const [path = "", query] = address.split("?");
  const name = path === "/" ? "/_.data" : `${path.replace(/\/$/, "")}.data`;
  return query === undefined ? name : `${name}?${query}`;
}

/** The part behind `/api/`. */
export const apiPaths = [...Object.values(calls).map(({ path }) => path), "openapi.json"];
