import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { blockSamples } from "../../../tests/fakes/wordpress-blocks.ts";
import { ORIGIN } from "../../../tests/fakes/wordpress-items.ts";
import { article } from "../../../tests/helpers/article-source.ts";
import { readTable } from "../../../tests/helpers/docs.ts";
import { findDangers } from "../../../tests/helpers/html-dangers.ts";
import { prepareItem } from "../../content/items/item.ts";
import { listOwnKeys } from "../../content/items/links.ts";
import { sourceItemSchema } from "../../content/items/source.ts";
import { toEntry } from "./entry.ts";

const site = `${ORIGIN}/`;

/** A text from WordPress as members get it, in a catalogue with the article 25. */
function prepare(body: string) {
  const raw = { ...article, link: `${site}a-worry-list/`, content: { rendered: body, protected: false } };
  const origin = { type: "posts", base: new URL(site), place: 1 } as const;
  const source = sourceItemSchema.parse(toEntry(raw, origin).readItem());
  const targets = new Map(listOwnKeys(source, site).map((key) => [key, `?view=read&item=${source.id}`]));
  const { item, losses } = prepareItem(source, { productName: "Dormouse", basePath: "/" }, { site, targets });
  return { html: item.readTexts().bodyHtml.replaceAll(/media\/[\da-f]{32}\./g, "media/…."), losses };
}

test.each(blockSamples)("$block: $becomes", ({ body, shown, lost = [] }) => {
  const { html, losses } = prepare(body);
  expect(html).toBe(shown);
  expect(losses.map(({ what }) => what)).toEqual(lost);
  expect(findDangers(html.replaceAll("…", "0"))).toEqual([]);
  expect(html).not.toMatch(/<(figure|p|a|ul|h\d)( [^<>]*)?>\s*<\/\1>/);
});

describe("the table of blocks in docs/parts.md", () => {
  const rows = readTable(readFileSync("docs/parts.md", "utf8"), "what becomes of it");

  test("says of each block what becomes of it, and what is reported", () => {
    const written = rows.flatMap(([becomes, blocks = ""]) =>
      blocks.split("; ").map((block) => `${becomes}: ${block.replaceAll("`", "")}`),
    );
    const wanted = blockSamples.map(({ block, becomes, lost = [] }) => {
      const reported = lost.length > 0 ? ` (reported: ${lost.join(", ")})` : "";
      return `${becomes}: ${block}${reported}`;
    });
    expect(written.toSorted()).toEqual(wanted.toSorted());
  });
});
