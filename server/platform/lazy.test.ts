import { expect, test, vi } from "vitest";

import { lazy } from "./lazy.ts";

test("a lazy value is made on first use, once", () => {
  const make = vi.fn<() => object>(() => ({}));
  const thing = lazy(make);
  expect(make).not.toHaveBeenCalled();
  expect(thing()).toBe(thing());
  expect(make).toHaveBeenCalledTimes(1);
});
