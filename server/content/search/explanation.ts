import type { ItemKind } from "../items/kinds.ts";
import { type Field, findFields, type SearchIndex } from "./search-index.ts";
import type { Query } from "./query.ts";
import { NOT_FOUND, type Ranking, type Tier, tiers } from "./ranking.ts";

/** Why a search returns its results, for an operator who gives an item more words. */
export type Explanation = {
  parts: { said: string; alsoCalled: string[]; isKnown: boolean }[];
  results: ExplainedResult[];
};

/** `has`: for each part of the term, where the item has it; empty: nowhere. */
export type ExplainedResult = { kind: ItemKind; id: number; title: string; tier: Tier; score: number; has: Field[][] };

export function explainQuery(
  index: SearchIndex,
  { query, ranking, places }: { query: Query; ranking: Ranking; places: number[] },
): Explanation {
  const { lexicon, items } = index;
  const whereIs = (place: number, stems: number[]) => findFields(index, place, stems);
  return {
    parts: query.parts.map(({ words, synonyms, wordings }) => ({
      said: words.map((word) => lexicon.toWritten(word)).join(" "),
      alsoCalled: synonyms.map((phrase) => lexicon.sayings.toWritten(phrase)),
      isKnown: items.some((_, place) =>
        wordings.some((wording) => wording.words.every((stems) => whereIs(place, stems).length > 0)),
      ),
    })),
    results: places.flatMap((place) => {
      const item = items[place];
      const tier = tiers[ranking.ranks[place] ?? NOT_FOUND];
      if (!item || !tier) return [];
      const has = query.parts.map(({ wordings }) => [
        ...new Set(
          wordings.flatMap(({ words }) => {
            const each = words.map((stems) => whereIs(place, stems));
            return each.every((found) => found.length > 0) ? each.flat() : [];
          }),
        ),
      ]);
      const { kind, id, title } = item;
      return [{ kind, id, title, tier, score: ranking.scores[place] ?? 0, has }];
    }),
  };
}
