import { after, type Clock, HOUR_IN_MS, SECOND_IN_MS } from "../../clock.ts";
import { itemKinds, kinds } from "../../content/kinds.ts";
import {
  type Favourite,
  type Favourites,
  itemKey,
  type ItemRef,
  type ToggleResult,
} from "../../favourites/favourites.ts";
import type { ProviderAnswer } from "./answers.ts";
import { ProviderError } from "./line.ts";
import { type CallForMember, createMemory } from "./tokens.ts";

/** What members keep, as it was read last, so that a page of favourite buttons costs no call each time. */
export type FavouriteList = {
  /** The newest saved first. What cannot be read is an empty list (spec, section 8), or what was read within the hour. */
  find(memberId: number): Promise<Favourite[]>;
  /** What is so by now; `undefined` when it is refused. @throws {ProviderError} */
  readAnew(memberId: number): Promise<Favourite[] | undefined>;
  /** What we have just made of it ourselves. */
  note(memberId: number, items: Favourite[]): void;
};

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long what was read last is shown while the provider gives no answer. */
const HOLDS_FOR_MS = HOUR_IN_MS;
/** Lists are longer than other things that are remembered. */
const MEMBERS = 1000;

type Known = { items: Favourite[]; readAt: Date };

function createFavouriteList({ call, clock }: { call: CallForMember; clock: Clock }): FavouriteList {
  const memory = createMemory<Known>(MEMBERS);
  const tried = createMemory<Date>(MEMBERS);
  const isOver = (from: Date | undefined, ms: number) => !from || clock() >= after(from, ms);

  async function readAnew(memberId: number): Promise<Favourite[] | undefined> {
    const outcome = await call("getallfaves", { id: memberId }, { memberId });
    if (!outcome.ok) return undefined;
    const items = toItems(outcome.answer);
    memory.set(memberId, { items, readAt: clock() });
    return items;
  }

  return {
    readAnew,
    note: (memberId, items) => memory.set(memberId, { items, readAt: clock() }),
    async find(memberId) {
      const known = memory.get(memberId);
      if (isOver(known?.readAt, FRESH_FOR_MS) && isOver(tried.get(memberId), FRESH_FOR_MS)) {
        tried.set(memberId, clock());
        const items = await readAnew(memberId).catch(undefinedIfAway);
        if (items) return items;
      }
      return known && !isOver(known.readAt, HOLDS_FOR_MS) ? known.items : [];
    },
  };
}

/** What has no date was there before. */
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

function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}

type Wish = ItemRef & { isKept: boolean };

const UNREACHABLE: ToggleResult = { ok: false, reason: "unreachable" };

/** What members keep, where the provider keeps it. */
export function createProviderFavourites(parts: { call: CallForMember; clock: Clock }): Favourites {
  const { call, clock } = parts;
  const list = createFavouriteList(parts);
  const turns = new Map<number, Promise<unknown>>();

  /**
   * Some providers know no wish and only toggle, so it is looked at first; two wishes of a member at once would both find it
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
    const input = { id: memberId, mediaId: id, mediaType: kinds[kind].type, wanted };
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
