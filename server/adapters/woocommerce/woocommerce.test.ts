import { expect, test } from "vitest";

import {
  keys,
  makeCoupon,
  makeCustomer,
  makeOrder,
  makeSubscription,
  startWooCommerceFake,
} from "../../../tests/fakes/woocommerce.ts";
import { plans } from "../../membership/plans.ts";
import { readShop, type ShopReading } from "../../moving/shop.ts";
import { openWooCommerce } from "./woocommerce.ts";

const now = new Date("2026-11-20T03:00:00.000Z");
const reading: ShopReading = {
  productId: 117,
  findPlan: (id) => Object.values(plans).find(({ variationId }) => variationId === id),
  hashes: new Map([["m1@shop.example", "$P$BIKBZEvBhsRuhrNK5PydX1D1LKa7Eq0"]]),
  isEveryone: false,
  now,
};

function open(url: string, waits: number[] = []) {
  const wait = async (ms: number) => void waits.push(ms);
  return openWooCommerce({ url, ...keys }, { tries: 3, wait, requestInMs: 5000 });
}

async function list<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

const nothing = { customers: [], orders: [], coupons: [] };

test("all pages are read, a hundred rows at once, and nothing after the last", async () => {
  await using fake = await startWooCommerceFake({
    ...nothing,
    customers: Array.from({ length: 201 }, (_, index) => makeCustomer(index + 1)),
  });
  const customers = await list(open(fake.url).readCustomers());
  expect(customers.length).toBe(201);
  expect(new Set(customers.map(({ email }) => email)).size).toBe(201);
  expect(customers[0]).toEqual({
    id: 1,
    email: "m1@shop.example",
    firstName: "Ada1",
    lastName: "Lovell",
    role: "customer",
    joinedAt: new Date("2025-03-01T09:00:00.000Z"),
  });
  expect(fake.requests.length).toBe(3);
  expect(fake.requests.join()).not.toMatch(/ck_|cs_/);
});

test("what passes is asked again, after as long as the shop says", async () => {
  await using fake = await startWooCommerceFake({ ...nothing, customers: [makeCustomer(1)] });
  fake.troubles = [{ status: 503 }, { status: 429, retryAfter: "7" }];
  const waits: number[] = [];
  expect(await list(open(fake.url, waits).readCustomers())).toHaveLength(1);
  expect(waits).toEqual([1000, 7000]);
  fake.troubles = [{ status: 500 }, { status: 502 }, { status: 503 }];
  await expect(list(open(fake.url).readCustomers())).rejects.toThrow("The shop answers customers with 503");
});

test("what stays wrong is said at once, without the keys", async () => {
  await using fake = await startWooCommerceFake(nothing);
  const waits: number[] = [];
  const refused = openWooCommerce({ url: fake.url, key: keys.key, secret: "cs_wrong" });
  await expect(list(refused.readCustomers())).rejects.toThrow(
    /refuses the keys for customers \(401 woocommerce_rest_cannot_view\)/,
  );
  await expect(list(open(`${fake.url}/blog`, waits).readCustomers())).rejects.toThrow("There is no WooCommerce");
  fake.troubles = [{ status: 200, body: "<html>" }];
  await expect(list(open(fake.url, waits).readCustomers())).rejects.toThrow("with no list");
  fake.troubles = [{ status: 301 }];
  await expect(list(open(fake.url, waits).readCustomers())).rejects.toThrow("leads elsewhere");
  expect(waits).toEqual([]);
  await expect(list(open("http://127.0.0.1:9", waits).readCustomers())).rejects.toThrow("does not answer");
});

test.each(["shop.example.org", "http://shop.example.org", "ftp://shop.example.org", ""])("%j is no address", (url) => {
  expect(() => open(url)).toThrow("write https://");
});

test("orders become terms, one behind the other, with the coupons that paid for all", async () => {
  await using fake = await startWooCommerceFake({
    customers: [
      makeCustomer(1),
      makeCustomer(2),
      makeCustomer(3, { email: "never@shop.example" }),
      makeCustomer(4, { role: "administrator" }),
    ],
    orders: [
      makeOrder(10, { customer: 1, variation: 120, paid: "2025-11-01T10:00:00" }),
      makeOrder(11, { customer: 1, variation: 118, paid: "2026-10-20T10:00:00" }),
      makeOrder(12, { customer: 2, variation: 120, paid: "2026-06-01T10:00:00", code: "pillow-27" }),
      makeOrder(13, { customer: 0, variation: 119, paid: "2026-10-01T10:00:00" }),
      makeOrder(14, { customer: 2, variation: 120, paid: "2026-10-01T10:00:00", status: "refunded" }),
      makeOrder(15, { customer: 2, variation: 999, paid: "2026-10-01T10:00:00" }),
      makeOrder(16, {
        customer: 2,
        variation: 120,
        paid: "2026-10-01T10:00:00",
        line_items: [{ id: 1, product_id: 55 }],
      }),
    ],
    coupons: [makeCoupon(5, "pillow-27"), makeCoupon(6, "tenner", { amount: "10.00" })],
  });
  const harvest = await readShop(open(fake.url), reading);
  expect(harvest).toMatchObject({ from: "orders", customers: 4, withoutTerm: 1, leftOut: 1 });
  expect(harvest.coupons).toEqual([{ code: "PILLOW-27", used: 1, limit: 50, expiresAt: undefined, running: 1 }]);
  const found = harvest.members.map(({ email, accountType, code, term }) => [
    email,
    accountType,
    code,
    term?.planType,
    term?.startsAt.toISOString().slice(0, 10),
    term?.endsAt.toISOString().slice(0, 10),
  ]);
  expect(found).toEqual([
    ["m1@shop.example", "individual", undefined, 1, "2026-11-01", "2026-12-01"],
    ["m1@shop.example", "individual", undefined, 3, "2025-11-01", "2026-11-01"],
    ["m2@shop.example", "corporate", "PILLOW-27", 3, "2026-06-01", "2027-06-01"],
    ["guest13@shop.example", "individual", undefined, 2, "2026-10-01", "2027-01-01"],
  ]);
  expect(harvest.members.map(({ passwordHash }) => passwordHash !== undefined)).toEqual([true, true, false, false]);
  const everyone = await readShop(open(fake.url), { ...reading, isEveryone: true });
  expect(everyone.members.at(-1)).toMatchObject({ email: "never@shop.example", term: undefined });
});

test("subscriptions say until when is paid, by their state", async () => {
  const monthly = { customer: 1, variation: 118 };
  await using fake = await startWooCommerceFake({
    ...nothing,
    customers: [makeCustomer(1)],
    subscriptions: [
      makeSubscription(20, { customer: 1, variation: 120 }),
      makeSubscription(21, {
        ...monthly,
        status: "pending-cancel",
        next_payment_date_gmt: "",
        end_date_gmt: "2026-12-01T10:00:00",
      }),
      makeSubscription(22, {
        ...monthly,
        status: "on-hold",
        next_payment_date_gmt: "",
        last_payment_date_gmt: "2026-09-01T10:00:00",
      }),
      makeSubscription(23, {
        ...monthly,
        status: "cancelled",
        next_payment_date_gmt: "",
        end_date_gmt: "2026-08-01T10:00:00",
      }),
      makeSubscription(24, { ...monthly, status: "pending" }),
    ],
  });
  const harvest = await readShop(open(fake.url), reading);
  expect(harvest).toMatchObject({ from: "subscriptions", leftOut: 1 });
  expect(harvest.members.map(({ term }) => term?.endsAt.toISOString().slice(0, 10))).toEqual([
    "2027-06-01",
    "2026-12-01",
    "2026-10-01",
    "2026-08-01",
  ]);
});
