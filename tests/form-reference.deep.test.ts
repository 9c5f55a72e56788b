import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { actNames, acts } from "../server/operations/acts/acts.ts";
import { MARK, writeFormReference } from "../tools/write-form-reference.ts";
import { testCards } from "../server/adapters/demo/card-gateway.ts";
import { DEMO_PASSWORD, demoCodes, demoMembers } from "../server/cli/demo-data.ts";
import { readDocument } from "./helpers/docs.ts";

/** Compares the table of forms in docs/automated-tests.md with the running product. */

const written = readDocument("docs/automated-tests.md").split(MARK)[1] ?? "";

/** Formatting breaks no line, and aligns the columns of tables. */
function toPlain(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^[|\s:-]+$/.test(line));
  return lines.map((line) =>
    line
      .replaceAll(/\s+/g, " ")
      .replaceAll(/(?<!\w)[*_]|[*_](?!\w)|\\/g, "")
      .trim(),
  );
}

// Walks through two demos, on a machine that may be slow.
test(
  "docs/automated-tests.md has every form as the running product has it: npm run docs",
  { timeout: 300_000 },
  async () => {
    expect(toPlain(written)).toEqual(toPlain(await writeFormReference()));
  },
);

test("docs/automated-tests.md names every intent of the pages, and every act of the desk", () => {
  const sources = globSync("app/**/*.tsx").map((path) => readFileSync(path, "utf8"));
  const patterns = [/<(?:IntentForm|SwitchForm)[^>]*? intent="([\w-]+)"/g, /name="intent" value="([\w-]+)"/g];
  const intents = new Set(
    sources.flatMap((text) => patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name))),
  );
  expect(intents.size).toBeGreaterThan(30);
  // Forms about passkeys need a device that made one: a walk without script meets none.
  const walked = [...intents].filter((name) => !name.startsWith("passkey-"));
  const wanted = [...walked, ...actNames.filter((name) => acts[name].desk)];
  expect(wanted.filter((name) => !written.includes(`\`${name}\``))).toEqual([]);
});

test("docs/automated-tests.md names everybody who can log in to a demo, its codes and its cards", () => {
  const names = [DEMO_PASSWORD, ...demoMembers.map(({ email }) => email), ...demoCodes.map(({ code }) => code)];
  const wanted = names.concat(testCards.map(({ number }) => number));
  const page = readDocument("docs/automated-tests.md");
  expect(wanted.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
