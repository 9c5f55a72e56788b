import { z } from "zod";

/* The checks that settings of several parts share. */

export const text = z.string().optional();
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });
export const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error).optional();

/** The sentences of all cases that are so. */
export function listMistakes(...cases: [isSo: unknown, sentence: string][]): string[] {
  return cases.filter(([isSo]) => isSo).map(([, sentence]) => sentence);
}
