import { readFileSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import type { z } from "zod";

import { errorText } from "./faults.ts";

/** An operator's file. @throws {Error} with a line for each mistake. */
export function readYamlFile<Content>(path: string, schema: z.ZodType<Content>): Content {
  const { success, data, error } = schema.safeParse(parseFile(path));
  if (success) return data;
  throw new Error(error.issues.map(({ path: at, message }) => `${at.join(".") || "the file"}: ${message}`).join("\n"));
}

function parseFile(path: string): unknown {
  try {
    return parseYaml(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`it cannot be read: ${errorText(error)}`, { cause: error });
  }
}
