import { expect, test, vi } from "vitest";

import { lazy } from "./lazy.ts";

test("a lazy thing is made when it is first wanted, and only then", () => {
  const make = vi.fn<() => object>(() => ({}));
  const thing = lazy(make);
  expect(make).not.toHaveBeenCalled();
  expect(thing()).toBe(thing());
  expect(make).toHaveBeenCalledTimes(1);
});
