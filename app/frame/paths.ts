import type { ItemRef } from "../../server/content/items/kinds.ts";

/**
 * Routes use `/login`; a browser needs `/members/login` under a base path. Redirects from loaders and actions get the
 * base from the framework, links from `href`.
 */
const base = import.meta.env.BASE_URL;

/**
 * Plain links open these by client-side navigation (`components/links.tsx`). `routes.test.ts` lists the other pages.
 */
export const screenPaths = ["/", "/dashboard", "/login", "/signup"];

/** The address of a member's screens, under both its names. */
export function isDashboard(path: string): boolean {
  return path === "/" || path === "/dashboard";
}

/** With the base, for links and forms. */
export function href(path: string): string {
  return base + path.slice(1);
}

export function withSearch(path: string, params: Record<string, string | number | undefined>): string {
  const given = Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

export function itemPath({ kind, id }: ItemRef): string {
  return `/?view=${kind}&item=${id}`;
}

/** Of a piece by its key, or of any. */
export function awakePath(piece?: string): string {
  return piece === undefined ? "/awake" : `/awake?piece=${piece}`;
}

export function toPath(url: URL): string {
  return stripBase(url.pathname) + url.search;
}

export function stripBase(pathname: string): string {
  return isUnderBase(pathname) ? `/${pathname.slice(base.length)}` : "/";
}

/** Other things may be on the same origin. */
export function isUnderBase(pathname: string): boolean {
  return pathname.startsWith(base);
}

/**
 * `to` if it leads to a page of this site, else home. Refuses control characters and backslashes before parsing,
 * because browsers drop or turn them: `/<TAB>/evil.example` leads away.
 */
export function safePath(to: string | null | undefined): string {
  if (!to || !/^\/[^\\\p{Cc}\s]*$/u.test(to)) return "/";
  const here = "http://here.invalid";
  const url = URL.parse(to, here);
  if (!url || url.origin !== here || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

/** Where the visitor returns after log-in or sign-up, if set. */
export function returnPath(url: URL): string | undefined {
  const to = url.searchParams.get("to");
  return to ? safePath(to) : undefined;
}
