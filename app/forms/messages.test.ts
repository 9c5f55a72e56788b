import { expect, test } from "vitest";

import { toFieldErrors } from "./messages.ts";

test("a field's errors are shown beside it", () =>
  expect(
    toFieldErrors([
      ["password", "Too short."],
      ["firstName", "Missing."],
      ["password", "Too easy."],
    ]),
  ).toEqual({ firstName: ["Missing."], password: ["Too short.", "Too easy."] }));

test("without an error there is no message", () => expect(toFieldErrors([])).toEqual({}));
