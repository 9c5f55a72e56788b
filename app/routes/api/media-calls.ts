import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Item, ItemKind } from "../../../server/content/item.ts";
import { type CallAnswer, type CallInput, PER_PAGE_MAX } from "../../../server/provider-api/wire.ts";
import { answer, type ApiAnswer } from "./answers.ts";
import type { Visit } from "./visit.ts";
import { digestOf, toWireItem } from "./wire-item.ts";

type List = Visit & { input: CallInput<"getwatches"> };

export const getwatches = (asked: List) => answerList(asked, "watch");
export const getreads = (asked: List) => answerList(asked, "read");
export const getlearns = (asked: List) => answerList(asked, "learn");

/** How many items are looked at before other work gets its turn. */
const BATCH_SIZE = 100;

/** All of a kind, or one page of them. Who brings the tag of what they have learns for little that nothing changed. */
async function answerList(
  { rooms, input, request, site }: List,
  kind: ItemKind,
): Promise<ApiAnswer<CallAnswer<"getwatches">>> {
  const all = listItems(rooms.catalogue, kind);
  const { page = 1, per_page: wanted } = input;
  const isPaged = wanted !== undefined || input.page !== undefined;
  const size = isPaged ? Math.min(wanted ?? PER_PAGE_MAX, PER_PAGE_MAX) : Math.max(1, all.length);
  const items = all.slice((page - 1) * size, page * size);
  const tag = `W/"${await digestAll(items, site)}"`;
  const headers = {
    ETag: tag,
    "X-Total": String(all.length),
    "X-TotalPages": String(Math.max(1, Math.ceil(all.length / size))),
  };
  // Not even made for whoever has it.
  if (request.headers.get("If-None-Match")?.includes(tag)) return answer([], headers);
  return answer(await mapInTurns(items, (item) => toWireItem(item, site)), headers);
}

/** Articles that are featured stand beside the list. */
function listItems(catalogue: Visit["rooms"]["catalogue"], kind: ItemKind): Item[] {
  const ids = kind === "read" ? catalogue.listFeatured().map(({ id }) => id) : [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const found = catalogue.findPage(kind, page);
    if (!found) break;
    pages = found.pageCount;
    for (const { id } of found.cards) ids.push(id);
  }
  return ids.map((id) => catalogue.findItem(kind, id)).filter((item) => item !== undefined);
}

async function digestAll(items: Item[], site: string): Promise<string> {
  const hash = createHash("sha1").update(site);
  for (const digest of await mapInTurns(items, digestOf)) hash.update(digest);
  return hash.digest("base64url");
}

async function mapInTurns<From, To>(items: From[], map: (item: From) => To): Promise<To[]> {
  const mapped: To[] = [];
  for (const [index, item] of items.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await nextTurn();
    mapped.push(map(item));
  }
  return mapped;
}
