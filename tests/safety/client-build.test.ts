import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const CLIENT = "build/client";

const built = readdirSync(CLIENT, { recursive: true, encoding: "utf8", withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(CLIENT, join(entry.parentPath, entry.name)));

test("the browser gets no code of the product and no secret word of it", () => {
  const bundle = built.filter((path) => path.endsWith(".js"));
  expect(bundle.length).toBeGreaterThan(5);
  for (const path of bundle) {
    const text = readFileSync(join(CLIENT, path), "utf8");
    for (const word of [
      '"node:',
      "selectFrom",
      "argon2",
      "kysely",
      "passwordHash",
      "sanitize",
      "SESSION_SECRET",
      "process.env",
    ]) {
      expect(text.includes(word), `${path} holds ${word}`).toBe(false);
    }
  }
});

test("there are no source maps and no files of ours among what is served", () => {
  expect(built.filter((path) => /\.(?:map|tsx?|md|json|env)$/.test(path))).toEqual([]);
});
