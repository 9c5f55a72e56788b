import { sql } from "kysely";

import { MAX_ID, type Queries } from "../database/database.ts";
import { type MemberRecord, toRecord } from "./members.ts";
import { cleanName } from "./rules.ts";

/** The index holds trigrams, so a shorter term cannot be looked up. */
const SHORTEST_SEARCH = 3;

/** `search` is part of a name or an address; without it all members are listed. `before`: only members with a lower number. */
export type MemberSearch = { search?: string | undefined; before?: number | undefined; size: number };

/**
 * At most `size` members, the newest first: closed accounts too, with the address they had. An index finds them, so the time hardly
 * depends on how many members there are. A `search` that is too short for the index finds nothing.
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

async function findByTerm(
  db: Queries,
  term: string,
  { last, size }: { last: number; size: number },
): Promise<MemberRecord[]> {
  if (Array.from(term).length < SHORTEST_SEARCH) return [];
  const rows = await db
    .selectFrom("member_search")
    .innerJoin("members", "members.id", "member_search.rowid")
    .selectAll("members")
    .where("member_search.words", "like", toPattern(term))
    .where("member_search.rowid", "<", last)
    // `_` in the pattern matches any character; this condition wants the term itself.
    .where(sql<boolean>`replace(member_search.words, ${term}, '') <> member_search.words`)
    .orderBy("member_search.rowid", "desc")
    .limit(size)
    .execute();
  return rows.map(toRecord);
}

/**
 * The spellings to search for. An engine may fold the case of ASCII alone, so a term with other letters is searched for as typed, in lower
 * case, and capitalised as names are; and in the form of Unicode that some names were stored in until 2026-12. Phones type a curved
 * apostrophe, keyboards a straight one.
 */
function toTerms(search: string): string[] {
  const typed = cleanName(search);
  const spellings = [typed.replaceAll(apostrophes, "'"), typed.replaceAll(apostrophes, "’")].flatMap((each) => {
    const small = each.toLowerCase();
    if (/^[\x20-\x7e’]*$/.test(each)) return [small];
    const capitalised = small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
    return [each, small, capitalised].flatMap((term) => [term, term.normalize("NFD")]);
  });
  return [...new Set(spellings)];
}

const apostrophes = /['’]/g;

/** SQLite's index supports no `escape`, so each wildcard of `like` becomes `_`, which matches any character. */
function toPattern(term: string): string {
  return `%${term.replaceAll(/[%_\\]/g, "_")}%`;
}
