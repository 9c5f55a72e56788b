import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { z } from "zod";

/** What is wrong with a form: sentences about the whole, and sentences for a field. */
export type Problems = { formErrors?: string[]; fieldErrors?: Record<string, string[]> };

export type Reply = (problems?: Problems) => SubmissionResult;

/** `reply` makes what Conform shows again: what was typed, and what is wrong with it. */
export type ParsedForm<Value> = { ok: true; value: Value; reply: Reply } | { ok: false; reply: Reply };

/** Checks a form against its schema. An empty field is a missing one; no reply contains the `secrets`. */
export function parseForm<Schema extends z.ZodObject>(
  form: FormData,
  schema: Schema,
  secrets: string[],
): ParsedForm<z.output<Schema>> {
  const submission = parseWithZod(onlyFieldsOf(schema, form), { schema });
  const reply: Reply = (problems) => submission.reply({ hideFields: secrets, ...problems });
  return submission.status === "success" ? { ok: true, value: submission.value, reply } : { ok: false, reply };
}

/** Conform would build an array of that length for a name such as `a[99999999]`, so it gets only the fields of the schema. */
function onlyFieldsOf(schema: z.ZodObject, form: FormData): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) for (const value of form.getAll(name)) known.append(name, value);
  return known;
}
