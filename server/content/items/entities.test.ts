import { expect, test } from "vitest";

import { readEntities } from "./entities.ts";

test.each([
  ["Anna &amp; Ben", "Anna & Ben"],
  ["O&#039;Neill &quot;Jo&quot; &lt;3", 'O\'Neill "Jo" <3'],
  ["Ren&eacute; &#8211; &#x1F319;", "René – 🌙"],
  ["&amp;amp; &amp;lt;b&amp;gt;", "&amp; &lt;b&gt;"],
  ["AT&T, R&copy, &unknown; & <b>Jo</b>", "AT&T, R&copy, &unknown; & <b>Jo</b>"],
])("%j was typed as %j", (stored, typed) => {
  expect(readEntities(stored)).toBe(typed);
});
