import { expect, test } from "vitest";

import {
  keys,
  makeCoupon,
  makeCustomer,
  makeOrder,
  makeSubscription,
  startWooCommerceFake,
} from "../../../tests/fakes/woocommerce.ts";
import { plans } from "../../money/membership/plans.ts";
import { readShop, type ShopReading } from "../../operations/moving/shop.ts";
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
  await expect(list(open(fake.url, waits).readCustomers())).rejects.toThrow("redirects to");
  expect(waits).toEqual([]);
  await expect(list(open("http://127.0.0.1:9", waits).readCustomers())).rejects.toThrow("does not answer");
});

test.each(["shop.example.org", "http://shop.example.org", "ftp://shop.example.org", ""])("%j is no address", (url) => {
  expect(() => open(url)).toThrow("Write it like https://");
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

test("each piece of an order is a term, but for those that were given back", async () => {
  const line = (quantity: number, variation = 118) => ({ product_id: 117, variation_id: variation, quantity });
  const makeBought = (id: number, lines: object[], fields: object = {}) =>
    makeOrder(id, { customer: 0, variation: 118, paid: "2026-10-01T10:00:00", line_items: lines, ...fields });
  const refunds = [{ id: 1 }];
  await using fake = await startWooCommerceFake({
    ...nothing,
    orders: [
      makeBought(30, [line(2)]),
      makeBought(31, [line(1), line(1, 120), { product_id: 55, variation_id: 0, quantity: 9 }]),
      makeBought(32, [line(3)], { refunds }),
      makeBought(33, [line(1)], { refunds }),
      makeBought(34, [line(1)], { refunds }),
      makeBought(35, [line(5000)]),
    ],
    refunds: {
      32: [{ id: 90, line_items: [line(-2)] }],
      33: [{ id: 91, line_items: [] }],
      34: [{ id: 92, line_items: [line(-1)] }],
    },
  });
  const harvest = await readShop(open(fake.url), reading);
  expect(harvest).toMatchObject({ leftOut: 2, unclear: 1 });
  const found = harvest.members.map(
    ({ email, term }) => `${email} ${term?.planType} ${term?.endsAt.toISOString().slice(0, 10)}`,
  );
  expect(found).toEqual([
    "guest30@shop.example 1 2026-12-01",
    "guest30@shop.example 1 2026-11-01",
    "guest31@shop.example 3 2027-11-01",
    "guest31@shop.example 1 2026-11-01",
    "guest32@shop.example 1 2026-11-01",
    "guest33@shop.example 1 2026-11-01",
  ]);
});

test("names and coupons come as they were typed, not as WordPress stores them", async () => {
  const billing = { email: "guest@shop.example", first_name: "Anna &amp; Ben", last_name: "O&#039;Neill" };
  await using fake = await startWooCommerceFake({
    ...nothing,
    customers: [makeCustomer(1, { first_name: "Tom &amp; Jo" })],
    orders: [
      makeOrder(40, { customer: 0, variation: 120, paid: "2026-10-01T10:00:00", billing }),
      makeOrder(41, { customer: 1, variation: 120, paid: "2026-10-01T10:00:00" }),
    ],
  });
  const { members } = await readShop(open(fake.url), reading);
  expect(members.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).toEqual([
    "Anna & Ben O'Neill",
    "Tom & Jo Lovell",
  ]);
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
