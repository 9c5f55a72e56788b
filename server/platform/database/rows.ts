import { CamelCasePlugin, type KyselyConfig, type UnknownRow } from "kysely";

import { SECOND_IN_MS } from "../clock.ts";
import type { NoteQuery } from "./database.ts";

/** The columns of instants, by how they are named: `createdAt`, `pendingUntil`, `liveSince`, and `at` of the audit log. */
const INSTANT = /(?:^at|At|Until|Since)$/;

type Column = { name: string; isInstant: boolean };

/** The one mapping of rows: `created_at` and ISO text in the database, `createdAt` and a `Date` in code. */
class RowPlugin extends CamelCasePlugin {
  readonly #columns = new Map<string, Column>();

  override mapRow(row: UnknownRow): UnknownRow {
    const mapped: UnknownRow = {};
    for (const key of Object.keys(row)) {
      const { name, isInstant } = this.#findColumn(key);
      const value = row[key];
      mapped[name] = isInstant && typeof value === "string" ? new Date(value) : value;
    }
    return mapped;
  }

  #findColumn(key: string): Column {
    let column = this.#columns.get(key);
    if (!column) {
      const name = this.camelCase(key);
      column = { name, isInstant: INSTANT.test(name) };
      this.#columns.set(key, column);
    }
    return column;
  }
}

export const rowPlugin = new RowPlugin();

/** Instants become ISO text. NUL is removed: PostgreSQL refuses it in texts, and no keyboard types it. */
export function toParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map((each) => {
    if (each instanceof Date) return each.toISOString();
    return typeof each === "string" && each.includes("\0") ? each.replaceAll("\0", "") : each;
  });
}

export function toQueryLog(note: NoteQuery | undefined): Pick<KyselyConfig, "log"> {
  if (!note) return {};
  return {
    log: ({ level, query, queryDurationMillis }) =>
      note({ sql: query.sql, seconds: queryDurationMillis / SECOND_IN_MS, isWell: level === "query" }),
  };
}
