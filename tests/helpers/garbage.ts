import { expect } from "vitest";

import type { Answer, Site } from "./site.ts";

/** Only scripts send such input. */
export const garbage = [
  "\u0000",
  "x\u0000y",
  "a".repeat(200_000),
  "🌙".repeat(500),
  "\ud83c",
  "\u202eevil\u202c",
  "ﷺ x̷̧̛ שינה 眠",
  "'; drop table drafts; --",
  "</script><script>alert(1)</script>",
  "${7*7}{{7*7}}",
  "../../etc/passwd",
  "line\r\nSet-Cookie: dormouse-session=stolen",
  "__proto__",
  "NaN",
  "-1",
  "1e309",
  "[object Object]",
  "%00%ff",
];

/** Neither a fault of ours nor anything that a browser would run. */
export function expectHandled(answer: Answer, what: string): void {
  expect(answer.status, what).toBeLessThan(500);
  expect(answer.text, what).not.toContain("<script>alert(1)");
  expect(answer.headers.get("Set-Cookie") ?? "", what).not.toContain("dormouse-session=stolen");
}

export function listErrors(site: Site): object[] {
  return site.log.lines.filter(({ level }) => level === "error");
}
