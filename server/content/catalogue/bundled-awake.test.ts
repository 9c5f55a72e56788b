import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

import { createBundledContent } from "../../adapters/bundled/bundled.ts";
import { landingTopics } from "../items/item-facts.ts";

const folder = join(import.meta.dirname, "../bundled");

function readFolder<FrontMatter extends object>(name: string, frontMatter: z.ZodType<FrontMatter>) {
  return readdirSync(join(folder, name)).map((file) => {
    const text = readFileSync(join(folder, name, file), "utf8");
    const [, written = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    return Object.assign(frontMatter.parse(parseYaml(written)), { file, body: body.trim() });
  });
}

describe("Awake now", () => {
  const seconds = z.int().min(3).max(8).optional();
  const pieces = readFolder(
    "awake",
    z.strictObject({
      id: z.int(),
      title: z.string().regex(/^\S+(?: \S+){1,4}$/),
      date: z.iso.datetime({ local: true }),
      // The topic is for search.
      terms: z.tuple([z.literal("Awake now"), z.string()]),
      // For results of a search: the screen itself shows none.
      image: z.string(),
      breathe_in: seconds,
      breathe_out: seconds,
    }),
  );

  test("there are at least twenty pieces, each with an id of its own that its file's name begins with", () => {
    expect(pieces.length).toBeGreaterThanOrEqual(20);
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(pieces.length);
    for (const { file, id } of pieces) expect(file).toMatch(new RegExp(`^${id}-[a-z-]+\\.md$`));
  });

  test("each has a picture of its own, which nothing else has", () => {
    const others = ["articles", "videos", "webinars", "recordings"].flatMap((name) =>
      readFolder(name, z.looseObject({ image: z.string().optional() })),
    );
    const images = [...pieces, ...others].flatMap(({ image }) => image ?? []);
    expect(images.length).toBeGreaterThan(70);
    expect(new Set(images).size).toBe(images.length);
  });

  test("three of them are for breathing, each in its own rhythm and longer out than in", () => {
    const rhythms = pieces.filter(({ breathe_in }) => breathe_in !== undefined);
    expect(rhythms.length).toBe(3);
    expect(new Set(rhythms.map(({ breathe_in }) => breathe_in)).size).toBe(3);
    for (const { breathe_in = 0, breathe_out } of rhythms) expect(breathe_out).toBeGreaterThan(breathe_in);
  });

  test.each(pieces)("$file has 40 to 120 words, beside a breathing shape 80 at most", ({ breathe_in, body }) => {
    const words = body.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(40);
    expect(words).toBeLessThanOrEqual(breathe_in === undefined ? 120 : 80);
  });

  test.each(pieces)("$file is plain paragraphs, with no time of day to count from and nothing raised", ({ body }) => {
    expect(body).not.toMatch(/\d[:.]\d\d|\d\s?(?:am|pm|o['’]clock)\b/i);
    expect(body).not.toMatch(/!|\byou should\b/i);
    expect(body).not.toMatch(/^(?:#|>|[-*] |\d+\. |\|)|\]\(|\*\*/m);
  });
});

describe("guides", async () => {
  const all = readFolder(
    "guides",
    z.strictObject({
      topic: z.string(),
      nights: z.literal(true).optional(),
      intro: z.string(),
      steps: z.array(z.strictObject({ id: z.int(), why: z.string().min(1).max(110) })),
    }),
  );
  const guides = all.filter(({ nights }) => !nights);
  const items = z.array(z.object({ id: z.int() })).parse(await createBundledContent(folder).listItems());

  test("there is one for each topic of the landing, by the name that it has there", () => {
    expect(guides.length).toBe(landingTopics.length);
    expect(new Set(guides.map(({ topic }) => topic))).toEqual(new Set(landingTopics));
  });

  test.each(guides)(
    "$file has three to eight steps, each to another item that exists, and no body",
    ({ steps, intro, body }) => {
      const ids = steps.map(({ id }) => id);
      expect(ids.length).toBeGreaterThanOrEqual(3);
      expect(ids.length).toBeLessThanOrEqual(8);
      expect(new Set(ids).size).toBe(ids.length);
      expect(intro).toMatch(/^[A-Z][^.?]*\.$/);
      for (const { why } of steps) expect(why.length).toBeLessThanOrEqual(90);
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      expect(body).toBe("");
    },
  );

  test.each(all.filter(({ nights }) => nights))(
    "$file has seven nights, each with another item that exists, and a text that fits a tag of a CMS",
    ({ topic, steps, intro }) => {
      const ids = steps.map(({ id }) => id);
      expect(new Set(ids).size).toBe(7);
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      expect(guides.map((guide) => guide.topic)).toContain(topic);
      expect(intro.length).toBeLessThanOrEqual(2000);
    },
  );
});
