import { expect, test } from "vitest";

import { toFieldErrors } from "./messages.ts";

test("everything that is wrong with a field stands beside it", () =>
  expect(
    toFieldErrors([
      ["password", "Too short."],
      ["firstName", "Missing."],
      ["password", "Too easy."],
    ]),
  ).toEqual({ firstName: ["Missing."], password: ["Too short.", "Too easy."] }));

test("nothing wrong is nothing said", () => expect(toFieldErrors([])).toEqual({}));
