import { resolve } from "node:path";
import { expect, test } from "vitest";

import { everydayPages } from "./pages.ts";
import { ask, decode } from "./requests.ts";
import { openEveryday } from "./stage.ts";

test("the limit that our pages are measured against makes the same pages", async () => {
  await using stage = await openEveryday(resolve("build"));
  const { everyday, everydayLimit } = stage;
  for (const { path } of Object.values(everydayPages)) {
    const ours = await decode(await ask(everyday.server.origin + path, { headers: { Cookie: everyday.cookie } }));
    const limit = await decode(await ask(everydayLimit.origin + path));
    expect(toMarkup(limit).replaceAll(everydayLimit.origin, everyday.server.origin)).toBe(toMarkup(ours));
  }
});

/** A page's body up to its scripts, without what has two spellings: character references, and React's ids. */
function toMarkup(html: string): string {
  const [, body = ""] = /<body[^>]*>(.*?)(?:<script|<\/body>)/s.exec(html) ?? [];
  expect(body).toContain("<main");
  return body.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replace(/_R_\w+_/g, "_R_");
}
