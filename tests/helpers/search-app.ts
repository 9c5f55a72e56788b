import { join } from "node:path";
import { expect } from "vitest";

import { createBundledContent } from "../../server/adapters/bundled/bundled.ts";
import { createCatalogue } from "../../server/content/catalogue.ts";
import { type ItemKind, itemKinds } from "../../server/content/kinds.ts";
import type { SearchOrder, SearchResults } from "../../server/content/search.ts";
import { listBlocks } from "../../server/content/transcript.ts";
import { createQuietLog } from "./quiet-log.ts";

type Shown = ReturnType<SearchResults["toResult"]>;

/** The app as it is shipped, and what it finds. */
export async function openSearchApp() {
  const catalogue = createCatalogue({
    source: createBundledContent(join(import.meta.dirname, "../../server/content/bundled")),
    setting: { productName: "Dormouse", basePath: "/" },
    log: createQuietLog(),
    cardsPerPage: 100,
  });
  await catalogue.refresh();
  const itemOf = ({ kind, id }: { kind: ItemKind; id: number }) => {
    const item = catalogue.findItem(kind, id);
    if (!item) throw new Error(`no ${kind} ${id}`);
    return item;
  };
  return {
    catalogue,
    itemOf,
    find: (term: string, order: SearchOrder = "best") => catalogue.search({ term, order }),
    /** An excerpt is cut from one text of its item, is not too long, and has no empty piece. */
    expectCut({ id, kind, excerpt }: Shown): void {
      const { lead, text, transcriptHtml = "" } = itemOf({ kind, id });
      const said = listBlocks(transcriptHtml).map((block) => block.text);
      const quoted = textOf(excerpt).replace(/^…|…$/g, "");
      expect(
        [lead, text, said.join(" ")].some((whole) => whole.includes(quoted)),
        quoted,
      ).toBe(true);
      expect(Array.from(quoted).length).toBeLessThanOrEqual(350);
      for (const piece of excerpt) expect(piece.text).not.toBe("");
    },
  };
}

export const idsOf = (results: SearchResults, kind: ItemKind) => results.byKind[kind].map(({ id }) => id);
export const countOf = ({ byKind }: SearchResults) => itemKinds.reduce((sum, kind) => sum + byKind[kind].length, 0);
export const pageOf = ({ byKind, toResult }: SearchResults) =>
  itemKinds.flatMap((kind) => byKind[kind]).map((hit) => ({ hit, result: toResult(hit) }));

export function textOf(excerpt: Shown["excerpt"]): string {
  return excerpt.map(({ text }) => text).join("");
}

/** The six topics that the landing shows as tiles. */
export const tiles = ["can't sleep", "waking in the night", "temperature", "snoring", "menopause", "shift work"];
