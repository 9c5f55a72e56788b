import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";
import { cleanText } from "../../server/platform/text.ts";

export type Problems = { formErrors?: string[]; fieldErrors?: Record<string, string[]> };

export type Reply = (problems?: Problems) => SubmissionResult;

/** `reply` is for Conform: the typed values and the errors. */
export type ParsedForm<Value> = { ok: true; value: Value; reply: Reply } | { ok: false; reply: Reply };

/** Cleans typed text, except for the `secrets`, which no reply contains. A field that shows nothing is missing. */
export function parseForm<Schema extends z.ZodObject>(
  form: FormData,
  schema: Schema,
  secrets: string[],
): ParsedForm<z.output<Schema>> {
  const submission = parseWithZod(readFields(form, { schema, secrets }), { schema });
  const reply: Reply = (problems) => keepTexts(submission.reply({ hideFields: secrets, ...problems }));
  return submission.status === "success" ? { ok: true, value: submission.value, reply } : { ok: false, reply };
}

/** Conform builds an array of that length for a name such as `a[99999999]`, so it gets only the schema's fields. */
function readFields(form: FormData, { schema, secrets }: { schema: z.ZodObject; secrets: string[] }): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) {
    const isTyped = !secrets.includes(name);
    for (const value of form.getAll(name)) {
      known.append(name, isTyped && typeof value === "string" ? cleanText(value) : value);
    }
  }
  return known;
}

/** A field that came twice would come back as a list, which no field can show. */
function keepTexts(result: SubmissionResult): SubmissionResult {
  const texts = Object.entries(result.initialValue ?? {}).filter(([, value]) => typeof value === "string");
  return { ...result, ...(result.initialValue && { initialValue: Object.fromEntries(texts) }) };
}
