import { z } from "zod";

import type { CodeRefusal } from "../../server/challenges/challenges.ts";
import { emailCodes } from "../../server/refusals.ts";
import { waitText } from "./wait-text.ts";

const words = emailCodes.ours;

/** Six digits, however they are spaced or pasted. */
const CODE_MAX_LENGTH = 40;

/** A letter's code as somebody typed it. What stands between the digits means nothing to the room that looks at it. */
export const typedCode = z.string({ error: words.missing }).max(CODE_MAX_LENGTH, words.missing);

/** What is said of a code that was not taken, wherever one is typed. */
export const wrongCodes: Record<CodeRefusal, string> = {
  "wrong-code": words["wrong-code"],
  "expired-code": words["expired-code"],
  "too-many-tries": words["too-many-tries"],
};

/** Why another letter has to wait. */
type LetterWait = { reason: "too-soon" | "too-many-attempts"; waitInMs: number };

/** What is said to whoever asks for another letter too early. */
export function sayLetterWait({ reason, waitInMs }: LetterWait): string {
  return words[reason](waitText(waitInMs));
}
