import { sql } from "kysely";

import { MAX_ID, type Queries } from "../../platform/database/database.ts";
import { type MemberRecord, toRecord } from "./members.ts";
import { showDomains } from "../../platform/email-address.ts";
import { cleanName } from "./profile-fields.ts";

/** The index holds trigrams, so it cannot look up a shorter term. */
const SHORTEST_SEARCH = 3;

/** `search`: part of a name or an address; all members without it. `before`: only lower numbers. */
export type MemberSearch = { search?: string | undefined; before?: number | undefined; size: number };

/**
 * At most `size` members, the newest first, closed accounts included. An index makes the time nearly independent of the
 * number of members; it finds nothing for a shorter `search`.
 */
export async function searchMembers(db: Queries, { search, before, size }: MemberSearch): Promise<MemberRecord[]> {
  const last = before ?? MAX_ID;
  if (search === undefined) {
    const all = db.selectFrom("members").selectAll().where("id", "<", last).orderBy("id", "desc").limit(size);
    return (await all.execute()).map(toRecord);
  }
  const found = await Promise.all(toTerms(search).map((term) => findByTerm(db, term, { last, size })));
  const records = new Map(found.flat().map((record) => [record.id, record]));
  return [...records.values()].toSorted((a, b) => b.id - a.id).slice(0, size);
}

type Wanted = { term: string; last: number; size: number };

/**
 * Later pages scan the next members before they use the index. SQLite's cannot begin in the middle of many matches, so
 * far back it would read all earlier ones: seconds for a part of everyone's address.
 */
async function findByTerm(db: Queries, term: string, { last, size }: Omit<Wanted, "term">): Promise<MemberRecord[]> {
  if (longestRun(term) < SHORTEST_SEARCH) return [];
  const found: MemberRecord[] = [];
  let below = last;
  for (let spans = last === MAX_ID ? 0 : SPANS; spans > 0; spans -= 1) {
    const span = db.selectFrom("members").select("id").where("id", "<", below).orderBy("id", "desc").limit(SPAN);
    const ids = (await span.execute()).map(({ id }) => id);
    const end = ids.at(-1);
    if (end === undefined) return found;
    const rows = matching(db, term).where("members.id", "<", below).where("members.id", ">=", end);
    found.push(
      ...(
        await rows
          .orderBy("members.id", "desc")
          .limit(size - found.length)
          .execute()
      ).map(toRecord),
    );
    if (found.length === size || ids.length < SPAN) return found;
    below = end;
  }
  const rows = matching(db, term)
    .where("memberSearch.words", "like", toPattern(rarePart(term)))
    .where("memberSearch.rowid", "<", below)
    .orderBy("memberSearch.rowid", "desc")
    .limit(size - found.length);
  return [...found, ...(await rows.execute()).map(toRecord)];
}

/** Together a fraction of a second, and enough for a page of what one member in a hundred has. */
const SPANS = 4;
const SPAN = 1500;

/** Matches the term itself: in a pattern, `_` would match any character. */
function matching(db: Queries, term: string) {
  return db
    .selectFrom("members")
    .innerJoin("memberSearch", "memberSearch.rowid", "members.id")
    .selectAll("members")
    .where(sql<boolean>`replace(member_search.words, ${term}, '') <> member_search.words`);
}

/** The part before the @: many members share the host, and the index would read all of them. */
function rarePart(term: string): string {
  const [before = ""] = /^[^@]*@/.exec(term) ?? [];
  return longestRun(before) < SHORTEST_SEARCH ? term : before;
}

/** The longest part of a pattern without wildcards. */
function longestRun(term: string): number {
  return Math.max(...term.split(/[%_\\]/).map((part) => Array.from(part).length));
}

/**
 * The spellings to search for. An engine may fold only ASCII, so other terms are tried as typed, in lower case and
 * capitalised, and in the Unicode form of some names stored before 2026-12. Phones type curved apostrophes, keyboards
 * straight ones.
 */
function toTerms(search: string): string[] {
  const typed = showDomains(cleanName(search));
  const spellings = [typed.replaceAll(apostrophes, "'"), typed.replaceAll(apostrophes, "’")].flatMap((each) => {
    const small = each.toLowerCase();
    if (/^[\x20-\x7e’]*$/.test(each)) return [small];
    const capitalised = small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
    return [each, small, capitalised].flatMap((term) => [term, term.normalize("NFD")]);
  });
  return [...new Set(spellings)];
}

const apostrophes = /['’]/g;

/** SQLite's index has no `escape`, so wildcards become `_`, which matches any character. */
function toPattern(term: string): string {
  return `%${term.replaceAll(/[%_\\]/g, "_")}%`;
}
