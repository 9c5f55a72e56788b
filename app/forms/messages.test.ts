import { expect, test } from "vitest";

import { toFieldErrors, waitText } from "./messages.ts";

test("a field's errors are shown beside it", () =>
  expect(
    toFieldErrors([
      ["password", "Too short."],
      ["firstName", "Missing."],
      ["password", "Too easy."],
    ]),
  ).toEqual({ firstName: ["Missing."], password: ["Too short.", "Too easy."] }));

test("without an error there is no message", () => expect(toFieldErrors([])).toEqual({}));

test.each([
  [-5, "a second"],
  [0, "a second"],
  [1000, "a second"],
  [1001, "2 seconds"],
  [42_000, "42 seconds"],
  [59_001, "a minute"],
  [60_000, "a minute"],
  [60_001, "2 minutes"],
  [15 * 60_000, "15 minutes"],
])("%i milliseconds are %s", (ms, text) => expect(waitText(ms)).toBe(text));
