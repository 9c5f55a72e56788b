import type { z } from "zod";

/** What is said of a refusal, and beside which field. */
export type Complaint<Field extends string = string> = [field: Field, sentence: string];

/** The sentences by field, in the order in which the schema's fields stand on the page. */
export function toFieldErrors<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  complaints: Complaint<keyof Shape & string>[],
): Record<string, string[]> {
  const sentencesAt = (name: string) => complaints.filter(([field]) => field === name).map(([, sentence]) => sentence);
  const wrong = Object.keys(schema.shape).filter((name) => sentencesAt(name).length > 0);
  return Object.fromEntries(wrong.map((name) => [name, sentencesAt(name)]));
}
