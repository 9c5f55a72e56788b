import { expect, test } from "vitest";

import { declines } from "./declines.ts";

test.each(Object.entries(declines))(
  "%s is told in whole sentences: what happened, that nothing was taken, what to do",
  (_, words) => {
    expect(words).toMatch(/^[A-Z][^!]+\. Nothing was taken\. [A-Z][^!]+\.$/);
  },
);
