import { itemKinds, parseItemKey } from "../../../../server/content/items/kinds.ts";
import type { Services } from "../../../../server/services.ts";
import { href } from "../../../frame/paths.ts";
import { previewPath } from "../parts/paths.ts";

export const stateLabels = { draft: "Draft", pending: "Waiting for review", scheduled: "Scheduled" };

/** By the key in an address; `undefined` where there is none. */
export async function readPreview({ catalogue }: Services, key: string, searchParams: URLSearchParams) {
  const ref = parseItemKey(key);
  return ref && catalogue.editorial.findPreview(ref, { asksForFiles: searchParams.get("files") === "ask" });
}

const ownLink = /(<a\b[^<>]*?) href="([^"?#]*)(\?[^"]*)?"/g;
const itemQuery = new RegExp(`^\\?view=(${itemKinds.join("|")})&amp;item=(\\d+)(&amp;play=1)?`);

/** Links to items lead to their previews, links to members' pages nowhere: an operator has no access there. */
export function leadToPreviews(html: string): string {
  const home = href("/");
  return html.replaceAll(ownLink, (whole, ...found: string[]) => {
    const [start = "", path = "", query = ""] = found;
    if (path !== home && path !== "") return whole;
    const [, kind, id, play] = itemQuery.exec(query) ?? [];
    if (kind !== undefined) return `${start} href="${href(previewPath(`${kind}-${id}`))}${play ? "?play=1" : ""}"`;
    return query === "" && path === "" ? whole : start;
  });
}
