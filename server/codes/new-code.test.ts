import { expect, test } from "vitest";

import { after } from "../clock.ts";
import { refuseNewCode, type NewCode } from "./new-code.ts";

const now = new Date("2026-11-20T03:00:00.000Z");

test.each<[string, NewCode]>([
  ["seats alone", { seats: 1 }],
  ["no seats at all", { seats: 0 }],
  ["dates that are over", { seats: 1, startsAt: after(now, -2), endsAt: after(now, -1) }],
  ["dates to come", { seats: 1, startsAt: after(now, 1), endsAt: after(now, 2) }],
  ["several products", { seats: 1, products: [117, 900] }],
])("a code with %s is taken", (_, wanted) => {
  expect(refuseNewCode(wanted, now)).toBeUndefined();
});

test.each<[string, NewCode, string]>([
  ["no text", { code: " ", seats: 1 }, "code-malformed"],
  ["other characters", { code: "DORM/OUSE", seats: 1 }, "code-malformed"],
  ["fewer than no seats", { seats: -1 }, "seats-invalid"],
  ["half a seat", { seats: 1.5 }, "seats-invalid"],
  ["seats that are no number", { seats: Number.NaN }, "seats-invalid"],
  ["seats without end", { seats: Number.POSITIVE_INFINITY }, "seats-invalid"],
  ["an end at its start", { seats: 1, startsAt: now, endsAt: now }, "dates-invalid"],
  ["an end that is past", { seats: 1, endsAt: after(now, -1) }, "dates-invalid"],
  ["a start that is no date", { seats: 1, startsAt: new Date("soon") }, "dates-invalid"],
  ["an end that is no date", { seats: 1, endsAt: new Date("never") }, "dates-invalid"],
  ["no products", { seats: 1, products: [] }, "products-invalid"],
  ["a product twice", { seats: 1, products: [117, 117] }, "products-invalid"],
  ["a product that is no number", { seats: 1, products: [1.5] }, "products-invalid"],
])("a code with %s is refused", (_, wanted, reason) => {
  expect(refuseNewCode(wanted, now)).toBe(reason);
});
