import type { Gift } from "../../../../server/money/gifts/gift.ts";
import type { GiftRecord } from "../../../../server/money/gifts/personal.ts";
import { giftLabels, type GiftState } from "../../../../server/money/gifts/states.ts";
import { formatRecent } from "../../../../server/platform/format.ts";
import { giftPath } from "../parts/paths.ts";
import type { StateText, Tone } from "../parts/pill.tsx";

/** Both names may be erased. */
export function giftText({ giverName, recipientName }: Pick<Gift, "giverName" | "recipientName">): string {
  return `A gift from ${giverName || "someone"} to ${recipientName || "someone"}`;
}

const tones: Record<GiftState, Tone> = {
  draft: "plain",
  waiting: "waits",
  sent: "waits",
  "taken-up": "good",
  cancelled: "plain",
  refunded: "plain",
  expired: "plain",
  ended: "bad",
};

export function giftState(state: GiftState): StateText {
  return { text: giftLabels[state], tone: tones[state] };
}

export function toGiftLine(gift: GiftRecord, now: Date) {
  const { id, state, createdAt } = gift;
  return { id, path: giftPath(id), what: giftText(gift), on: formatRecent(createdAt, now), state: giftState(state) };
}
