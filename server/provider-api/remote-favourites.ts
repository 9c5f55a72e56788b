import type { Clock } from "../clock.ts";
import { itemKey, type Favourites, type ItemRef, type ToggleResult } from "../favourites/favourites.ts";
import type { CallForMember } from "./member-calls.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import { createRemoteList, mediaTypes } from "./remote-favourites-list.ts";

type Wish = ItemRef & { isKept: boolean };

const UNREACHABLE: ToggleResult = { ok: false, reason: "unreachable" };

/** What members keep, where the provider keeps it. */
export function createRemoteFavourites(parts: { call: CallForMember; clock: Clock }): Favourites {
  const { call, clock } = parts;
  const list = createRemoteList(parts);
  const turns = new Map<number, Promise<unknown>>();

  /**
   * Some providers know no wish and only turn a heart over, so it is looked at first; two wishes of a member at once would both find it
   * as it was, so they wait for one another.
   */
  async function wish(memberId: number, wanted: Wish): Promise<ToggleResult> {
    const before = turns.get(memberId) ?? Promise.resolve();
    const turn = before.then(() => fulfil(memberId, wanted));
    const settled = turn.catch(() => undefined);
    turns.set(memberId, settled);
    try {
      return await turn;
    } catch (error) {
      if (error instanceof ProviderError) return UNREACHABLE;
      throw error;
    } finally {
      if (turns.get(memberId) === settled) turns.delete(memberId);
    }
  }

  async function fulfil(memberId: number, { kind, id, isKept }: Wish): Promise<ToggleResult> {
    const items = await list.readAnew(memberId);
    if (!items) return UNREACHABLE;
    const others = items.filter((each) => each.kind !== kind || each.id !== id);
    if (isKept === others.length < items.length) return { ok: true };
    const wanted = isKept ? ("save" as const) : ("remove" as const);
    const input = { id: memberId, mediaId: id, mediaType: mediaTypes[kind], wanted };
    const outcome = await call("postfave", input, { memberId });
    if (!outcome.ok) return UNREACHABLE;
    list.note(memberId, isKept ? [{ kind, id, savedAt: clock() }, ...others] : others);
    return { ok: true };
  }

  return {
    save: (memberId, item) => wish(memberId, { ...item, isKept: true }),
    remove: (memberId, item) => wish(memberId, { ...item, isKept: false }),

    async findPage(memberId, kind, { page, size }) {
      const ofKind = (await list.find(memberId)).filter((item) => item.kind === kind);
      const itemIds = ofKind.slice((page - 1) * size, page * size).map(({ id }) => id);
      return { itemIds, total: ofKind.length };
    },

    async listFavourited(memberId, items) {
      if (items.length === 0) return [];
      const kept = new Set((await list.find(memberId)).map(itemKey));
      return [...new Set(items.map(itemKey))].filter((key) => kept.has(key));
    },

    listFor: (memberId) => list.find(memberId),
  };
}
