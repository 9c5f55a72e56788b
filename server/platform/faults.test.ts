import { expect, test } from "vitest";

import { errorText, storedErrorText } from "./faults.ts";

test("a fault is one line, and one of several names each", () => {
  expect(errorText(new Error("The line\n  is down"))).toBe("The line is down");
  expect(errorText(new AggregateError([new Error("a"), new TypeError("b")]))).toBe("a; b");
  expect(errorText(new TypeError())).toBe("TypeError");
  expect(errorText("odd")).toBe("odd");
});

test("a fault that is kept has no address and no long number, and is cut", () => {
  const error = new Error("550 <ada.lovell+x@example.org>: no such user (07700900123), connect 127.0.0.1:5432\0");
  expect(storedErrorText(error)).toBe("550 <[address]>: no such user ([number]), connect 127.0.0.1:5432");
  expect(Array.from(storedErrorText(new Error("🌙".repeat(300))))).toHaveLength(200);
});
