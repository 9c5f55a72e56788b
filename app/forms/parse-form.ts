import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";
import { cleanText } from "../../server/platform/text.ts";

/** The errors of a form: sentences about the whole, and sentences for a field. */
export type Problems = { formErrors?: string[]; fieldErrors?: Record<string, string[]> };

export type Reply = (problems?: Problems) => SubmissionResult;

/** `reply` makes what Conform shows again: what was typed, and what is wrong with it. */
export type ParsedForm<Value> = { ok: true; value: Value; reply: Reply } | { ok: false; reply: Reply };

/**
 * Checks a form against its schema. Typed text is cleaned, but for the `secrets`, which no reply contains; a field that shows nothing
 * is a missing one.
 */
export function parseForm<Schema extends z.ZodObject>(
  form: FormData,
  schema: Schema,
  secrets: string[],
): ParsedForm<z.output<Schema>> {
  const submission = parseWithZod(readFields(form, { schema, secrets }), { schema });
  const reply: Reply = (problems) => keepTexts(submission.reply({ hideFields: secrets, ...problems }));
  return submission.status === "success" ? { ok: true, value: submission.value, reply } : { ok: false, reply };
}

/** Conform would build an array of that length for a name such as `a[99999999]`, so it gets only the fields of the schema. */
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
