import type { RouteConfigEntry } from "@react-router/dev/routes";

import routes from "../../app/routes.ts";
import { calls } from "../../server/provider/wire.ts";

/** From `app/routes.ts`, with its whole path: `/media/:name`, `/api/*`; `expression` matches its paths. */
export type RoutePattern = { pattern: string; file: string; expression: RegExp };

/** Every route of the site: a new one is tested from its first day. */
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

/** The first match; the last pattern matches everything. */
export function toPattern(path: string): RoutePattern {
  const found = patterns.find(({ expression }) => expression.test(path));
  if (!found) throw new Error(`No route fits ${path}`);
  return found;
}

function toExpression(pattern: string): RegExp {
  const expression = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\/\*$/, "(?:/.*)?");
  return new RegExp(`^${expression}/?$`);
}

/** Inserts the values as they are, escaped or not. */
export function fillPattern(pattern: string, values: string[]): string {
  let at = 0;
  return pattern.replaceAll(/:\w+|\*/g, () => values[at++] ?? "x");
}

/** `/login` as `/login.data`, `/` as `/_.data`. */
export function toDataPath(address: string): string {
  const [path = "", query] = address.split("?");
  const name = path === "/" ? "/_.data" : `${path.replace(/\/$/, "")}.data`;
  return query === undefined ? name : `${name}?${query}`;
}

export const apiPaths = [...Object.values(calls).map(({ path }) => path), "openapi.json"];
