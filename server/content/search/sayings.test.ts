import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { ConfigError, readConfig } from "../../config.ts";
import { readSearchWords } from "./sayings.ts";

async function readWith(text: string) {
  await using folder = await openFolder();
  const path = join(folder.folder, "words.yaml");
  writeFileSync(path, text);
  return readSearchWords(readConfig({ DEMO: "true", SEARCH_WORDS_FILE: path }).searchWordsFile);
}

test("a thing has a list or a text of what people say, and without a file there are none", async () => {
  expect(await readWith("duvet: [doona, continental quilt]\nsleep apnoea: stops breathing, OSAHS\n")).toEqual([
    { words: "duvet", typed: "doona, continental quilt" },
    { words: "sleep apnoea", typed: "stops breathing, OSAHS" },
  ]);
  expect(readSearchWords(readConfig({ DEMO: "true" }).searchWordsFile)).toEqual([]);
});

test.each([
  ["duvet: [", "it cannot be read"],
  ["- duvet", "the file: must name things"],
  ["duvet: {a: b}", "duvet: must be a list"],
  ["duvet: []", "duvet: has nothing"],
  ["duvet: [10]", "duvet.0: must be a text; put a number in quotes"],
  ['duvet: ["?!"]', "duvet.0: has no word"],
  [`duvet: ["${"x".repeat(101)}"]`, "duvet.0: is longer than 100"],
])("%j is refused at the start", async (text, sentence) => {
  const refused = await readWith(text).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect((refused as ConfigError).message).toContain(`SEARCH_WORDS_FILE: ${sentence}`);
});

test("every mistake is named at once, and a file that is not there is one", async () => {
  await expect(readWith("duvet: []\npillow: [1]\n")).rejects.toThrow(/duvet: has nothing.*\n.*pillow\.0: must be/);
  expect(() => readConfig({ DEMO: "true", SEARCH_WORDS_FILE: "/nowhere/words.yaml" })).toThrow(/ENOENT/);
});
