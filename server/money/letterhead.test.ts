import { expect, test } from "vitest";

import { findVatIn, isVatNumber, listVatLines, toLetterhead } from "./letterhead.ts";

test("a sender of one line is a name and the lines of an address", () => {
  const numbers = { companyNumber: "01234567", vatNumber: undefined };
  expect(toLetterhead("Nest Ltd, 1 Burrow Lane,, Exeter EX1 1AA ", numbers)).toEqual({
    name: "Nest Ltd",
    address: ["1 Burrow Lane", "Exeter EX1 1AA"],
    ...numbers,
  });
  expect(toLetterhead("Dormouse", numbers)).toMatchObject({ name: "Dormouse", address: [] });
});

test.each([
  ["GB 123 4567 82", true],
  ["GB123456727", true],
  ["GB 123 4567 82 001", true],
  ["XI123456782", true],
  ["GB 123 4567 83", false],
  ["123456782", false],
  ["GB 123 4567", false],
  ["FR12345678901", false],
])("%s: a VAT number is %s", (text, isOne) => expect(isVatNumber(text)).toBe(isOne));

test.each([
  [6000, 1000],
  [1500, 250],
  [3000, 500],
  [999, 166],
  [0, 0],
])("%i pence have %i pence of VAT in them", (amount, vat) => expect(findVatIn(amount)).toBe(vat));

test("a sheet says VAT only where there is a number and a price", () => {
  const letterhead = toLetterhead("Nest Ltd", { companyNumber: undefined, vatNumber: "GB 123 4567 82" });
  expect(listVatLines(letterhead, 6000)).toEqual([{ label: "Including VAT at 20%", value: "£10.00" }]);
  expect(listVatLines(letterhead, 0)).toEqual([]);
  expect(listVatLines({ ...letterhead, vatNumber: undefined }, 6000)).toEqual([]);
});
