import { decodePercents } from "../../platform/text.ts";
import { type SourceItem, sourceLimits } from "./source.ts";

/** The path of an item's page by each address at its source, as `toLinkKey` writes it. */
export type LinkTargets = ReadonlyMap<string, string>;

/** `lookedUp`: the keys that an item depends on. When one changes, the item is prepared again. */
export type Links = { targets: LinkTargets; lookedUp: Set<string> };

/** `undefined` where an address belongs to no item. */
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
 * The keys of an item: its permalink, and WordPress's short link `?p=ID` on the site and on the permalink's host, which
 * may differ.
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

/** The prefix separates ids of the content from the page's own; links to them get it too. */
const ANCHOR_PREFIX = "text-";
const ANCHOR_MAX_LENGTH = 500;

/**
 * The id of a place in a text, and the fragment of links to it. Only letters, digits, `-`, `_`, `.` and `:` remain, so
 * `müde-augen` and `m%C3%BCde-augen` match.
 */
export function toAnchor(name: string): string {
  const plain = decodePercents(name).toWellFormed().slice(0, ANCHOR_MAX_LENGTH).toWellFormed();
  const encoded = encodeURIComponent(plain).replace(/[!~*'()]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return ANCHOR_PREFIX + encoded.replaceAll("%3A", ":").replaceAll("%", ".");
}

export function listShapes(targets: LinkTargets): Set<string> {
  const shapes = [...targets.keys()].filter((key) => !key.includes("?")).map(keyToShape);
  return new Set(shapes.filter((shape) => shape !== undefined));
}

/** `undefined` where it cannot be an item's: a file, a feed, or one of WordPress's own pages. */
export function toShape(address: URL): string | undefined {
  return keyToShape(toLinkKey(address));
}

function keyToShape(key: string): string | undefined {
  const [host = "", ...parts] = key.split("/");
  const last = parts.pop() ?? "";
  if (last === "" || last === "feed" || last.includes(".") || last.startsWith("wp-")) return undefined;
  return [host, ...parts.map((part) => (/^\d+$/.test(part) ? "#" : part)), "*"].join("/");
}

export function listChangedKeys(before: LinkTargets, after: LinkTargets): Set<string> {
  const changed = new Set<string>();
  for (const [key, path] of after) if (before.get(key) !== path) changed.add(key);
  for (const key of before.keys()) if (!after.has(key)) changed.add(key);
  return changed;
}

/** The most exact first: parameters that count visitors change no target. */
function listKeys(address: URL): string[] {
  const key = toLinkKey(address);
  if (address.search === "") return [key];
  const number = address.searchParams.get("p");
  return [key + address.search, ...(number ? [`${key}?p=${number}`] : []), key];
}

/** Host and path: scheme, trailing slash, `index.php` and the spelling of `%c3` make no difference. */
export function toLinkKey({ host, pathname }: URL): string {
  let end = pathname.endsWith("/index.php") ? pathname.length - "index.php".length : pathname.length;
  while (pathname.charAt(end - 1) === "/") end -= 1;
  return host + decodePercents(pathname.slice(0, end));
}
