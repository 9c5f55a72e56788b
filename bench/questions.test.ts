import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse as parseYaml } from "yaml";

import { sectionNames } from "../server/content/items/kinds.ts";
import { topics } from "../server/content/search/topics.ts";
import { openLibrary } from "../tests/helpers/library.ts";
import { NOTHING, readQuestions } from "./questions.ts";

describe("the questions of the bench", () => {
  const { queries, beginnings } = readQuestions("bench/questions.json");
  const folders = ["articles", "awake", "recordings", "videos", "webinars"];
  const items = folders.flatMap((folder) =>
    readdirSync(join("server/content/bundled", folder)).map((name) => {
      const text = readFileSync(join("server/content/bundled", folder, name), "utf8");
      const [, frontMatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
      const { id, title } = parseYaml(frontMatter) as { id: number; title: string };
      return { folder, id, title: title.replaceAll("&amp;", "&") };
    }),
  );

  test("there are many, each once, and some that the library has nothing on", () => {
    expect(queries.length).toBeGreaterThanOrEqual(100);
    expect(new Set(queries.map(({ query }) => query.toLowerCase())).size).toBe(queries.length);
    expect(queries.filter(({ class: group }) => group === NOTHING).length).toBeGreaterThanOrEqual(8);
  });

  test("none is a title, and each accepts a few items that are in the library", () => {
    const titles = items.map(({ title }) => title.toLowerCase());
    const ids = new Set(items.map(({ id }) => id));
    for (const { query, accept } of queries) {
      expect(titles.filter((title) => title.includes(query.toLowerCase()) && query.includes(" "))).toEqual([]);
      expect(accept.filter((id) => !ids.has(id))).toEqual([]);
      expect(accept.length).toBeLessThanOrEqual(6);
    }
  });

  test.each(folders)("some are answered from the %s", (folder) => {
    const ids = new Set(items.filter((item) => item.folder === folder).map(({ id }) => id));
    expect(queries.filter(({ accept }) => accept.some((id) => ids.has(id))).length).toBeGreaterThanOrEqual(5);
  });

  test("nine in ten find an accepted item among the first three, and next to none an empty page", async () => {
    const catalogue = await openLibrary();
    const answered = queries.filter(({ class: group }) => group !== NOTHING);
    const found = answered.map(({ query, accept }) => {
      const { bestSection, list, listPerhaps } = catalogue.search({ term: query, order: "best" });
      const order = [...sectionNames].toSorted((a, b) => Number(b === bestSection) - Number(a === bestSection));
      const ids = [...order.flatMap((section) => list(section, 0, 3)), ...listPerhaps()].map(({ id }) => id);
      return { isEmpty: ids.length === 0, isFirst: ids.slice(0, 3).some((id) => accept.includes(id)) };
    });
    const toShare = (count: number) => count / answered.length;
    expect(toShare(found.filter(({ isFirst }) => isFirst).length)).toBeGreaterThanOrEqual(0.9);
    expect(toShare(found.filter(({ isEmpty }) => isEmpty).length)).toBeLessThanOrEqual(0.02);
  });

  test("what a beginning may be offered is a topic or a title", () => {
    const offers = new Set([...topics, ...items.map(({ title }) => title)]);
    expect(beginnings.length).toBeGreaterThanOrEqual(20);
    expect(beginnings.flatMap(({ offer }) => offer).filter((each) => !offers.has(each))).toEqual([]);
  });
});

test.each([
  { text: "{", sentence: /is not JSON: / },
  { text: "[]", sentence: /is no file of questions: Invalid input/ },
  { text: '{ "queries": [] }', sentence: /is no file of questions: queries: / },
  { text: '{ "queries": [{ "class": "typo", "accept": [1] }] }', sentence: /questions: queries\.0\.query: / },
  { text: '{ "queries": [{ "query": "x", "class": "typo", "accept": [] }] }', sentence: /queries\.0: accepts items, / },
  { text: '{ "queries": [{ "query": "x", "class": "nothing", "accept": [1] }] }', sentence: /queries\.0: accepts / },
])("a file that says $text is refused in a sentence", async ({ text, sentence }) => {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-questions-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "questions.json");
  writeFileSync(path, text);
  expect(() => readQuestions(path)).toThrow(sentence);
});

test.each([
  { words: ["--least", "most"], sentence: "--least takes a whole number from 0 to 100" },
  { words: ["--most", "3"], sentence: "Unknown option '--most'" },
  { words: ["no-such-file.json"], sentence: "no-such-file.json cannot be read: ENOENT" },
])("the bench of relevance says what is wrong with $words, and how it is called", ({ words, sentence }) => {
  const { status, stderr } = spawnSync(process.execPath, ["bench/relevance.ts", ...words], { encoding: "utf8" });
  expect(stderr).toContain(sentence);
  expect(stderr).toContain("node bench/relevance.ts [FILE.json …] [--least PER CENT]");
  expect(status).toBe(2);
});
