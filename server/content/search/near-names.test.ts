import { expect, test } from "vitest";

import { createNearNames } from "./near-names.ts";

const names = [
  " jetlag one day at a time | body clock ",
  " about a good night ",
  " waking is usual ",
  " melatonin | jetlag ",
];

test.each([
  ["jet la", [0, 3]],
  ["jetlagg", [0, 3]],
  ["bdoy clock", [0]],
  ["body clcok and more of the same words", []],
  ["melatonn", [3]],
])("%j is near the names at %j", (text, places) => {
  expect(createNearNames(names)(text)).toEqual(places);
});

test.each([
  ["another word within", "latonin"],
  ["another first letter", "baking"],
  ["one wrong letter of four", "gout"],
  ["one wrong letter of four in a name's beginning", "joat"],
  ["so little", "ab"],
  ["nothing", ""],
])("%s is not near: %j", (_, text) => {
  expect(createNearNames(names)(text)).toEqual([]);
});
