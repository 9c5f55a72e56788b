import type { Compilable, CompiledQuery } from "kysely";

import type { Queries } from "./database.ts";

type Value = string | number | Date;

/** A placeholder for a value until the query runs; `at`: its place in a list. */
class Placeholder {
  readonly name: string;
  readonly at: number | undefined;
  constructor(name: string, at?: number) {
    this.name = name;
    this.at = at;
  }
}

/**
 * Compiles a query once for each database and each length of a list among its values; later runs bind other values. For
 * queries of every page: building and compiling one takes longer than SQLite takes to answer it. `build` sees
 * placeholders, so it may only bind its values.
 */
export function prepareQuery<Values extends Record<string, Value | Value[]>, Row>(
  build: (db: Queries, values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  // A database and its transactions have one adapter.
  const compiled = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    let known = compiled.get(adapter);
    if (!known) compiled.set(adapter, (known = new Map()));
    const lengths = Object.values(values)
      .map((value) => (Array.isArray(value) ? value.length : ""))
      .join();
    let query = known.get(lengths);
    if (!query) known.set(lengths, (query = build(db, toPlaceholders(values)).compile()));
    const parameters = query.parameters.map((each) => (each instanceof Placeholder ? fill(each, values) : each));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

function toPlaceholders<Values extends Record<string, Value | Value[]>>(values: Values): Values {
  const names = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_, at) => new Placeholder(name, at)) : new Placeholder(name),
  ]);
  return Object.fromEntries(names) as Values;
}

function fill({ name, at }: Placeholder, values: Record<string, Value | Value[]>): Value | undefined {
  const value = values[name];
  return Array.isArray(value) ? value[at ?? 0] : value;
}
