import { after, HOUR_IN_MS, SECOND_IN_MS, type Clock } from "../clock.ts";
import { itemKinds, type ItemKind } from "../content/item.ts";
import { itemKey, type Favourites, type ItemRef, type KeptItem, type WishResult } from "../favourites/favourites.ts";
import type { CallForMember } from "./member-calls.ts";
import { createMemory } from "./memory.ts";
import type { ProviderAnswer } from "./provider-client-answers.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import type { MediaType } from "./wire-content.ts";

const mediaTypes = { watch: "videos", read: "post", learn: "tutorials" } as const satisfies Record<ItemKind, MediaType>;

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long what was read last is shown while the provider gives no answer. */
const HOLDS_FOR_MS = HOUR_IN_MS;

type Known = { items: KeptItem[]; readAt: Date };

/** What members keep, where the provider keeps it. What cannot be read is an empty list (spec, section 8). */
export function createRemoteFavourites({ call, clock }: { call: CallForMember; clock: Clock }): Favourites {
  const memory = createMemory<Known>(1000);
  const tried = createMemory<Date>();
  const turns = new Map<number, Promise<unknown>>();

  /** @throws {ProviderError}; `undefined` when it is refused. */
  async function readAnew(memberId: number): Promise<KeptItem[] | undefined> {
    const outcome = await call("getallfaves", { id: memberId }, { memberId });
    if (!outcome.ok) return undefined;
    const items = toItems(outcome.answer);
    memory.set(memberId, { items, readAt: clock() });
    return items;
  }

  async function list(memberId: number): Promise<KeptItem[]> {
    const known = memory.get(memberId);
    const triedAt = tried.get(memberId) ?? known?.readAt;
    if (!triedAt || clock() >= after(triedAt, FRESH_FOR_MS)) {
      tried.set(memberId, clock());
      const items = await readAnew(memberId).catch(undefinedIfAway);
      if (items) return items;
    }
    return known && clock() < after(known.readAt, HOLDS_FOR_MS) ? known.items : [];
  }

  /**
   * Some providers know no wish and only turn a heart over, so it is looked at first; two wishes of a member at once would both find it
   * as it was, so they wait for one another.
   */
  async function wish(memberId: number, item: ItemRef & { isKept: boolean }): Promise<WishResult> {
    const turn = (turns.get(memberId) ?? Promise.resolve()).then(() => fulfil(memberId, item));
    const settled = turn.catch(() => undefined);
    turns.set(memberId, settled);
    try {
      return await turn;
    } finally {
      if (turns.get(memberId) === settled) turns.delete(memberId);
    }
  }

  async function fulfil(memberId: number, { kind, id, isKept }: ItemRef & { isKept: boolean }): Promise<WishResult> {
    try {
      const items = await readAnew(memberId);
      if (!items) return { ok: false, reason: "unreachable" };
      const others = items.filter((each) => each.kind !== kind || each.id !== id);
      if (isKept === others.length < items.length) return { ok: true };
      const wanted = isKept ? ("save" as const) : ("remove" as const);
      const input = { id: memberId, mediaId: id, mediaType: mediaTypes[kind], wanted };
      const outcome = await call("postfave", input, { memberId });
      if (!outcome.ok) return { ok: false, reason: "unreachable" };
      const savedAt = clock();
      memory.set(memberId, { items: isKept ? [{ kind, id, savedAt }, ...others] : others, readAt: savedAt });
      return { ok: true };
    } catch (error) {
      if (error instanceof ProviderError) return { ok: false, reason: "unreachable" };
      throw error;
    }
  }

  return {
    save: (memberId, item) => wish(memberId, { ...item, isKept: true }),
    remove: (memberId, item) => wish(memberId, { ...item, isKept: false }),

    async findPage(memberId, kind, { page, size }) {
      const itemIds = (await list(memberId)).filter((item) => item.kind === kind).map(({ id }) => id);
      return { itemIds: itemIds.slice((page - 1) * size, page * size), total: itemIds.length };
    },

    async findKept(memberId, items) {
      if (items.length === 0) return [];
      const kept = new Set((await list(memberId)).map(itemKey));
      return [...new Set(items.map(itemKey))].filter((key) => kept.has(key));
    },

    listFor: list,
  };
}

/** The newest saved first; what has no date was there before. */
function toItems(faves: ProviderAnswer<"getallfaves">): KeptItem[] {
  const items = itemKinds.flatMap((kind) => {
    const type = mediaTypes[kind];
    const there = faves[type].map(({ id, savedAt }) => ({ kind, id, savedAt: savedAt ?? LONG_AGO }));
    return [...there, ...faves.withdrawn[type].map((id) => ({ kind, id, savedAt: LONG_AGO }))];
  });
  return items.toSorted((a, b) => b.savedAt.getTime() - a.savedAt.getTime() || b.id - a.id);
}

const LONG_AGO = new Date(0);

function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}
