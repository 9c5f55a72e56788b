import type { StripeBooks } from "./stripe-books.ts";
import { invalid } from "./stripe-errors.ts";
import { paramsOf, textOf, textsOf, type Params } from "./stripe-form.ts";

type Listed = { id: string; object: string; created: number };

/** Parameters that pick by a field of the same name. */
const FIELDS = ["customer", "payment_intent", "status", "type"];

const urls: Record<string, string> = {
  payment_intent: "/v1/payment_intents",
  "checkout.session": "/v1/checkout/sessions",
  refund: "/v1/refunds",
  event: "/v1/events",
};

/** A page of a list, newest first, as every list of Stripe's is. */
export function listOf(books: StripeBooks, all: Iterable<Listed>, params: Params) {
  const known = [...all];
  for (const { object, id } of known) if (object === "checkout.session") books.requireSession(id);
  const fitting = known.toReversed().filter((each) => fits(each, params));
  const limit = Number(textOf(params.limit) ?? 10);
  if (limit < 1 || limit > 100) throw invalid("This value must be between 1 and 100.", { param: "limit" });
  const from = after(fitting, textOf(params.starting_after));
  const data = fitting.slice(from, from + limit);
  const url = urls[data[0]?.object ?? ""] ?? "/v1/nothing";
  return { object: "list", data, has_more: from + limit < fitting.length, url };
}

function after(all: Listed[], id: string | undefined): number {
  if (id === undefined) return 0;
  const index = all.findIndex((each) => each.id === id);
  if (index < 0) throw invalid(`No such object: '${id}'`, { param: "starting_after" });
  return index + 1;
}

function fits(each: Listed, params: Params): boolean {
  const fields = each as unknown as Record<string, unknown>;
  const types = textsOf(params.types);
  const { gt, gte, lt, lte } = paramsOf(params.created);
  return (
    FIELDS.every((name) => params[name] === undefined || fields[name] === params[name]) &&
    (types.length === 0 || types.includes(String(fields.type))) &&
    (gt === undefined || each.created > Number(gt)) &&
    (gte === undefined || each.created >= Number(gte)) &&
    (lt === undefined || each.created < Number(lt)) &&
    (lte === undefined || each.created <= Number(lte))
  );
}
