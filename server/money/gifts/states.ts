export type GiftState =
  /** Typed, not paid. */
  | "draft"
  /** Paid; its day has not come. */
  | "waiting"
  /** It has arrived, or its sheet is ready: it can be taken up. */
  | "sent"
  | "taken-up"
  /** Its giver cancelled it within 14 days: the money is refunded. */
  | "cancelled"
  /** The money was refunded by an operator, or lost to a dispute, before it was taken up. */
  | "refunded"
  /** It was not taken up within 12 months. */
  | "expired"
  /** An operator ended its term. */
  | "ended";

export type GiftEvent = "bought" | "sent" | "taken-up" | "cancelled" | "refunded" | "expired" | "ended";

/** Each event is one conditional update, so of two that exclude one another one wins. */
export const giftStates: Record<GiftState, Partial<Record<GiftEvent, GiftState>>> = {
  draft: { bought: "waiting" },
  waiting: { sent: "sent", cancelled: "cancelled", refunded: "refunded" },
  sent: { "taken-up": "taken-up", cancelled: "cancelled", refunded: "refunded", expired: "expired" },
  "taken-up": { ended: "ended" },
  expired: { refunded: "refunded" },
  cancelled: {},
  refunded: {},
  ended: {},
};

/** Its recipient can still be changed. */
export const openStates: GiftState[] = ["waiting", "sent"];

export const giftLabels: Record<GiftState, string> = {
  draft: "not paid yet",
  waiting: "waiting for its day",
  sent: "not taken up yet",
  "taken-up": "taken up",
  cancelled: "cancelled",
  refunded: "refunded",
  expired: "never taken up",
  ended: "ended",
};

/** Why an operator must look at a gift: Today lists it until they dismiss it. */
export type GiftQuestion =
  | "never-taken-up"
  /** It was taken up, and its money refunded or lost. */
  | "refunded"
  | "disputed";
