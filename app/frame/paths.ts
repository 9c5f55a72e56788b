/**
 * Paths of the site. Routes speak of `/login`; a browser needs `/members/login` where the product is served
 * under a base path. Redirects from loaders and actions get the base from the framework, links from `href`.
 */
const base = import.meta.env.BASE_URL;

/** The screens that plain links open by client-side navigation (`components/links.tsx`). `routes.test.ts` says what else has a page. */
export const screenPaths = ["/", "/dashboard", "/login", "/signup"];

/** The address of a path of the site, for links and forms. */
export function href(path: string): string {
  return base + path.slice(1);
}

/** A path with the search parameters that are defined. */
export function withSearch(path: string, params: Record<string, string | number | undefined>): string {
  const given = Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The path of a piece of Awake now, by its key, or of any. */
export function awakePath(piece?: string): string {
  return piece === undefined ? "/awake" : `/awake?piece=${piece}`;
}

/** The path and search of an address of the site, without the base. */
export function toPath(url: URL): string {
  return stripBase(url.pathname) + url.search;
}

export function stripBase(pathname: string): string {
  return isUnderBase(pathname) ? `/${pathname.slice(base.length)}` : "/";
}

/** Whether a path is one of the site: other things may live on the same origin. */
export function isUnderBase(pathname: string): boolean {
  return pathname.startsWith(base);
}

/**
 * `to` if it leads to a page of this site, else home. Control characters and backslashes are refused before parsing,
 * because browsers drop or turn them: `/<TAB>/evil.example` leads away.
 */
export function safePath(to: string | null | undefined): string {
  if (!to || !/^\/[^\\\p{Cc}\s]*$/u.test(to)) return "/";
  const here = "http://here.invalid";
  const url = URL.parse(to, here);
  if (!url || url.origin !== here || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

/** The page that the visitor is to come back to after log-in or sign-up, if any. */
export function returnPath(url: URL): string | undefined {
  const to = url.searchParams.get("to");
  return to ? safePath(to) : undefined;
}
