import { expect, test } from "vitest";

import { displayName, isEmail, toEmailKey } from "./rules.ts";

test.each(["ada@dormouse.example", "anna+sleep@post.example.co.uk", "a.b@x-y.health", "o'neill@members.london"])(
  "%s is an e-mail address",
  (email) => expect(isEmail(email)).toBe(true),
);

test.each([
  "",
  "ada",
  "ada@localhost",
  "ada@@x.example",
  "ada @x.example",
  "ada@-x.example",
  "ada@x..example",
  `${"a".repeat(250)}@x.example`,
])("%s is not an e-mail address", (email) => expect(isEmail(email)).toBe(false));

test("addresses that differ in case and edges are one address", () => {
  expect(toEmailKey(" Ada@Dormouse.Example ")).toBe("ada@dormouse.example");
});

test.each([
  ["ada", "Ada"],
  ["ADA", "Ada"],
  ["McDonald", "McDonald"],
  ["O'Neill", "O'Neill"],
  [" élodie ", "Élodie"],
  ["", ""],
])("the name %j is shown as %j", (typed, shown) => expect(displayName(typed)).toBe(shown));
