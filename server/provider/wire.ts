import { z } from "zod";

import { kinds, mapListCalls } from "../content/items/kinds.ts";
import * as content from "./wire-content.ts";
import { anything, type Call } from "./wire-fields.ts";
import { paymentCalls, subscriptionCalls } from "./wire-orders.ts";
import { peopleCalls, resetCalls } from "./wire-people.ts";

const list = {
  method: "GET",
  needs: "active",
  in: content.mediaQuery,
  out: content.mediaItems,
  read: z.array(z.unknown()),
} as const;

const contentCalls = {
  ...mapListCalls((kind) => {
    const { listCall, many } = kinds[kind];
    return { ...list, path: `media/${listCall}`, summary: `All ${many}.` };
  }),
  getallfaves: {
    method: "GET",
    path: "media/getallfaves",
    needs: "active",
    in: content.favesQuery,
    out: content.faves,
    read: content.readFaves,
    summary: "The member's favourites.",
  },
  postfave: {
    method: "POST",
    path: "media/postfave",
    needs: "active",
    in: content.favePost,
    out: content.favePosted,
    read: anything,
    summary: "Adds a favourite, or removes it.",
  },
} as const satisfies Record<string, Call>;

export { type Call, PER_PAGE_MAX } from "./wire-fields.ts";
export { toProfile, toTypedProfile, toWire } from "./wire-people.ts";

/** Every call of the API (docs/behaviour.md, The API): serving, description and client derive from this table. */
export const calls = { ...peopleCalls, ...subscriptionCalls, ...paymentCalls, ...contentCalls, ...resetCalls };

export type CallName = keyof typeof calls;
export type CallInput<Name extends CallName> = z.output<(typeof calls)[Name]["in"]>;
export type CallAnswer<Name extends CallName> = z.output<(typeof calls)[Name]["out"]>;
export type ProviderAnswer<Name extends CallName> = z.output<(typeof calls)[Name]["read"]>;

/** A picture or film for subscribers, and a member's own picture. */
export const filePaths = { media: "media/files/", avatar: "users/avatars/" } as const;
