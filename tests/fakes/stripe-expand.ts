import type { StripeBooks } from "./stripe-books.ts";
import { invalid } from "./stripe-errors.ts";

/** Puts the PaymentIntent in place of its id, in an object or in each of a list: the one thing that is asked for so here. */
export function expand(books: StripeBooks, answer: unknown, paths: string[]): unknown {
  let expanded = structuredClone(answer) as Record<string, unknown>;
  for (const path of paths) {
    if (path === "payment_intent") expanded = withIntent(books, expanded);
    else if (path === "data.payment_intent" && Array.isArray(expanded.data)) {
      expanded.data = expanded.data.map((each: Record<string, unknown>) => withIntent(books, each));
    } else throw invalid(`This property cannot be expanded (${path}).`);
  }
  return expanded;
}

function withIntent(books: StripeBooks, object: Record<string, unknown>): Record<string, unknown> {
  const id = object.payment_intent;
  return typeof id === "string" ? { ...object, payment_intent: structuredClone(books.requireIntent(id)) } : object;
}
