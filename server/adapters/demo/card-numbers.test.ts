import { expect, test } from "vitest";

import { readCard } from "./card-numbers.ts";

const now = new Date("2026-11-20T03:00:00.000Z");
const card = { number: "4242 4242 4242 4242", expiry: "04 / 30", cvc: "123" };

test.each([
  ["4242424242424242", "paid", "4242"],
  ["4242-4242-4242-4242", "paid", "4242"],
  ["4000 0000 0000 0002", "declined", "0002"],
  ["4000 0000 0000 9995", "insufficient-funds", "9995"],
  ["4000 0027 6000 3184", "authentication", "3184"],
])("%s is read: %s", (number, outcome, last4) => {
  expect(readCard({ ...card, number }, now)).toEqual({ ok: true, outcome, last4 });
});

test.each([
  "",
  "4242",
  "4242 4242 4242 4243",
  "4242 4242 4242 424x",
  "42424242424242424242",
  "４２４２４２４２４２４２４２４２",
])("“%s” is no card number", (number) => {
  expect(readCard({ ...card, number }, now)).toMatchObject({ ok: false, field: "number" });
});

test("a number that could be somebody's own is not taken, nor repeated", () => {
  const refused = readCard({ ...card, number: "5555 5555 5555 4444" }, now);
  expect(refused).toMatchObject({ ok: false, field: "number", sentence: expect.stringContaining("demo cards only") });
  expect(JSON.stringify(refused)).not.toContain("5555");
});

test.each(["04/30", "4/30", "0430", "04 / 2030", " 11 / 26 ", "11/26"])("the expiry “%s” is ahead", (expiry) => {
  expect(readCard({ ...card, expiry }, now)).toMatchObject({ ok: true });
});

test.each(["10/26", "12/25", "01/2020"])("a card that ended with %s has expired", (expiry) => {
  expect(readCard({ ...card, expiry }, now)).toMatchObject({
    ok: false,
    field: "expiry",
    sentence: expect.stringContaining("expired"),
  });
});

test.each(["", "13/30", "00/30", "2030", "04-30-99", "soon"])("“%s” is no expiry", (expiry) => {
  expect(readCard({ ...card, expiry }, now)).toMatchObject({ ok: false, field: "expiry" });
});

test("a card is good to the last moment of its month", () => {
  const expiry = "11/26";
  expect(readCard({ ...card, expiry }, new Date("2026-11-30T23:59:59.999Z"))).toMatchObject({ ok: true });
  expect(readCard({ ...card, expiry }, new Date("2026-12-01T00:00:00.000Z"))).toMatchObject({ ok: false });
});

test.each(["", "12", "12345", "abc"])("“%s” is no CVC", (cvc) => {
  expect(readCard({ ...card, cvc }, now)).toMatchObject({ ok: false, field: "cvc" });
  expect(readCard({ ...card, cvc: " 1234 " }, now)).toMatchObject({ ok: true });
});
