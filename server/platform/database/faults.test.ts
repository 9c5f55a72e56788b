import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";

import { findUnavailability, isWriteFault, levelOfFault, markAway } from "./faults.ts";

function catchFault(work: (file: DatabaseSync) => void): unknown {
  using file = new DatabaseSync(":memory:");
  try {
    work(file);
  } catch (error) {
    return error;
  }
  return undefined;
}

test("only a full or read-only database counts as refusing writes", () => {
  const full = catchFault((file) => {
    file.exec("pragma max_page_count = 2; create table one (text); create table two (text)");
  });
  const readOnly = catchFault((file) =>
    file.exec("create table one (text); pragma query_only = on; insert into one values (1)"),
  );
  expect([full, readOnly].map(isWriteFault)).toEqual([true, true]);
  expect(isWriteFault({ code: "53100", message: "could not extend file" })).toBe(true);

  const mistake = catchFault((file) => file.exec("select * from nothing"));
  for (const other of [mistake, { code: "23505" }, new Error("SQLITE_FULL"), "full", undefined, null])
    expect(isWriteFault(other)).toBe(false);
});

test("what passes by itself is told from a fault: away, busy, or no writing for now", () => {
  const sqlite = (errcode: number) => ({ code: "ERR_SQLITE_ERROR", errcode });
  const kinds: [unknown, string | undefined][] = [
    [markAway(new Error("ECONNREFUSED")), "away"],
    [{ code: "ERR_SQLITE_FILE" }, "away"],
    [sqlite(14), "away"],
    [sqlite(5), "busy"],
    [sqlite(261), "busy"],
    [sqlite(6), "busy"],
    [sqlite(522), "cannot-write"],
    [{ code: "57014" }, "busy"],
    [{ code: "55P03" }, "busy"],
    [{ code: "25P03" }, "busy"],
    [{ code: "53300" }, "busy"],
    [{ code: "53100" }, "cannot-write"],
    [sqlite(1), undefined],
    [sqlite(2067), undefined],
    [{ code: "42P01" }, undefined],
    [new Error("a mistake"), undefined],
  ];
  for (const [error, kind] of kinds) expect(findUnavailability(error), JSON.stringify(error)).toBe(kind);
});

test("an outage of the database is a warning wherever it is met, and a full disk an error", () => {
  expect(levelOfFault(markAway(new Error("terminating connection")))).toBe("warn");
  expect(levelOfFault({ code: "57014" })).toBe("warn");
  expect(levelOfFault({ code: "53100" })).toBe("error");
  expect(levelOfFault(new Error("a mistake"))).toBe("error");
});
