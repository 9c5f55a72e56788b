import { sql } from "kysely";

import type { Accounts } from "../../members/accounts/accounts.ts";
import { after, DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { countChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import { toDay } from "../../platform/format.ts";
import { toTextKey } from "../../platform/text.ts";
import { giveWay } from "../../platform/turns.ts";
import type { Tally } from "./tally.ts";

/**
 * Searches without a result, so that the content can be completed. The searcher is stored only as a hash of member,
 * month and term: it leads to no person, and links no two searches of one.
 */
export type EmptySearches = ReturnType<typeof createEmptySearches>;

/** `atLeast` is a multiple of five. */
export type FrequentTerm = { term: string; atLeast: number };

export type OwnTerm = { month: string; term: string };

/** A rarer term could reveal its searcher. */
const FEWEST_SEARCHERS = 5;
const STORED_FOR_IN_MS = 90 * DAY_IN_MS;
const MOST_NOTED = 1000;
/** No member can fill the table. */
const MOST_OF_A_MEMBER_A_DAY = 50;
const MOST_LISTED = 200;
const MAX_LENGTH = 64;

type SearchesContext = Pick<Context, "db" | "clock" | "keyedHash"> & {
  accounts: Pick<Accounts, "hold">;
  tally: Pick<Tally, "add">;
};

type Note = OwnTerm & { memberId: number };

export function createEmptySearches(ctx: SearchesContext) {
  const { db, clock } = ctx;
  const hash = ctx.keyedHash("empty searches");
  const toSearcher: ToSearcher = ({ memberId, month, term }) => hash(`${memberId} ${month} ${term}`);
  const noted = new Notes();
  return {
    /** In memory; only of a first page without results. */
    note(
      memberId: number,
      { term, page, counts }: { term: string; page: number; counts: Record<string, number> },
    ): void {
      if (page !== 1 || Object.values(counts).some((count) => count > 0)) return;
      ctx.tally.add("searches");
      const stored = toStoredTerm(term);
      if (stored === undefined) return;
      const day = toDay(clock());
      noted.add({ memberId, month: day.slice(0, 7), term: stored }, day);
    },

    /** Writes the noted terms, each once for a member and a month; returns how many rows were new. */
    async write(): Promise<number> {
      let count = 0;
      for (const [memberId, notes] of noted.takeAll()) {
        try {
          count += await writeNotes(ctx, memberId, notes.map(toRow));
        } catch (error) {
          for (const note of notes) noted.putBack(note);
          throw error;
        }
      }
      return count;
    },

    /** Terms that at least five members searched for in one of the last months; the most frequent first. */
    listFrequent: () => listFrequent(db, oldestMonth(clock())),

    /** Deletes months that began ninety or more days ago; returns how many rows. */
    purge: () => countChanged(db.deleteFrom("emptySearches").where("month", "<=", oldestMonth(clock()))),

    /** A member's own, the oldest month first. */
    listFor: async (memberId: number): Promise<OwnTerm[]> =>
      (await listOwn(db, memberId, toSearcher)).map(({ month, term }) => ({ month, term })),

    /** Call it when the account is locked or gone, so that none is written meanwhile. */
    async erase(memberId: number, trx: Queries): Promise<void> {
      noted.forget(memberId);
      for (const row of await listOwn(trx, memberId, toSearcher)) {
        const own = trx.deleteFrom("emptySearches").where("month", "=", row.month).where("term", "=", row.term);
        await own.where("searcher", "=", row.searcher).execute();
      }
    },
  };

  function toRow({ memberId, month, term }: Note) {
    return { month, term, searcher: toSearcher({ memberId, month, term }) };
  }
}

type ToSearcher = (note: Note) => string;

class Notes {
  #notes = new Map<string, Note>();
  #day = "";
  readonly #countsOfDay = new Map<number, number>();

  add(note: Note, day: string): void {
    if (day !== this.#day) {
      this.#day = day;
      this.#countsOfDay.clear();
    }
    const count = this.#countsOfDay.get(note.memberId) ?? 0;
    if (this.#notes.has(toKey(note)) || count >= MOST_OF_A_MEMBER_A_DAY) return;
    if (this.putBack(note)) this.#countsOfDay.set(note.memberId, count + 1);
  }

  /** False: there is no space. */
  putBack(note: Note): boolean {
    if (this.#notes.size >= MOST_NOTED) return false;
    this.#notes.set(toKey(note), note);
    return true;
  }

  /** One member after the other; the rest stays. */
  *takeAll(): Generator<[memberId: number, notes: Note[]]> {
    for (const [memberId, notes] of Map.groupBy([...this.#notes.values()], (note) => note.memberId)) {
      this.forget(memberId);
      yield [memberId, notes];
    }
  }

  forget(memberId: number): void {
    for (const [key, note] of this.#notes) if (note.memberId === memberId) this.#notes.delete(key);
  }
}

const toKey = ({ memberId, month, term }: Note) => `${memberId} ${month} ${term}`;

/**
 * Lower-case, single spaces, 64 characters. `undefined` for personal data: an address, or four and more digits, however
 * they are spaced.
 */
export function toStoredTerm(typed: string): string | undefined {
  const text = toTextKey(typed);
  if (text.includes("@") || /\p{Nd}{4}/u.test(text.replaceAll(/(?<=\p{Nd})[\s().+/-]+(?=\p{Nd})/gu, "")))
    return undefined;
  return Array.from(text).slice(0, MAX_LENGTH).join("").trimEnd() || undefined;
}

/** Locks the account, so that nothing is written of a member who is being erased. */
async function writeNotes(
  { db, accounts }: SearchesContext,
  memberId: number,
  rows: (OwnTerm & { searcher: string })[],
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await accounts.hold(memberId, trx))) return 0;
    const added = await trx
      .insertInto("emptySearches")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning("term")
      .execute();
    return added.length;
  });
}

/** The last month to delete: stored ones began within ninety days. */
function oldestMonth(now: Date): string {
  return toDay(after(now, -STORED_FOR_IN_MS)).slice(0, 7);
}

/** A member has another hash each month, so the month with most searchers counts: a sum would count a member twice. */
async function listFrequent(db: Queries, oldest: string): Promise<FrequentTerm[]> {
  const rows = await db
    .selectFrom("emptySearches")
    .select(({ fn }) => ["term", fn.countAll<number>().as("searchers")])
    .where("month", ">", oldest)
    .groupBy(["month", "term"])
    .having(({ fn }) => fn.countAll(), ">=", FEWEST_SEARCHERS)
    .execute();
  const most = new Map<string, number>();
  for (const { term, searchers } of rows) most.set(term, Math.max(searchers, most.get(term) ?? 0));
  return [...most]
    .map(([term, searchers]) => ({ term, atLeast: searchers - (searchers % FEWEST_SEARCHERS) }))
    .toSorted((a, b) => b.atLeast - a.atLeast || a.term.localeCompare(b.term, "en"))
    .slice(0, MOST_LISTED);
}

const ROWS_AT_ONCE = 1000;

/** Only the hash identifies a member's rows, so every row is compared. */
async function listOwn(db: Queries, memberId: number, toSearcher: ToSearcher) {
  const own: (OwnTerm & { searcher: string })[] = [];
  let last: (OwnTerm & { searcher: string }) | undefined;
  let hash = "";
  for (;;) {
    const all = db.selectFrom("emptySearches").selectAll().orderBy("month").orderBy("term").orderBy("searcher");
    const isBeyond = sql<boolean>`(month, term, searcher) > (${last?.month}, ${last?.term}, ${last?.searcher})`;
    const rows = await (last ? all.where(isBeyond) : all).limit(ROWS_AT_ONCE).execute();
    for (const row of rows) {
      if (row.month !== last?.month || row.term !== last.term) hash = toSearcher({ memberId, ...row });
      if (row.searcher === hash) own.push(row);
      last = row;
    }
    if (rows.length < ROWS_AT_ONCE) return own;
    await giveWay();
  }
}
