import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

import { isWriteFault } from "./rules.ts";

function faultOf(work: (file: DatabaseSync) => void): unknown {
  using file = new DatabaseSync(":memory:");
  try {
    work(file);
  } catch (error) {
    return error;
  }
  return undefined;
}

test("only a full or read-only database counts as refusing writes", () => {
  const full = faultOf((file) => {
    file.exec("pragma max_page_count = 2; create table one (text); create table two (text)");
  });
  const readOnly = faultOf((file) =>
    file.exec("create table one (text); pragma query_only = on; insert into one values (1)"),
  );
  expect([full, readOnly].map(isWriteFault)).toEqual([true, true]);
  expect(isWriteFault({ code: "53100", message: "could not extend file" })).toBe(true);

  const mistake = faultOf((file) => file.exec("select * from nothing"));
  for (const other of [mistake, { code: "23505" }, new Error("SQLITE_FULL"), "full", undefined, null])
    expect(isWriteFault(other)).toBe(false);
});
