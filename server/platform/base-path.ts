/** With a slash at both ends: Vite and the router compare it as a prefix. @throws on anything that is no plain path. */
export function readBasePath(setting: string | undefined): string {
  const path = `/${setting ?? ""}/`.replace(/\/{2,}/g, "/");
  if (!/^\/([\w.~-]+\/)*$/.test(path) || /\/\.\.?\//.test(path)) {
    throw new Error(`BASE_PATH must be a plain path such as /members/, not ${JSON.stringify(setting)}`);
  }
  return path;
}
