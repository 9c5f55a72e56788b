import { resolve } from "node:path";
import { z } from "zod";

import { readYamlFile } from "../../platform/yaml-file.ts";
import type { Saying } from "./sayings.ts";
import { listWords } from "./search-words.ts";

const MOST_THINGS = 2000;
const phrase = z
  .string({ error: "must be a text; put a number in quotes" })
  .max(100, "is longer than 100 characters")
  .refine((text) => listWords(text).length > 0, "has no word")
  .refine((text) => !text.includes(","), "has a comma: write each phrase apart");

/** A thing as texts call it, and how people say it: a list, or one text with commas. */
const fileSchema = z
  .record(
    phrase,
    z.preprocess(
      (value) => (typeof value === "string" ? value.split(",").map((each) => each.trim()) : value),
      z.array(phrase, { error: "must be a list of what people say" }).min(1, "has nothing that people say").max(200),
    ),
    { error: "must name things, each with a list of what people say" },
  )
  .refine((things) => Object.keys(things).length <= MOST_THINGS, `has more than ${MOST_THINGS} things`);

/** An operator's own words (`SEARCH_WORDS_FILE`), which join ours. @throws {Error} with a line for each mistake. */
export function readSearchWords(path: string | undefined): Saying[] {
  if (path === undefined) return [];
  const things = readYamlFile(resolve(path), fileSchema);
  return Object.entries(things).map(([words, said]) => ({ words, typed: said.join(", ") }));
}
