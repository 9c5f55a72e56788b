import type { Stripe } from "stripe";

import { charge, findMethod, makeMethod, type StripeBooks } from "./stripe-books.ts";
import {
  impossible,
  invalid,
  toMetadata,
  missing,
  newCustomer,
  newIntent,
  newRefund,
  newSession,
  toParams,
  toText,
  toTexts,
  type Params,
} from "./stripe-objects.ts";

/** `id`: the path's part that the pattern's group matches. */
type Handle = (call: { id: string; params: Params; url: string }) => unknown;

/** Stripe's limits for `expires_at`: half an hour to a day from now. */
const SHORTEST_PAGE_IN_SECONDS = 30 * 60;
const LONGEST_PAGE_IN_SECONDS = 24 * 60 * 60;

export function listCalls(books: StripeBooks): { on: RegExp; handle: Handle }[] {
  return [
    { on: /^POST \/v1\/customers$/, handle: ({ params }) => keep(books.customers, newCustomer(params, books.about())) },
    { on: /^POST \/v1\/payment_methods$/, handle: ({ params }) => makeMethod(books, params) },
    { on: /^POST \/v1\/payment_intents$/, handle: ({ params, url }) => createIntent(books, params, url) },
    { on: /^GET \/v1\/payment_intents$/, handle: ({ params }) => toList(books, books.intents.values(), params) },
    { on: /^GET \/v1\/payment_intents\/(\w+)$/, handle: ({ id }) => books.requireIntent(id) },
    { on: /^POST \/v1\/payment_intents\/(\w+)\/cancel$/, handle: ({ id }) => cancelIntent(books, id) },
    { on: /^POST \/v1\/checkout\/sessions$/, handle: ({ params, url }) => createSession(books, params, url) },
    { on: /^GET \/v1\/checkout\/sessions$/, handle: ({ params }) => toList(books, books.sessions.values(), params) },
    { on: /^GET \/v1\/checkout\/sessions\/(\w+)$/, handle: ({ id }) => books.requireSession(id) },
    { on: /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/, handle: ({ id }) => expireSession(books, id) },
    { on: /^POST \/v1\/refunds$/, handle: ({ params }) => createRefund(books, params) },
    { on: /^GET \/v1\/refunds$/, handle: ({ params }) => toList(books, books.refunds.values(), params) },
    { on: /^GET \/v1\/refunds\/(\w+)$/, handle: ({ id }) => find(books.refunds, "refund", id) },
    { on: /^GET \/v1\/disputes\/(\w+)$/, handle: ({ id }) => find(books.disputes, "dispute", id) },
    { on: /^GET \/v1\/events$/, handle: ({ params }) => toList(books, books.events.values(), params) },
  ];
}

function keep<Stored extends { id: string }>(all: Map<string, Stored>, made: Stored): Stored {
  all.set(made.id, made);
  return made;
}

function find<Stored>(all: Map<string, Stored>, what: string, id: string): Stored {
  const found = all.get(id);
  if (!found) throw missing(what, { id, param: "id" });
  return found;
}

function requireCustomer(books: StripeBooks, id: string | undefined): string | null {
  if (id !== undefined && !books.customers.has(id)) throw missing("customer", { id, param: "customer" });
  return id ?? null;
}

function createIntent(books: StripeBooks, params: Params, url: string): Stripe.PaymentIntent {
  const customer = requireCustomer(books, toText(params.customer));
  const amount = Number(toText(params.amount));
  if (amount < 30) throw invalid("Amount must be at least £0.30 gbp", { code: "amount_too_small", param: "amount" });
  const returnUrl = toText(params.return_url);
  const method =
    params.payment_method === undefined ? undefined : findMethod(books, toText(params.payment_method) ?? "");
  const intent = newIntent(
    {
      amount,
      currency: toText(params.currency) ?? "",
      customer,
      description: toText(params.description) ?? null,
      metadata: toMetadata(params.metadata),
    },
    books.about(),
  );
  books.intents.set(intent.id, intent);
  books.happen("payment_intent.created", intent);
  if (params.confirm !== "true") return intent;
  if (!method) throw invalid("You cannot confirm this PaymentIntent because it's missing a payment method.");
  if (method.fate.isAuthenticated && returnUrl === undefined) throw invalid("A return_url is needed for a redirect");
  intent.payment_method = method.method.id;
  charge(books, intent, { fate: method.fate, bankPage: `${url}/pages/bank/`, returnUrl });
  // Without a customer, a method is valid for one charge.
  method.isUsed = true;
  return intent;
}

function cancelIntent(books: StripeBooks, id: string): Stripe.PaymentIntent {
  const intent = books.requireIntent(id);
  const isOpen = ["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status);
  if (!isOpen) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
    throw impossible(message, { code: "payment_intent_unexpected_state", payment_intent: { ...intent } });
  }
  if (books.findSessionFor(id)?.status === "open") {
    throw impossible("You cannot cancel PaymentIntents created by Checkout. Expire the Checkout Session instead.");
  }
  books.cancel(intent, null);
  return intent;
}

function createSession(books: StripeBooks, params: Params, url: string): Stripe.Checkout.Session {
  const [line] = Object.values(params.line_items ?? {}).map((each) => toParams(each));
  const price = toParams(line?.price_data);
  const expiresAt = Number(toText(params.expires_at) ?? books.nowInSeconds() + LONGEST_PAGE_IN_SECONDS);
  const life = expiresAt - books.nowInSeconds();
  if (life < SHORTEST_PAGE_IN_SECONDS || life > LONGEST_PAGE_IN_SECONDS) {
    throw invalid(
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
      {
        param: "expires_at",
      },
    );
  }
  const made = newSession(
    {
      amount: Number(toText(price.unit_amount)) * Number(toText(line?.quantity)),
      currency: toText(price.currency) ?? "",
      customer: requireCustomer(books, toText(params.customer)),
      clientReferenceId: toText(params.client_reference_id) ?? null,
      metadata: toMetadata(params.metadata),
      successUrl: toText(params.success_url) ?? "",
      cancelUrl: toText(params.cancel_url) ?? null,
      expiresAt,
      locale: toText(params.locale) ?? null,
      pageBase: `${url}/pages/checkout/`,
    },
    books.about(),
  );
  books.intentData.set(made.id, toParams(params.payment_intent_data));
  return keep(books.sessions, made);
}

function expireSession(books: StripeBooks, id: string): Stripe.Checkout.Session {
  const session = books.requireSession(id);
  if (session.status !== "open") {
    throw impossible(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`);
  }
  books.expire(session);
  return session;
}

function createRefund(books: StripeBooks, params: Params): Stripe.Refund {
  const intent = books.requireIntent(toText(params.payment_intent) ?? "", "payment_intent");
  if (intent.status !== "succeeded")
    throw impossible("This PaymentIntent does not have a successful charge to refund.");
  const made = [...books.refunds.values()].filter(
    (each) => each.payment_intent === intent.id && each.status !== "failed",
  );
  const left = intent.amount_received - made.reduce((sum, each) => sum + each.amount, 0);
  const code = { code: "charge_already_refunded" };
  if (left === 0) throw impossible(`The charge of ${intent.id} has already been refunded.`, code);
  const amount = Number(toText(params.amount) ?? left);
  if (amount > left)
    throw impossible(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`);
  const metadata = toMetadata(params.metadata);
  const refund = newRefund(intent, { amount, metadata, created: books.nowInSeconds() });
  if (books.fates.get(intent.id)?.isRefundPending) refund.status = "pending";
  books.refunds.set(refund.id, refund);
  books.happen("refund.created", refund);
  return refund;
}

type Listed = { id: string; object: string; created: number };

/** Parameters that filter by a field of the same name. */
const FIELDS = ["customer", "payment_intent"];

const urls: Record<string, string> = {
  payment_intent: "/v1/payment_intents",
  "checkout.session": "/v1/checkout/sessions",
  refund: "/v1/refunds",
  event: "/v1/events",
};

/** Newest first, as every list of Stripe's is. */
function toList(books: StripeBooks, all: Iterable<Listed>, params: Params) {
  const known = [...all];
  for (const { object, id } of known) if (object === "checkout.session") books.requireSession(id);
  const fitting = known.toReversed().filter((each) => fits(each, params));
  const limit = Number(toText(params.limit) ?? 10);
  if (limit > 100) throw invalid("This value must be between 1 and 100.", { param: "limit" });
  const from = after(fitting, toText(params.starting_after));
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
  const types = toTexts(params.types);
  const { gte } = toParams(params.created);
  return (
    FIELDS.every((name) => params[name] === undefined || fields[name] === params[name]) &&
    (types.length === 0 || types.includes(String(fields.type))) &&
    (gte === undefined || each.created >= Number(gte))
  );
}

/** Replaces the id of a PaymentIntent or method by the object, in an object or in each of a list. */
export function expand(books: StripeBooks, answer: unknown, paths: string[]): unknown {
  let expanded = structuredClone(answer) as Record<string, unknown>;
  for (const path of paths) {
    if (path === "payment_intent") expanded = withIntent(books, expanded);
    else if (path === "payment_method") expanded = withMethod(books, expanded);
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

function withMethod(books: StripeBooks, object: Record<string, unknown>): Record<string, unknown> {
  const id = object.payment_method;
  const found = typeof id === "string" ? books.methods.get(id)?.method : undefined;
  return found ? { ...object, payment_method: structuredClone(found) } : object;
}
