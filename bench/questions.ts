import { readFileSync } from "node:fs";
import { z } from "zod";

/** The class of questions that the library does not answer: a search finds nothing, or calls its results near. */
export const NOTHING = "nothing";

const fileSchema = z.object({
  queries: z
    .array(
      z
        .object({
          /** The words that a person types or says. */
          query: z.string().trim().min(1),
          class: z.string().min(1),
          /** The items that a librarian would accept among the first three. */
          accept: z.array(z.int().positive()),
        })
        .refine(({ class: group, accept }) => (group === NOTHING) === (accept.length === 0), {
          error: `accepts items, unless its class is "${NOTHING}"`,
        }),
    )
    .min(1),
  beginnings: z
    .array(
      z.object({
        /** The typed text so far. */
        typed: z.string().min(1),
        /** The topics and titles of which one must be among the first suggestions. */
        offer: z.array(z.string().min(1)).min(1),
      }),
    )
    .default([]),
});

export type QuestionFile = z.infer<typeof fileSchema>;
export type Question = QuestionFile["queries"][number];
export type Beginning = QuestionFile["beginnings"][number];

/** Why a file of questions is unusable, in one sentence. */
export class QuestionsError extends Error {}

/** @throws {QuestionsError} for a missing or invalid file. */
export function readQuestions(path: string): QuestionFile {
  const { success, data, error } = fileSchema.safeParse(readJson(path));
  if (success) return data;
  const [{ path: place, message } = { path: [], message: "it is not understood" }] = error.issues;
  throw new QuestionsError(`${path} is no file of questions: ${[place.join("."), message].filter(Boolean).join(": ")}`);
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new QuestionsError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new QuestionsError(`${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
