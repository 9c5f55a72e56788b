import { after, type Clock, HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { type ItemKind, itemKinds } from "../content/item.ts";
import type { Favourite } from "../favourites/favourites.ts";
import type { CallForMember } from "./member-calls.ts";
import { createMemory } from "./memory.ts";
import type { ProviderAnswer } from "./provider-client-answers.ts";
import { ProviderError } from "./provider-client-refusal.ts";
import type { MediaType } from "./wire-content.ts";

/** What members keep, as it was read last, so that a page of hearts costs no call each time. */
export type RemoteList = {
  /** The newest saved first. What cannot be read is an empty list (spec, section 8), or what was read within the hour. */
  find(memberId: number): Promise<Favourite[]>;
  /** What is so by now; `undefined` when it is refused. @throws {ProviderError} */
  readAnew(memberId: number): Promise<Favourite[] | undefined>;
  /** What we have just made of it ourselves. */
  note(memberId: number, items: Favourite[]): void;
};

export const mediaTypes = {
  watch: "videos",
  read: "post",
  learn: "tutorials",
} as const satisfies Record<ItemKind, MediaType>;

const FRESH_FOR_MS = 30 * SECOND_IN_MS;
/** How long what was read last is shown while the provider gives no answer. */
const HOLDS_FOR_MS = HOUR_IN_MS;
/** Lists are longer than other things that are remembered. */
const MEMBERS = 1000;

type Known = { items: Favourite[]; readAt: Date };

export function createRemoteList({ call, clock }: { call: CallForMember; clock: Clock }): RemoteList {
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
    const type = mediaTypes[kind];
    const there = faves[type].map(({ id, savedAt = LONG_AGO }) => ({ kind, id, savedAt }));
    const withdrawn = faves.withdrawn[type].map((id) => ({ kind, id, savedAt: LONG_AGO }));
    return there.concat(withdrawn);
  });
  return items.toSorted((a, b) => b.savedAt.getTime() - a.savedAt.getTime() || b.id - a.id);
}

function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}
