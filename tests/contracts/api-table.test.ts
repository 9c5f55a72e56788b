import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

import { examples, writeReference } from "../../server/provider/api-reference.ts";
import { type CallName, calls } from "../../server/provider/wire.ts";
import { readDocument, readTable } from "../helpers/docs.ts";

/** The table in docs/api.md: which test proves each call served, and which one consumed. */
type Row = { call: string; served: string; consumed: string };

const root = resolve(import.meta.dirname, "../..");
const NOT_YET = "not yet";

function readCalls(): Row[] {
  return readTable(readDocument("docs/api.md"), "call").map(([call = "", served = "", consumed = ""]) => ({
    call: call.replaceAll("`", ""),
    served,
    consumed,
  }));
}

/** `file: name of the test`, as it is written in the file. */
function isThere(cell: string): boolean {
  const [, file = "", name = ""] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  return name !== "" && existsSync(join(root, file)) && readFileSync(join(root, file), "utf8").includes(`"${name}"`);
}

/** The formatter widens the columns of tables. */
function withoutWidths(text = ""): string {
  return text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---").trim();
}

test("the table has every call, once", () => {
  const wanted = Object.values(calls).map(({ method, path }) => `${method} /api/${path}`);
  expect(
    readCalls()
      .map(({ call }) => call)
      .toSorted(),
  ).toEqual(wanted.toSorted());
});

test("every test that the table names is there", () => {
  for (const { call, served, consumed } of readCalls()) {
    expect(isThere(served), `${call} is served: ${served}`).toBe(true);
    expect(consumed === NOT_YET || isThere(consumed), `${call} is consumed: ${consumed}`).toBe(true);
  }
});

test("the fields and examples in the document are those of the schemas", () => {
  const [, written] = readDocument("docs/api.md").split("<!-- reference -->");
  expect(withoutWidths(written), "run `npm run docs`").toBe(withoutWidths(writeReference()));
});

test("every example is an input that its call takes", () => {
  for (const [name, example] of Object.entries(examples) as [CallName, object][]) {
    expect(calls[name].in.safeParse(example).error, name).toBeUndefined();
  }
});
