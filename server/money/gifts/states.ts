/** A gift is a plan that one person pays for and another takes up. */
export type GiftState =
  /** Typed, and not paid yet. */
  | "draft"
  /** Paid, and waiting for its day. */
  | "waiting"
  /** It has arrived, or its sheet is ready: it can be taken up. */
  | "sent"
  | "taken-up"
  /** By its giver, within 14 days: the money is refunded. */
  | "cancelled"
  /** The money went back before it was taken up, by an operator or a lost dispute. */
  | "refunded"
  /** Not taken up within 12 months. */
  | "expired"
  /** An operator ended its term after it was taken up. */
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

/** Paid, and not over: its recipient may still be changed. */
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

/** Why an operator must look at a gift: Today lists it until it is dismissed. */
export type GiftQuestion =
  /** Its 12 months are over. */
  | "never-taken-up"
  /** The money of a gift that was taken up went back. */
  | "refunded"
  | "disputed";
