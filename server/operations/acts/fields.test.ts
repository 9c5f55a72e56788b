import { expect, test } from "vitest";
import type { z } from "zod";

import { flag, optionalDay, optionalNumbers, optionName, pence, wholeNumber } from "./fields.ts";

const read = (schema: z.ZodType, text: string | undefined) => {
  const { success, data, error } = schema.safeParse(text);
  return success ? data : error?.issues.map(({ message }) => message).join();
};

const price = pence({ max: 100_000_000, error: "no price" });

test.each([
  ["1500.00", 150_000],
  ["1500", 150_000],
  ["0.29", 29],
  ["1.10", 110],
  ["8.20", 820],
  ["4.35", 435],
  ["£19.99", 1999],
  ["1000000.00", 100_000_000],
])("a price of %s is so many pence, to the penny", (text, sum) => expect(read(price, text)).toBe(sum));

test.each([
  "1500.5",
  "1,500.00",
  "-1.00",
  "1e3",
  "12.345",
  "free",
  "1500.",
  ".50",
  "$5.00",
  "१२",
  "10000000000",
  "0.00",
])("%s is no price", (text) => expect(read(price, text)).toBe("no price"));

const first = optionalDay("first", "no day");
const last = optionalDay("last", "no day");

test.each([
  ["31/01/2027", "2027-01-31T00:00:00.000Z", "2027-01-31T23:59:59.999Z"],
  ["2027-01-31", "2027-01-31T00:00:00.000Z", "2027-01-31T23:59:59.999Z"],
  ["01/07/2027", "2027-06-30T23:00:00.000Z", "2027-07-01T22:59:59.999Z"],
  // The clocks change on these days, which have 23 and 25 hours.
  ["28/03/2027", "2027-03-28T00:00:00.000Z", "2027-03-28T22:59:59.999Z"],
  ["31/10/2027", "2027-10-30T23:00:00.000Z", "2027-10-31T23:59:59.999Z"],
  ["29/02/2028", "2028-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"],
])("the day %s begins and ends by a clock in London", (text, begins, ends) => {
  expect([read(first, text), read(last, text)]).toEqual([new Date(begins), new Date(ends)]);
});

test.each([
  "31/02/2027",
  "29/02/2027",
  "1/2/2027",
  "2027-13-01",
  "2027/01/01",
  "00/00/0000",
  "tomorrow",
  "2027-01-01T00:00:00Z",
])("%s is no day", (text) => expect(read(first, text)).toBe("no day"));

test("products are numbers with commas between, each once", () => {
  const products = optionalNumbers("no products");
  expect([read(products, "117"), read(products, "117, 118")]).toEqual([[117], [117, 118]]);
  for (const text of ["117,", "a", "0", "117,117", "1.5"]) expect(read(products, text), text).toBe("no products");
});

test("counts are whole and within their limits", () => {
  const count = wholeNumber({ min: 1, max: 50, error: "no count" });
  expect(["1", "50", "007"].map((text) => read(count, text))).toEqual([1, 50, 7]);
  for (const text of ["0", "51", "1.5", "-1", "1e1", "many", "9999999999999", undefined]) {
    expect(read(count, text), text).toBe("no count");
  }
});

test("what was not given is absent", () => {
  const fields = [first, last, optionalNumbers("")];
  expect(fields.map((field) => read(field, undefined))).toEqual([undefined, undefined, undefined]);
  expect([read(flag, undefined), read(flag, "yes")]).toEqual([false, true]);
});

test("an option is spelled as its field, in words", () => {
  expect([optionName("firstName", {}), optionName("email", { option: "" })]).toEqual(["first-name", ""]);
});
