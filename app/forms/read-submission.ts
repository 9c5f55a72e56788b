import { parseSubmission, report } from "@conform-to/react/future";
import { coerceFormValue } from "@conform-to/zod/v4/future";
import type { z } from "zod";

/** What a form shows again after a refusal: what was typed, and what is wrong with it. Secrets never come back. */
export type FormEcho = {
  values: Record<string, string>;
  /** Sentences about the form as a whole. */
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
};

/** What a room finds wrong with a form that could be read: one sentence about the whole, or more. */
export type Problems = string | Partial<Omit<FormEcho, "values">>;

export type Submission<Value> =
  | { ok: true; value: Value; echo: (problems: Problems) => FormEcho }
  | { ok: false; echo: FormEcho };

/** Checks a form against its schema. An empty field is a missing one; `secrets` are left out of every echo. */
export function readSubmission<Schema extends z.ZodObject>(
  form: FormData,
  schema: Schema,
  secrets: string[],
): Submission<z.output<Schema>> {
  const submission = parseSubmission(onlyFieldsOf(schema, form));
  const parsed = coerceFormValue(schema).safeParse(submission.payload);
  // Takes the secrets out of the submission itself, so it comes after the check.
  const { submission: shown, error } = report(submission, {
    error: { issues: parsed.error?.issues ?? [] },
    hideFields: secrets,
  });
  const values = textsOf(shown.payload);
  if (parsed.success) {
    const echo = (problems: Problems) => toEcho(problems, values);
    return { ok: true, value: parsed.data, echo };
  }
  return {
    ok: false,
    echo: { values, formErrors: error?.formErrors ?? [], fieldErrors: definedOf(error?.fieldErrors ?? {}) },
  };
}

/** What a form shows again that was found wanting; one without fields has only the problems. */
export function toEcho(problems: Problems, values: FormEcho["values"] = {}): FormEcho {
  const found = typeof problems === "string" ? { formErrors: [problems] } : problems;
  return { values, formErrors: [], fieldErrors: {}, ...found };
}

/** A name such as `a[99999999]` is an instruction to build that much: what the schema does not know is not even parsed. */
function onlyFieldsOf(schema: z.ZodObject, form: FormData): FormData {
  const known = new FormData();
  for (const name of Object.keys(schema.shape)) for (const value of form.getAll(name)) known.append(name, value);
  return known;
}

function textsOf(payload: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payload).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function definedOf(errors: Record<string, string[] | null>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string[]] => entry[1] !== null));
}
