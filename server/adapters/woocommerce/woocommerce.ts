import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

import { readBounded } from "../../platform/bounded-answer.ts";
import { SECOND_IN_MS } from "../../platform/clock.ts";
import { parseJson } from "../../platform/text.ts";
import { readEntities } from "../../content/items/entities.ts";
import {
  type Shop,
  type ShopAccess,
  ShopFault,
  type ShopOrder,
  type ShopSubscription,
} from "../../operations/moving/shop.ts";

/**
 * A WooCommerce by its REST API, version 3, with keys that may read
 * (https://woocommerce.github.io/woocommerce-rest-api-docs). The keys go only to its own host, over https.
 */
export function openWooCommerce(access: ShopAccess, patience: ShopPatience = usualPatience): Shop {
  const base = readBase(access.url);
  const read = <Row>(path: string, row: z.ZodType<Row>, query: Record<string, string> = {}) =>
    readPages({ ...access, base, patience, path, query }, row);
  return {
    // All roles, because WooCommerce Subscriptions makes customers subscribers.
    readCustomers: () => read("customers", customer, { role: "all" }),
    async *readOrders(productId) {
      for await (const each of read("orders", order, { product: String(productId), status: "completed,processing" })) {
        if (each.hasRefunds) await takeBack(each, read(`orders/${each.id}/refunds`, refund));
        yield each;
      }
    },
    async *readSubscriptions(productId) {
      for await (const each of read("subscriptions", subscription, { product: String(productId), status: "any" }))
        yield each;
    },
    readCoupons: () => read("coupons", coupon),
    async hasSubscriptions() {
      try {
        await ask({ ...access, base, patience, path: "subscriptions", query: { per_page: "1" } });
        return true;
      } catch (error) {
        if (error instanceof ShopFault && error.code === "rest_no_route") return false;
        throw error;
      }
    },
  };
}

/** The number of tries, and the wait before each: a second, then twice as long each time. */
export type ShopPatience = { tries: number; wait: (ms: number) => Promise<unknown>; requestInMs: number };

const usualPatience: ShopPatience = { tries: 5, wait: (ms) => wait(ms), requestInMs: 30 * SECOND_IN_MS };

const MAX_WAIT_IN_MS = 60 * SECOND_IN_MS;
/** WooCommerce's limit. */
const PER_PAGE = 100;
/** A hundred orders have some 500 kB. */
const MAX_BYTES = 32 * 1024 * 1024;

/** @throws {ShopFault} on an address without a host, or one that would send the keys unencrypted. */
function readBase(text: string): URL {
  const url = URL.parse(text);
  const isLoopback = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (!url || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback))) {
    throw new ShopFault(`“${text}” isn't the address of a shop. Write it like https://shop.example.org`);
  }
  const path = url.pathname.replace(/\/+$/, "");
  return new URL(`${path}/wp-json/wc/v3/`, url.origin);
}

type Asking = ShopAccess & { base: URL; patience: ShopPatience; path: string; query: Record<string, string> };

/** The oldest first, so that new rows move none to another page. A row of another shape is left out. */
async function* readPages<Row>(asking: Asking, row: z.ZodType<Row>): AsyncGenerator<Row, void, undefined> {
  for (let page = 1; ; page += 1) {
    const query = { ...asking.query, per_page: String(PER_PAGE), page: String(page), orderby: "id", order: "asc" };
    const { rows, pages } = await ask({ ...asking, query });
    for (const each of rows) {
      const read = row.safeParse(each);
      if (read.success) yield read.data;
    }
    if (rows.length === 0 || (pages === undefined ? rows.length < PER_PAGE : page >= pages)) return;
  }
}

type Page = { rows: unknown[]; pages: number | undefined };

/** @throws {ShopFault} once a refusal is certain, or the tries are used up. */
async function ask(asking: Asking): Promise<Page> {
  const { patience } = asking;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(asking);
    if (!("fault" in answer)) return answer;
    if (!answer.mayPass || attempt >= patience.tries) throw answer.fault;
    const pause = answer.retryAfterInMs ?? SECOND_IN_MS * 2 ** (attempt - 1);
    await patience.wait(Math.min(pause, MAX_WAIT_IN_MS));
  }
}

type Failed = { fault: ShopFault; mayPass: boolean; retryAfterInMs?: number | undefined };

async function askOnce({ base, key, secret, path, query, patience }: Asking): Promise<Page | Failed> {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/json", Authorization: authorization },
      redirect: "manual",
      signal: AbortSignal.timeout(patience.requestInMs),
    });
    const bytes = await readBounded(response, {
      maxBytes: MAX_BYTES,
      tooLong: () => new ShopFault(`The shop's answer to ${path} is longer than it should be`),
    });
    const body = parseJson(Buffer.from(bytes).toString("utf8"));
    if (response.ok && Array.isArray(body)) {
      const pages = Number(response.headers.get("X-WP-TotalPages") ?? Number.NaN);
      return { rows: body, pages: Number.isInteger(pages) ? pages : undefined };
    }
    return toFailure(response, path, body);
  } catch (error) {
    if (error instanceof ShopFault) return { fault: error, mayPass: false };
    return { fault: new ShopFault(`The shop does not answer at ${base.host}`, { cause: error }), mayPass: true };
  }
}

function toFailure(response: { status: number; headers: Headers }, path: string, body: unknown): Failed {
  const { status, headers } = response;
  const code = refusal.safeParse(body).data?.code ?? "";
  const retryAfter = Number(headers.get("Retry-After") ?? Number.NaN);
  const mayPass = status === 429 || status >= 500;
  const fault = new ShopFault(toSentence({ status, path, code, location: headers.get("Location") }), { code });
  return { fault, mayPass, retryAfterInMs: Number.isFinite(retryAfter) ? retryAfter * SECOND_IN_MS : undefined };
}

type Refused = { status: number; path: string; code: string; location: string | null };

function toSentence({ status, path, code, location }: Refused): string {
  if (status >= 300 && status < 400) return `The shop redirects to ${location ?? "no address"}. Use that address`;
  if (status === 401 || status === 403) {
    return `The shop refuses the keys for ${path} (${status} ${code}): make a key with the permission Read in WooCommerce, Settings, Advanced, REST API`;
  }
  if (status === 404)
    return `There is no WooCommerce that answers for ${path} (404 ${code}): is the address right, and are its permalinks on?`;
  return status < 300
    ? `The shop answers ${path} with no list`
    : `The shop answers ${path} with ${status} ${code}`.trim();
}

const refusal = z.object({ code: z.string().regex(/^\w{1,60}$/) });

/* The rows, as far as we read them. Instants ending in `_gmt` are UTC without a zone. */

const text = z
  .string()
  .nullish()
  // Names and coupons are stored as HTML.
  .transform((each) => readEntities(each ?? ""));
const instant = z
  .string()
  .nullish()
  .transform((each) => {
    const read = each ? new Date(/Z|[+-]\d\d:?\d\d$/.test(each) ? each : `${each.replace(" ", "T")}Z`) : undefined;
    return read && !Number.isNaN(read.getTime()) ? read : undefined;
  });

const customer = z
  .object({ id: z.number(), email: text, first_name: text, last_name: text, role: text, date_created_gmt: instant })
  .transform(({ first_name: firstName, last_name: lastName, date_created_gmt: joinedAt, ...rest }) => ({
    ...rest,
    firstName,
    lastName,
    joinedAt,
  }));

const line = z
  .object({ product_id: z.number().default(0), variation_id: z.number().default(0), quantity: z.number().default(1) })
  .transform(({ product_id: productId, variation_id: variationId, quantity }) => ({
    ids: [variationId, productId].filter((each) => each > 0),
    quantity: Math.trunc(quantity),
  }));

const purchase = {
  id: z.number(),
  customer_id: z.number().default(0),
  total: text,
  billing: z.object({ email: text, first_name: text, last_name: text }).nullish(),
  line_items: z.array(line).default([]),
  coupon_lines: z.array(z.object({ code: text })).default([]),
};

type Bought = z.output<z.ZodObject<typeof purchase>>;

function toPurchase({ id, customer_id: customerId, total, billing, line_items: lines, coupon_lines: coupons }: Bought) {
  return {
    id,
    customerId,
    isFree: Number(total) === 0,
    email: billing?.email ?? "",
    firstName: billing?.first_name ?? "",
    lastName: billing?.last_name ?? "",
    lines,
    codes: coupons.map(({ code }) => code),
  };
}

const order: z.ZodType<ShopOrder & { hasRefunds: boolean }> = z
  .object({
    ...purchase,
    date_created_gmt: instant,
    date_paid_gmt: instant,
    refunds: z.array(z.unknown()).default([]),
  })
  .transform(({ date_created_gmt: createdAt, date_paid_gmt: paidAt, refunds, ...bought }) => ({
    ...toPurchase(bought),
    paidAt: paidAt ?? createdAt,
    isUnclear: false,
    hasRefunds: refunds.length > 0,
  }));

/** Its lines have negative quantities. */
const refund = z.object({ line_items: z.array(line).default([]) });

/** Removes refunded pieces from an order. A refund of a sum alone does not name them. */
async function takeBack(bought: ShopOrder, refunds: AsyncIterable<z.output<typeof refund>>): Promise<void> {
  for await (const { line_items: lines } of refunds) {
    const back = lines.filter(({ quantity }) => quantity < 0);
    if (back.length === 0) bought.isUnclear = true;
    for (const { ids, quantity } of back) {
      const from = bought.lines.find((each) => each.ids.join() === ids.join() && each.quantity > 0);
      if (from) from.quantity += quantity;
    }
  }
}

/** Those of WooCommerce Subscriptions, https://woocommerce.github.io/subscriptions-rest-api-docs. */
const subscription: z.ZodType<ShopSubscription> = z
  .object({
    ...purchase,
    status: z.string(),
    start_date_gmt: instant,
    next_payment_date_gmt: instant,
    last_payment_date_gmt: instant,
    end_date_gmt: instant,
  })
  .transform((row) => ({
    ...toPurchase(row),
    isUnclear: row.line_items.some(({ quantity }) => quantity > 1),
    status: row.status,
    startsAt: row.start_date_gmt,
    nextPaymentAt: row.next_payment_date_gmt,
    lastPaymentAt: row.last_payment_date_gmt,
    endsAt: row.end_date_gmt,
  }));

const coupon = z
  .object({
    code: text,
    usage_count: z.number().default(0),
    usage_limit: z.number().nullish(),
    date_expires_gmt: instant,
  })
  .transform(({ code, usage_count: used, usage_limit: limit, date_expires_gmt: expiresAt }) => ({
    code,
    used,
    limit: limit ?? undefined,
    expiresAt,
  }));
