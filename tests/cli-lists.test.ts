import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

import { lists as table } from "../server/refusals.ts";
import { listNames } from "../server/operations/lists/list-table.ts";
import { openOffice } from "./helpers/office.ts";

test("lists by state are named, shown in pages, and written to a file that only its owner reads", async () => {
  await using office = await openOffice();
  const { run, ask, services, dataDir } = office;
  const named = await run("list", "names");
  for (const name of listNames) expect(named.stdout).toContain(name);
  const shown = await run("list", "show", "active", "--limit", "1");
  expect(shown.stdout).toMatch(/^NAME +EMAIL +TYPE +COMPANY +ENDS +SINCE +NUMBER\n/);
  const [, place = ""] = /There is more: --after (\S+)/.exec(shown.stdout) ?? [];
  type Rows = { rows: { email: string; ends: string; company: string | null }[]; next: string | null };
  const [first, rest] = [
    await ask<Rows>("list", "show", "active", "--limit", "1"),
    await ask<Rows>("list", "show", "active", "--after", place),
  ];
  expect(first.next).toBe(place);
  expect([...first.rows, ...rest.rows].map(({ email }) => email).toSorted()).toEqual([
    "member@dormouse.example",
    "team@dormouse.example",
  ]);
  expect(rest.next).toBeNull();

  const file = join(dataDir, "active.csv");
  expect(await run("list", "csv", "active", "--out", file)).toMatchObject({
    code: 0,
    stdout: `“Has access” is in ${file}.\n`,
  });
  expect(await readFile(file, "utf8")).toMatch(/^\uFEFFName,Email,Type,Company,Ends,Since,Number\r\n(?:.+\r\n){2}$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await services.audit.list(1)).toMatchObject([{ action: "list csv", facts: { list: "Has access" } }]);
  expect((await run("list", "csv", "active", "--out", file)).stderr).toContain("already exists. Name a new file.");
  expect((await run("list", "csv", "nonsense", "--out", `${file}2`)).stderr).toBe(`${table["no-list"]}\n`);
  expect(await run("list", "csv", "active", "--out", join(dataDir, "no", "folder.csv"))).toMatchObject({ code: 1 });
  expect((await run("list", "csv", "active")).code).toBe(2);
  expect((await run("list", "show", "nonsense")).stderr).toContain("`list names` shows them.");
  expect((await run("list", "show", "active", "--after", "x")).code).toBe(2);
});
