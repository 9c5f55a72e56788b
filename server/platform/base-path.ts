/**
 * The path the product is served under, with a slash at both ends: `/` or `/members/`.
 * Vite and the router both need the closing slash (the dev server compares the two as prefixes).
 * @throws on anything that is not a plain path.
 */
export function readBasePath(setting: string | undefined): string {
  const path = `/${setting ?? ""}/`.replace(/\/{2,}/g, "/");
  if (!/^\/([\w.~-]+\/)*$/.test(path) || /\/\.\.?\//.test(path)) {
    throw new Error(`BASE_PATH must be a plain path such as /members/, not ${JSON.stringify(setting)}`);
  }
  return path;
}
