import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

import { isMissing } from "../../platform/disk-files.ts";
import { errorText } from "../../platform/faults.ts";
import { legalNames, type LegalName } from "./documents.ts";

export type LegalSettings = {
  urls: Partial<Record<LegalName, string>>;
  /** Contains the operator's own `privacy.md` and `terms.md`. */
  folder: string | undefined;
};

export function findLegalMistakes({ urls, folder }: LegalSettings): string[] {
  if (folder === undefined) return [];
  return legalNames
    .filter((name) => !urls[name])
    .flatMap((name) => {
      try {
        parseDocument(name, folder);
        return [];
      } catch (error) {
        return [`${name}.md: ${errorText(error)}`];
      }
    });
}

const headSchema = z.strictObject({
  title: z.string().trim().min(1).max(100),
  updated: z.iso.date("must be a day such as 2026-11-27"),
});

type LegalFile = z.infer<typeof headSchema> & { markdown: string };

/** The operator's file, or the bundled sample. @throws {Error} with one sentence for operators. */
export function parseDocument(name: LegalName, folder = import.meta.dirname): LegalFile {
  const text = readText(resolve(join(folder, `${name}.md`)));
  const [, head = "", markdown = ""] = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/.exec(text) ?? [];
  const { success, data, error } = headSchema.safeParse(readYaml(head));
  if (!success) {
    const faults = error.issues.map(({ path: at, message }) => `${at.join(".") || "title and updated"} ${message}`);
    throw new Error(`it must begin with title and updated between two lines of “---”: ${faults.join(", ")}`);
  }
  if (markdown.trim() === "") throw new Error("it has no text");
  return { ...data, markdown };
}

/** `undefined` where it is no YAML: the schema then names the required fields. */
function readYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(isMissing(error) ? "there is no such file" : `it cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}
