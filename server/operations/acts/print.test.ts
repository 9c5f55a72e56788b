import { expect, test } from "vitest";

import { displayWidth, printFacts, printTable } from "./print.ts";

const columns = ["ID", "NAME", "CODE"];

test("columns stand below one another, whatever script a name is in", () => {
  const rows = [
    [1, "Ada", "A"],
    [22, "眠り 山", "B"],
    [3, "Zoe\u0308 🦔", undefined],
  ];
  const lines = printTable(columns, rows, { whenEmpty: "", width: undefined }).split("\n");
  expect(lines).toEqual(["ID  NAME     CODE", "1   Ada      A", "22  眠り 山  B", "3   Zoe\u0308 🦔   –"]);
  const ends = lines.map((line) =>
    displayWidth(line.slice(0, line.length - (line.trimEnd().split(/\s+/).at(-1)?.length ?? 0))),
  );
  expect(new Set(ends)).toEqual(new Set([13]));
});

test("an empty table says so", () => {
  expect(printTable(columns, [], { whenEmpty: "There are none." })).toBe("There are none.");
});

test("a row stays one line, and nothing that was typed steers a terminal", () => {
  const text = printTable(columns, [[1, "Ada\n\u001b[31mLovell\u202e", ""]], { whenEmpty: "" });
  expect(text.split("\n")).toHaveLength(2);
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u202e");
  expect(text).toContain("–");
});

test("where a row would be wider than the terminal, each is a block of lines", () => {
  const rows = [
    [1, "Ada", "DORMOUSE-7KQX-M4VD"],
    [2, "Bo", "PILLOW"],
  ];
  const wide = printTable(columns, rows, { whenEmpty: "", width: 28 });
  expect(wide.split("\n")).toHaveLength(3);
  expect(printTable(columns, rows, { whenEmpty: "", width: 27 })).toBe(
    "ID    1\nNAME  Ada\nCODE  DORMOUSE-7KQX-M4VD\n\nID    2\nNAME  Bo\nCODE  PILLOW",
  );
});

test("facts stand below one another", () => {
  expect(
    printFacts([
      ["Name", "Ada"],
      ["Seats taken", 0],
      ["Until", undefined],
    ]),
  ).toBe("Name         Ada\nSeats taken  0\nUntil        –");
});
