import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every file that docs/accessibility.md names as a proof is there", () => {
  const statement = readFileSync("docs/accessibility.md", "utf8");
  const files = [...statement.matchAll(/`(tests\/[\w./-]+\.ts)`/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
