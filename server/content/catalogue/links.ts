import { type SourceItem, sourceLimits } from "./source.ts";

/** The path of an item's own page, by every address that the item has at its source, in the form of `toLinkKey`. */
export type LinkTargets = ReadonlyMap<string, string>;

/** Where the links of one item lead. `asked`: the keys it depends on: when one of them changes, the item has to be prepared again. */
export type Links = { targets: LinkTargets; lookedUp: Set<string> };

/** The path of the item page that an address means; nothing where it means no item of the catalogue. */
export function findTarget({ targets, lookedUp }: Links, address: URL): string | undefined {
  if (address.href.length > sourceLimits.address) return undefined;
  for (const key of listKeys(address)) {
    lookedUp.add(key);
    const path = targets.get(key);
    if (path !== undefined) return path;
  }
  return undefined;
}

/**
 * The keys of the addresses that lead to an item: its permalink, and WordPress's short link `?p=ID` on the site and on the
 * host of the permalink, which may be another than the one the server is asked by.
 */
export function listOwnKeys({ id, link }: Pick<SourceItem, "id" | "link">, site: string | undefined): string[] {
  const permalink = URL.parse(link ?? "", site);
  const home = URL.parse(site ?? "");
  const keys = [
    ...(permalink && link ? [toLinkKey(permalink) + permalink.search] : []),
    ...(home ? [`${toLinkKey(home)}?p=${id}`] : []),
    ...(permalink && link ? [`${permalink.host}?p=${id}`] : []),
  ];
  return [...new Set(keys)];
}

/** Content's ids live beside the page's own, so they get a prefix, and so do the links to them. */
const ANCHOR_PREFIX = "text-";
/** Longer ones are no names of places. */
const ANCHOR_MAX_LENGTH = 500;

/**
 * The id here of a place that a text names, and the fragment of links to it: `What_is_sleep?`, `müde-augen` and `m%C3%BCde-augen` have
 * letters, digits, `-`, `_`, `.` and `:` alone, so both come out the same however they were written.
 */
export function toAnchor(name: string): string {
  const plain = decode(name).toWellFormed().slice(0, ANCHOR_MAX_LENGTH).toWellFormed();
  const encoded = encodeURIComponent(plain).replace(/[!~*'()]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return ANCHOR_PREFIX + encoded.replaceAll("%3A", ":").replaceAll("%", ".");
}

/** The shapes that addresses of items have: `cms.example/videos/*`, `cms.example/#/#/*`. */
export function listShapes(targets: LinkTargets): Set<string> {
  const shapes = [...targets.keys()].filter((key) => !key.includes("?")).map(keyToShape);
  return new Set(shapes.filter((shape) => shape !== undefined));
}

/** The shape of an address, if it may be that of an item: a file, a feed and WordPress's own pages are none. */
export function toShape(address: URL): string | undefined {
  return keyToShape(toLinkKey(address));
}

function keyToShape(key: string): string | undefined {
  const [host = "", ...parts] = key.split("/");
  const last = parts.pop() ?? "";
  if (last === "" || last === "feed" || last.includes(".") || last.startsWith("wp-")) return undefined;
  return [host, ...parts.map((part) => (/^\d+$/.test(part) ? "#" : part)), "*"].join("/");
}

/** The keys that two tables do not agree on. */
export function listChangedKeys(before: LinkTargets, after: LinkTargets): Set<string> {
  const changed = new Set<string>();
  for (const [key, path] of after) if (before.get(key) !== path) changed.add(key);
  for (const key of before.keys()) if (!after.has(key)) changed.add(key);
  return changed;
}

/** The forms of an address, the most exact first: parameters for counting visitors change no target. */
function listKeys(address: URL): string[] {
  const place = toLinkKey(address);
  if (address.search === "") return [place];
  const number = address.searchParams.get("p");
  return [place + address.search, ...(number ? [`${place}?p=${number}`] : []), place];
}

/** Host and path. The scheme, a slash at the end, `index.php` and the spelling of `%c3` make no other page. */
export function toLinkKey({ host, pathname }: URL): string {
  let end = pathname.endsWith("/index.php") ? pathname.length - "index.php".length : pathname.length;
  while (pathname.charAt(end - 1) === "/") end -= 1;
  return host + decode(pathname.slice(0, end));
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
