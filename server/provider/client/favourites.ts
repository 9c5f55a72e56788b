import { after, HOUR_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { itemKey, itemKinds, type ItemRef, kinds } from "../../content/items/kinds.ts";
import {
  type Favourite,
  type Favourites,
  NEWEST,
  type PageQuery,
  type ToggleResult,
} from "../../members/favourites/favourites.ts";
import type { ProviderAnswer } from "../wire.ts";
import { catchProviderError } from "./answers.ts";
import { BoundedMap, type ProviderContext } from "./context.ts";
import { callForMember } from "./tokens.ts";

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long the last reading is used while the provider does not answer. */
const HOLDS_FOR_MS = HOUR_IN_MS;
/** Lists are longer than other cached values. */
const MOST_MEMBERS = 1000;

type FavouritesContext = ProviderContext & {
  /** Cached, so that a page of favourite buttons costs no call each time. */
  saved: BoundedMap<number, { items: Favourite[]; readAt: Date }>;
  triedAt: BoundedMap<number, Date>;
  running: Map<number, Promise<unknown>>;
};

export function createProviderFavourites(provider: ProviderContext): Omit<Favourites, "importItems" | "move"> {
  const saved = new BoundedMap<number, { items: Favourite[]; readAt: Date }>(MOST_MEMBERS);
  const ctx = { ...provider, saved, triedAt: new BoundedMap<number, Date>(MOST_MEMBERS), running: new Map() };
  return {
    save: (memberId, item) => change(ctx, memberId, { ...item, isSaved: true }),
    remove: (memberId, item) => change(ctx, memberId, { ...item, isSaved: false }),

    async findPages(memberId, queries) {
      const all = await findList(ctx, memberId);
      return queries.map((query) => {
        const listed = all.filter(isListed(query));
        return { items: listed.slice((query.page - 1) * query.size, query.page * query.size), total: listed.length };
      });
    },

    async listFavourited(memberId, items) {
      if (items.length === 0) return [];
      const wanted = new Set(items.map(itemKey));
      return (await findList(ctx, memberId)).map(itemKey).filter((key) => wanted.has(key));
    },

    listNewest: async (memberId) => (await findList(ctx, memberId)).slice(0, NEWEST),

    listFor: (memberId) => findList(ctx, memberId),
  };
}

function isListed(query: PageQuery): (item: ItemRef) => boolean {
  if (!("among" in query)) return ({ kind, id }) => kind === query.kind && !query.except?.includes(id);
  const wanted = new Set(query.among.map(itemKey));
  return (item) => wanted.has(itemKey(item));
}

async function readList(ctx: FavouritesContext, memberId: number): Promise<Favourite[] | undefined> {
  const outcome = await callForMember(ctx, "getallfaves", { input: { id: memberId } });
  if (!outcome.ok) return undefined;
  const items = toItems(outcome.answer);
  ctx.saved.set(memberId, { items, readAt: ctx.clock() });
  return items;
}

/**
 * The newest first. Unreadable favourites are an empty list (docs/behaviour.md, The API), or the last reading within
 * the hour.
 */
async function findList(ctx: FavouritesContext, memberId: number): Promise<Favourite[]> {
  const { saved, triedAt, clock } = ctx;
  const isOver = (from: Date | undefined, ms: number) => !from || clock() >= after(from, ms);
  const known = saved.get(memberId);
  if (isOver(known?.readAt, FRESH_FOR_MS) && isOver(triedAt.get(memberId), FRESH_FOR_MS)) {
    triedAt.set(memberId, clock());
    const items = await catchProviderError(readList(ctx, memberId), () => undefined);
    if (items) return items;
  }
  return known && !isOver(known.readAt, HOLDS_FOR_MS) ? known.items : [];
}

type Change = ItemRef & { isSaved: boolean };

const UNAVAILABLE: ToggleResult = { ok: false, reason: "unavailable" };

/**
 * Some providers can only toggle, so the list is read first. A member's requests run one after another, or both would
 * find the same list.
 */
async function change(ctx: FavouritesContext, memberId: number, wanted: Change): Promise<ToggleResult> {
  const before = ctx.running.get(memberId) ?? Promise.resolve();
  const work = before.then(() => fulfil(ctx, memberId, wanted));
  const settled = work.catch(() => undefined);
  ctx.running.set(memberId, settled);
  try {
    return await catchProviderError(work, () => UNAVAILABLE);
  } finally {
    if (ctx.running.get(memberId) === settled) ctx.running.delete(memberId);
  }
}

async function fulfil(ctx: FavouritesContext, memberId: number, { kind, id, isSaved }: Change): Promise<ToggleResult> {
  const items = await readList(ctx, memberId);
  if (!items) return UNAVAILABLE;
  const others = items.filter((each) => each.kind !== kind || each.id !== id);
  if (isSaved === others.length < items.length) return { ok: true };
  const wanted = isSaved ? ("save" as const) : ("remove" as const);
  const input = { id: memberId, mediaId: id, mediaType: kinds[kind].type, wanted };
  const outcome = await callForMember(ctx, "postfave", { input });
  if (!outcome.ok) return UNAVAILABLE;
  const readAt = ctx.clock();
  ctx.saved.set(memberId, { items: isSaved ? [{ kind, id, savedAt: readAt }, ...others] : others, readAt });
  return { ok: true };
}

/** Favourites without a date are the oldest. */
const LONG_AGO = new Date(0);

function toItems(faves: ProviderAnswer<"getallfaves">): Favourite[] {
  const items = itemKinds.flatMap((kind): Favourite[] => {
    const type = kinds[kind].type;
    const there = faves[type].map(({ id, savedAt = LONG_AGO }) => ({ kind, id, savedAt }));
    const withdrawn = faves.withdrawn[type].map((id) => ({ kind, id, savedAt: LONG_AGO }));
    return there.concat(withdrawn);
  });
  return items.toSorted((a, b) => b.savedAt.getTime() - a.savedAt.getTime() || b.id - a.id);
}
