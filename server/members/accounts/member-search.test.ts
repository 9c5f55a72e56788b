import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";

import { openApp } from "../../../tests/helpers/app.ts";
import { engines, onPostgres } from "../../../tests/helpers/databases.ts";
import { addMemberSearch } from "../../platform/database/migrations/0001-first-schema/member-search.ts";
import { searchMembers } from "./member-search.ts";

const person = { password: "moss-lantern-42", accountType: "individual" } as const;

async function openPeople(engine: (typeof engines)[number]) {
  const app = await openApp({ engine });
  const { accounts } = app.services;
  const add = async (firstName: string, lastName: string, email: string) =>
    (await accounts.register({ ...person, firstName, lastName, email }))?.id ?? 0;
  const find = async (search: string) => (await accounts.search({ search, size: 50 })).map(({ email }) => email);
  return { ...app, accounts, add, find };
}

describe.each(engines)("members are found on %s", (engine) => {
  test("by any part of address and name, in whatever case, the newest first", async () => {
    await using app = await openPeople(engine);
    await app.add("Ada", "Lovell", "ada.lovell@pillow.example");
    await app.add("Bo", "Marsh", "bo_marsh@example.org");
    await app.add("Zoë", "O'Neill", "zoe@pillow.example");
    expect(await app.find("ovel")).toEqual(["ada.lovell@pillow.example"]);
    expect(await app.find("PILLOW.EX")).toEqual(["zoe@pillow.example", "ada.lovell@pillow.example"]);
    expect(await app.find(" ada   lov ")).toEqual(["ada.lovell@pillow.example"]);
    expect(await app.find("Zoë")).toEqual(["zoe@pillow.example"]);
    expect(await app.find("o'neill")).toEqual(["zoe@pillow.example"]);
    expect(await app.find("o’neill")).toEqual(["zoe@pillow.example"]);
    expect(await app.find("zo\u00ade\u0308 o")).toEqual(["zoe@pillow.example"]);
    expect(await app.find("bo_mar")).toEqual(["bo_marsh@example.org"]);
    await app.add("Émile", "Łukasz-Ørsted", "emile@example.org");
    for (const search of ["Émile", "émile", "ÉMILE", "łukasz", "Łukasz-ørsted", "émile łukasz", "mile"]) {
      expect(await app.find(search), search).toContain("emile@example.org");
    }
    await app.add("Otto", "Penn", "otto@xn--mller-kva.example");
    for (const search of ["otto@müller", "MÜLLER.ex", "xn--mller-kva", "otto@XN--mller-kva.example"]) {
      expect(await app.find(search), search).toEqual(["otto@müller.example"]);
    }
    for (const search of ["", "ad", "bo%mar", "bo\\marsh", "a_a", "nobody", '"', "' or 1=1 --", "%%%"]) {
      expect(await app.find(search), search).toEqual([]);
    }
  });

  test("by what they are called now, also after a closing, and no more once they are erased", async () => {
    await using app = await openPeople(engine);
    const id = await app.add("Ada", "Lovell", "ada@example.org");
    const columns = {
      email: "x@closed.invalid",
      emailKey: "closed-1@closed.invalid",
      closedEmail: "Ada@example.org",
    };
    await app.db
      .updateTable("members")
      .set({ ...columns, lastName: "Marlow" })
      .where("id", "=", id)
      .execute();
    expect(await app.find("lovell")).toEqual([]);
    expect(await app.find("marlow")).toEqual(["x@closed.invalid"]);
    expect(await app.find("ada@example")).toEqual(["x@closed.invalid"]);
    await app.db.transaction().execute((trx) => app.accounts.erase(id, trx));
    expect(await app.find("marlow")).toEqual([]);
  });

  test("far back among thousands, by a part that all have without the index, and by a rare part with it", async () => {
    await using app = await openPeople(engine);
    const count = 7000;
    await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
      insert into members (email, email_key, password_hash, first_name, last_name, account_type, created_at)
      select n || '@example.org', n || '@example.org', '-', 'Ada',
        case when n in (3, 6000) then 'Nightjar' else 'Lovell' end, 'individual', '2026-11-20' from numbers`.execute(
      app.db,
    );
    const spied = vi.spyOn(app.db.getExecutor(), "executeQuery");
    const page = async (search: string, before: number) => {
      spied.mockClear();
      const ids = (await app.accounts.search({ search, before, size: 5 })).map(({ id }) => id);
      return { ids, usesIndex: spied.mock.calls.some(([{ sql: text }]) => text.includes(" like ")) };
    };
    expect(await page("example.org", 400)).toEqual({ ids: [399, 398, 397, 396, 395], usesIndex: false });
    expect(await page("nightjar", 6999)).toEqual({ ids: [6000, 3], usesIndex: true });
    expect(await page("nightjar", 6000)).toEqual({ ids: [3], usesIndex: false });
    expect(await page("4321@example.org", 6999)).toEqual({ ids: [4321], usesIndex: true });
  });

  test("page by page, with a search and without", async () => {
    await using app = await openPeople(engine);
    for (let count = 1; count <= 7; count += 1) await app.add("Ada", `Number${count}`, `ada${count}@example.org`);
    for (const search of [undefined, "number"]) {
      const first = await app.accounts.search({ search, size: 3 });
      expect(first.map(({ lastName }) => lastName)).toEqual(["Number7", "Number6", "Number5"]);
      const next = await app.accounts.search({ search, size: 3, before: first.at(-1)?.id });
      expect(next.map(({ lastName }) => lastName)).toEqual(["Number4", "Number3", "Number2"]);
    }
  });
});

test("an erased member's letters are of no member in the index", async () => {
  await using app = await openPeople("sqlite");
  await app.add("Ada", "Lovell", "ada@example.org");
  const id = await app.add("Xqvz", "Kwjy", "xqvz@kwjy.example");
  await app.db.transaction().execute((trx) => app.accounts.erase(id, trx));
  await sql`create virtual table temp.letters using fts5vocab('main', 'member_search', 'row')`.execute(app.db);
  const { rows } = await sql<{ term: string }>`select term from temp.letters`.execute(app.db);
  const terms = rows.map(({ term }) => term);
  expect(terms).toContain("ove");
  for (const letters of ["xqv", "qvz", "kwj", "wjy"]) expect(terms).not.toContain(letters);
});

test("a search reads the index and the members that it shows, and no other", async () => {
  await using app = await openPeople("sqlite");
  const plan = await sql<{ detail: string }>`
    explain query plan select members.* from member_search inner join members on members.id = member_search.rowid
    where member_search.words like '%lovell%' and member_search.rowid < 9 order by member_search.rowid desc limit 50`.execute(
    app.db,
  );
  expect(plan.rows.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SCAN member_search VIRTUAL TABLE INDEX \d+:L0<$/),
    expect.stringMatching(/^SEARCH members USING INTEGER PRIMARY KEY/),
  ]);
});

test.each(onPostgres)("on PostgreSQL without the right to an extension the same search reads all members", async () => {
  await using app = await openPeople("postgres");
  await app.add("Ada", "Lovell", "ada@example.org");
  const undone = new Error("Roles are of all databases of the server");
  const work = app.db.transaction().execute(async (trx) => {
    for (const statement of [
      "drop view member_search",
      "drop extension pg_trgm cascade",
      "create role member_search_test",
      "grant create, usage on schema public to member_search_test",
      "alter table members owner to member_search_test",
      "set local role member_search_test",
    ]) {
      await sql.raw(statement).execute(trx);
    }
    await addMemberSearch(trx, "postgres");
    const index = await sql`select from pg_indexes where indexname = 'members_by_words'`.execute(trx);
    expect(index.rows).toEqual([]);
    expect(await searchMembers(trx, { search: "OVEL", size: 9 })).toMatchObject([{ firstName: "Ada" }]);
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
});

test.each(onPostgres)("on PostgreSQL the index is one of trigrams", async () => {
  await using app = await openPeople("postgres");
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where indexname = 'members_by_words'`.execute(app.db);
  expect(rows[0]?.indexdef).toContain("gin_trgm_ops");
});
