import { expect, test } from "vitest";
import { z } from "zod";

import { toFieldErrors } from "./messages.ts";

const schema = z.object({ firstName: z.string(), email: z.string(), password: z.string() });

test("everything that is wrong with a field stands beside it, and the fields in the page's order", () => {
  const errors = toFieldErrors(schema, [
    ["password", "Too short."],
    ["firstName", "Missing."],
    ["password", "Too easy."],
  ]);
  expect(Object.entries(errors)).toEqual([
    ["firstName", ["Missing."]],
    ["password", ["Too short.", "Too easy."]],
  ]);
});

test("nothing wrong is nothing said", () => expect(toFieldErrors(schema, [])).toEqual({}));
