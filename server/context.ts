import type { Clock } from "./platform/clock.ts";
import type { Queries } from "./platform/database/database.ts";
import type { KeyedHash } from "./platform/seal.ts";
import type { Log } from "./platform/log.ts";

/**
 * The context of every module. One that needs others adds them: `AccountsContext = Context & { sessions: Sessions }`.
 */
export type Context = {
  db: Queries;
  clock: Clock;
  log: Log;
  reach: ReachPoint;
  keyedHash: (purpose: string) => KeyedHash;
};

/**
 * Points at which a payment can be interrupted. Tests end the process there and check what the next start does. In
 * production `reach` does nothing.
 */
export type SagaPoint =
  | "order-opening"
  | "order-opened"
  | "customer-created"
  | "customer-noted"
  | "payment-requested"
  | "payment-noted"
  | "order-paid"
  | "order-completing"
  | "order-completed"
  | "session-claimed"
  | "refund-decided"
  | "refund-requested"
  | "refund-noted"
  | "webhook-stored"
  | "webhook-handled";

/** Of a merge of two accounts; all but the last are within its transaction. */
export type MergePoint =
  | "merge-begun"
  | "merge-terms-moved"
  | "merge-books-moved"
  | "merge-reading-moved"
  | "merge-told"
  | "merge-done";

/** Of a gift; those that end in "ing" are within a transaction. */
export type GiftPoint =
  | "gift-buying"
  | "gift-sending"
  | "gift-sent"
  | "gift-moving"
  | "gift-claiming"
  | "gift-taking"
  | "gift-taken"
  | "gift-cancelling"
  | "gift-expiring"
  | "gift-ending"
  | "gift-ended";

export type ReachPoint = (point: SagaPoint | MergePoint | GiftPoint) => void;
