import { join, resolve } from "node:path";
import { z } from "zod";

import { lazy } from "../../platform/lazy.ts";
import { readYamlFile } from "../../platform/yaml-file.ts";
import { createHelpMatcher, type HelpCard } from "./matcher.ts";

const line = z.string().trim().min(1).max(500);
const withContact = line.refine(
  (text) => text.includes("{first}"),
  "must have {first} where the first contact belongs",
);
const list = z.array(z.string().min(1));
/** A list, or words separated by blanks. */
const words = z.preprocess((value) => (typeof value === "string" ? value.trim().split(/\s+/) : value), list.min(1));

const fileSchema = z.strictObject({
  /** When the numbers were last compared with their sources. */
  reviewed: z.iso.date("must be a day such as 2026-11-26"),
  sources: z.array(z.url({ protocol: /^https?$/, error: "must be a web address" })).min(1),
  heading: line,
  opening: line,
  contacts: z
    .array(
      z.strictObject({
        name: line,
        number: line,
        tel: z.string({ error: "must be a text, so in quotes" }).regex(/^\+?[0-9*#]{2,20}$/, "must be digits alone"),
        about: line,
      }),
    )
    .min(1),
  note: line,
  /** At the end of Awake now. */
  awake: withContact,
  quiet: withContact.optional(),
  groups: z.record(z.string().regex(/^[\w-]+$/, "must be a word"), words),
  phrases: list.min(1),
  harmless: list,
  low: list.default([]),
  "real-words": words.or(list),
});

/** Reads `path`, or the bundled file. @throws {Error} with a line for each mistake. */
export function readUrgentHelp(path?: string): UrgentHelp {
  return path === undefined ? bundled() : readFile(resolve(path));
}

/**
 * The help that replaces the results of a search about despair, harm or danger. One file has its words and the detected
 * phrases; operators replace it where numbers or language differ.
 */
export type UrgentHelp = ReturnType<typeof readFile>;

const bundled = lazy(() => readFile(join(import.meta.dirname, "urgent-help.yaml")));

function readFile(file: string) {
  const { reviewed, sources: _sources, awake, quiet = awake, low, ...rest } = readYamlFile(file, fileSchema);
  const { groups, phrases, harmless, "real-words": realWords, ...card } = rest;
  const helpWords = { groups, phrases, harmless, "real-words": realWords };
  const isNeeded = createHelpMatcher(helpWords);
  const contact = card.contacts[0] as HelpCard["contacts"][number];
  return {
    reviewed,
    path: file,
    card,
    words: helpWords,
    awake: { text: awake, contact },
    quiet: { text: quiet, contact },
    findFor: (text: string): HelpCard | undefined => (isNeeded(text) ? card : undefined),
    isLow: createHelpMatcher({ ...helpWords, phrases: low, harmless: [] }),
  };
}
