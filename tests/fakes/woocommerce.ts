import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { listen } from "../helpers/loopback.ts";

/**
 * The lists of WooCommerce's REST API on the loopback: paging, filters, keys and errors by
 * https://woocommerce.github.io/woocommerce-rest-api-docs. Without `subscriptions` it lacks that plugin and its route.
 */
export type WooCommerceFake = AsyncDisposable & {
  url: string;
  /** Answers to the next requests. */
  troubles: Trouble[];
  /** With queries, without keys. */
  requests: string[];
};

export type Trouble = { status: number; retryAfter?: string; body?: string };

export type Row = Record<string, unknown> & { id: number };

type Lists = { customers: Row[]; orders: Row[]; coupons: Row[]; subscriptions?: Row[] };
/** `refunds`: by order. */
export type FakeShop = Lists & { refunds?: Record<string, Row[]> };

export const keys = { key: "ck_0123456789abcdef", secret: "cs_fedcba9876543210" };

const MAX_PER_PAGE = 100;

export async function startWooCommerceFake(shop: FakeShop): Promise<WooCommerceFake> {
  const server = createServer((request, response) => answer(request, response));
  const { url, ...listening } = await listen(server);
  const fake: WooCommerceFake = { url, troubles: [], requests: [], ...listening };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = new URL(request.url ?? "/", url);
    fake.requests.push(asked.pathname + asked.search);
    const trouble = fake.troubles.shift();
    if (trouble) {
      const headers = trouble.retryAfter === undefined ? {} : { "Retry-After": trouble.retryAfter };
      response.writeHead(trouble.status, headers).end(trouble.body ?? "<h1>Error</h1>");
      return;
    }
    const [, name, order] =
      /^\/wp-json\/wc\/v3\/(customers|orders|coupons|subscriptions)(?:\/(\d+)\/refunds)?$/.exec(asked.pathname) ?? [];
    const rows = order === undefined ? shop[name as keyof Lists] : shop.refunds?.[order];
    if (!rows) {
      return refuse(response, {
        status: 404,
        code: "rest_no_route",
        message: "No route was found matching the URL and request method.",
      });
    }
    const wanted = `Basic ${Buffer.from(`${keys.key}:${keys.secret}`).toString("base64")}`;
    if (request.headers.authorization !== wanted) {
      return refuse(response, {
        status: 401,
        code: "woocommerce_rest_cannot_view",
        message: "Sorry, you cannot list resources.",
      });
    }
    sendPage(response, asked, filter(rows, asked.searchParams));
  }
  return fake;
}

type Refusal = { status: number; code: string; message: string };

function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=UTF-8" });
  response.end(JSON.stringify({ code, message, data: { status } }));
}

function filter(rows: Row[], query: URLSearchParams): Row[] {
  const product = query.get("product");
  const states = query.get("status")?.split(",") ?? ["any"];
  const role = query.get("role") ?? "customer";
  return rows
    .filter((row) => !("role" in row) || role === "all" || row.role === role)
    .filter((row) => states.includes("any") || states.includes(String(row.status)))
    .filter((row) => product === null || listProducts(row).includes(Number(product)))
    .toSorted((a, b) => (query.get("order") === "asc" ? a.id - b.id : b.id - a.id));
}

function listProducts({ line_items: lines }: Row): number[] {
  return Array.isArray(lines) ? lines.map((line: { product_id: number }) => line.product_id) : [];
}

function sendPage(response: ServerResponse, asked: URL, rows: Row[]): void {
  const perPage = Number(asked.searchParams.get("per_page") ?? 10);
  const page = Number(asked.searchParams.get("page") ?? 1);
  if (!(perPage >= 1 && perPage <= MAX_PER_PAGE)) {
    return refuse(response, { status: 400, code: "rest_invalid_param", message: "Invalid parameter(s): per_page" });
  }
  const pages = Math.ceil(rows.length / perPage);
  const next = new URL(asked);
  next.searchParams.set("page", String(page + 1));
  response.writeHead(200, {
    "Content-Type": "application/json; charset=UTF-8",
    "X-WP-Total": String(rows.length),
    "X-WP-TotalPages": String(pages),
    ...(page < pages && { Link: `<${next.href}>; rel="next"` }),
  });
  response.end(JSON.stringify(rows.slice((page - 1) * perPage, page * perPage)));
}

/* Rows in the API's own shape, with the fields that a reader may meet. */

export function makeCustomer(id: number, fields: Partial<Row> = {}): Row {
  return {
    id,
    date_created: "2025-03-01T09:00:00",
    date_created_gmt: "2025-03-01T09:00:00",
    email: `m${id}@shop.example`,
    first_name: `Ada${id}`,
    last_name: "Lovell",
    role: "customer",
    username: `m${id}`,
    billing: { first_name: `Ada${id}`, last_name: "Lovell", email: `m${id}@shop.example`, country: "GB" },
    is_paying_customer: true,
    meta_data: [],
    ...fields,
  };
}

/** `code`: of the coupon that paid for all of it. */
export function makeOrder(
  id: number,
  {
    customer,
    variation,
    paid,
    code,
    ...fields
  }: { customer: number; variation: number; paid: string; code?: string } & Partial<Row>,
): Row {
  return {
    id,
    parent_id: 0,
    status: "completed",
    currency: "GBP",
    date_created_gmt: paid,
    date_paid: paid,
    date_paid_gmt: paid,
    total: code === undefined ? "60.00" : "0.00",
    customer_id: customer,
    billing: { first_name: "Guest", last_name: "Byrne", email: `guest${id}@shop.example`, country: "GB" },
    line_items: [{ id: 1, name: "Membership", product_id: 117, variation_id: variation, quantity: 1, total: "60.00" }],
    coupon_lines: code === undefined ? [] : [{ id: 9, code, discount: "60.00", discount_tax: "0.00", meta_data: [] }],
    ...fields,
  };
}

/** Of WooCommerce Subscriptions. Missing dates are empty texts or null. */
export function makeSubscription(
  id: number,
  { customer, variation, ...fields }: { customer: number; variation: number } & Partial<Row>,
): Row {
  return {
    ...makeOrder(id, { customer, variation, paid: "2026-06-01T10:00:00" }),
    status: "active",
    billing_period: "year",
    billing_interval: "1",
    start_date_gmt: "2026-06-01T10:00:00",
    trial_end_date_gmt: "",
    next_payment_date_gmt: "2027-06-01T10:00:00",
    last_payment_date_gmt: "2026-06-01T10:00:00",
    cancelled_date_gmt: "",
    end_date_gmt: "",
    ...fields,
  };
}

export function makeCoupon(id: number, code: string, fields: Partial<Row> = {}): Row {
  return {
    id,
    code,
    amount: "100.00",
    discount_type: "percent",
    date_expires: null,
    date_expires_gmt: null,
    usage_count: 1,
    usage_limit: 50,
    product_ids: [117],
    used_by: [],
    ...fields,
  };
}
