import { expect, test } from "vitest";

import { id, text } from "./wire-fields.ts";
import { readSubscriptionStatus, readUser } from "./wire-people.ts";

test.each([
  [{ id: 7 }, 7],
  [{ id: "7" }, 7],
  [{ ID: 8 }, 8],
  [{ data: { user: { ID: 9 } } }, 9],
  [{ data: { user: { ID: "9" } }, token: "t", extra: [] }, 9],
])("a user's number is read wherever it is: %j", (answer, number) => {
  expect(readUser.parse(answer).id).toBe(number);
});

test("a user may have few fields, and each is read", () => {
  expect(readUser.parse({ id: 1, first_name: null, userType: "gold" })).toEqual({ id: 1 });
});

test.each([{}, { id: 0 }, { id: "x" }, { data: {} }, null, "user", []])(
  "a user without a number is refused: %j",
  (answer) => {
    expect(readUser.safeParse(answer).success).toBe(false);
  },
);

test("a subscription is active by “active” or true only", () => {
  const active = [true, "active", { status: "active" }, { status: true }];
  const inactive = [false, "inactive", "", "expired", { status: "on-hold" }];
  expect(active.map((answer) => readSubscriptionStatus.parse(answer))).toEqual([true, true, true, true]);
  expect(inactive.map((answer) => readSubscriptionStatus.parse(answer))).toEqual([false, false, false, false, false]);
  for (const strange of [null, [], 1, {}]) expect(readSubscriptionStatus.safeParse(strange).success).toBe(false);
});

test("a number fits a database column, and a text has no NUL", () => {
  expect(id.parse("12")).toBe(12);
  for (const bad of [0, -1, 1.5, 2 ** 31, "007", "1e3", "", null, "9999999999"]) {
    expect(id.safeParse(bad).success, String(bad)).toBe(false);
  }
  expect(text(5).safeParse("a\0b").success).toBe(false);
  expect(text(5).safeParse("abcdef").success).toBe(false);
});
