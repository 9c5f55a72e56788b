import { sql } from "kysely";

import type { Engine, Queries } from "./database.ts";
import { runMigrations } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

export type Table = {
  name: string;
  /** In alphabetical order, which is the same on both engines. */
  columns: string[];
  /** The columns of the primary key, in their order. */
  key: string[];
  isNumbered: boolean;
  pointsTo: string[];
};

type Fact = { name: string; column: string; keyPlace: number };

/**
 * Our tables, each after those that it points to, without the list of migrations. We read them from a new database
 * after the migrations (`only`: after those), so a new table is never forgotten and another product's tables in the
 * same PostgreSQL are left alone.
 */
export async function describeOwnTables({ db, engine, only }: Whose): Promise<Table[]> {
  const model = await openSqlite(":memory:");
  try {
    await model.db.transaction().execute((trx) => runMigrations({ engine: "sqlite", only }, trx));
    const own = new Set((await describeTables(model.db, "sqlite")).map(({ name }) => name));
    return await describeTables(db, engine, (name) => own.has(name));
  } finally {
    await model.close();
  }
}

type Whose = { db: Queries; engine: Engine; only?: string[] | undefined };

/** In the first schema of PostgreSQL's search path. @throws when tables form a circle or lack a primary key. */
async function describeTables(db: Queries, engine: Engine, isWanted = (_name: string) => true): Promise<Table[]> {
  const queries = engine === "sqlite" ? sqliteFacts : postgresFacts;
  const { rows: facts } = await queries.columns.execute(db);
  const { rows: pointers } = await queries.pointers.execute(db);
  const { rows: numbered } = await queries.numbered.execute(db);
  const names = [...new Set(facts.map(({ name }) => name))].filter((name) => name !== "migrations" && isWanted(name));
  const tables = names.map((name): Table => {
    const own = facts.filter((fact) => fact.name === name);
    const key = own.filter(({ keyPlace: place }) => place > 0).toSorted((a, b) => a.keyPlace - b.keyPlace);
    if (key.length === 0) throw new Error(`The table ${name} has no primary key`);
    return {
      name,
      columns: own.map(({ column }) => column).toSorted(compareText),
      key: key.map(({ column }) => column),
      isNumbered: numbered.some((each) => each.name === name),
      pointsTo: pointers
        .filter((each) => each.name === name && each.target !== name && names.includes(each.target))
        .map(({ target }) => target),
    };
  });
  return inOrder(tables.toSorted((a, b) => compareText(a.name, b.name)));
}

/** The same order in every locale of the machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function inOrder(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const isThere = (name: string) => ordered.some((each) => each.name === name);
    const next = tables.find(({ name, pointsTo }) => !isThere(name) && pointsTo.every(isThere));
    if (!next) throw new Error("Tables point to one another in a circle");
    ordered.push(next);
  }
  return ordered;
}

const sqliteFacts = {
  columns: sql<Fact>`
    select m.name, c.name as column, c.pk as key_place
    from sqlite_schema m join pragma_table_list l on l.name = m.name join pragma_table_info(m.name) c
    where l.type = 'table' and l.schema = 'main' and m.name not like 'sqlite\\_%' escape '\\'`,
  pointers: sql<{ name: string; target: string }>`
    select m.name, f."table" as target from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`,
  numbered: sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and upper(sql) like '%AUTOINCREMENT%'`,
};

const postgresFacts = {
  columns: sql<Fact>`
    select t.relname as name, a.attname as column,
      coalesce(array_position(x.indkey::smallint[], a.attnum), -1) + 1 as key_place
    from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_index x on x.indrelid = t.oid and x.indisprimary
    where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`,
  pointers: sql<{ name: string; target: string }>`
    select f.relname as name, t.relname as target
    from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`,
  numbered: sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`,
};
