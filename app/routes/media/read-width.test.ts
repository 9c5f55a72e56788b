import { expect, test } from "vitest";

import { readWidth } from "./answer-media.ts";

test("a width is a number of pixels, and anything else is no wish", () => {
  expect(["400", "1", "99999"].map(readWidth)).toEqual([400, 1, 99_999]);
  for (const odd of [null, "", "0", "-1", "1.5", "1e3", "100000", "04", " 4", "４"])
    expect(readWidth(odd)).toBeUndefined();
});
