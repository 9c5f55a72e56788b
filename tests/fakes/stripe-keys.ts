import { StripeRefusal } from "./stripe-errors.ts";

/** One call as it came, and the answer that is kept for its repeats. */
export type Answer = { status: number; body: unknown };

type Kept = { call: string; at: number; answer: Answer | undefined };

const DAY_IN_SECONDS = 86_400;

/**
 * Idempotency as Stripe documents it (docs.stripe.com/api/idempotent_requests): the first answer is repeated for a day, a 500 and a
 * declined card too; other parameters under the same key are refused; two at once are refused with 409; what was refused before
 * anything began is not kept.
 */
export function createKeys(nowInSeconds: () => number) {
  const kept = new Map<string, Kept>();
  return {
    /** The kept answer of a repeat; `undefined`: this is the first call, which holds the key from now on. */
    take(key: string, call: string): Answer | undefined {
      const before = kept.get(key);
      if (!before || nowInSeconds() >= before.at + DAY_IN_SECONDS) {
        kept.set(key, { call, at: nowInSeconds(), answer: undefined });
        return undefined;
      }
      if (before.call !== call) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`;
        throw new StripeRefusal(400, { type: "idempotency_error", message }, true);
      }
      if (!before.answer) {
        const message = "There is currently another in-progress request using this Idempotent Key.";
        throw new StripeRefusal(409, { type: "invalid_request_error", code: "idempotency_key_in_use", message }, true);
      }
      return before.answer;
    },

    keep(key: string, answer: Answer): void {
      const held = kept.get(key);
      if (held) held.answer = structuredClone(answer);
    },

    forget: (key: string) => void kept.delete(key),
  };
}
