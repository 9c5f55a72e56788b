import type { Compilable, CompiledQuery } from "kysely";

import type { Queries } from "./database.ts";

/** Stands for a value until the query runs. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a query once for each database, and runs it with other values from then on. For the queries of every page: to build and compile
 * one anew takes longer than SQLite takes to answer it. `build` may only bind its values: it never sees one.
 */
export function prepareQuery<Values extends Record<string, string | number | Date>, Row>(
  build: (db: Queries, values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
  // A database and its transactions have one adapter.
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    const query = compiled.get(adapter) ?? build(db, placeholders).compile();
    compiled.set(adapter, query);
    const parameters = query.parameters.map((each) => (each instanceof Placeholder ? values[each.name] : each));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
