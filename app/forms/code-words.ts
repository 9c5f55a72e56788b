import { z } from "zod";

import type { CodeRefusal } from "../../server/challenges/code-refusals.ts";
import { waitText } from "./wait-text.ts";

const ASK_CODE = "Please enter the six digits of the code that we sent you.";
/** Six digits, however they are spaced or pasted. */
const CODE_MAX_LENGTH = 40;

/** A letter's code as somebody typed it. What stands between the digits means nothing to the room that looks at it. */
export const typedCode = z.string({ error: ASK_CODE }).max(CODE_MAX_LENGTH, ASK_CODE);

/** What is said of a code that was not taken, wherever one is typed. */
export const wrongCodes: Record<CodeRefusal, string> = {
  "wrong-code": "This is not the code that we sent you. Please check it, or send a new one.",
  "expired-code": "This code is too old. Please send a new one.",
  "too-many-tries": "There were too many wrong codes, so this one is void. Please send a new one.",
};

/** Why another letter has to wait. */
type LetterWait = { reason: "too-soon" | "too-many-attempts"; waitInMs: number };

const waits: Record<LetterWait["reason"], (wait: string) => string> = {
  "too-soon": (wait) => `We sent a code a moment ago. Please wait ${wait}, then ask for another.`,
  "too-many-attempts": (wait) => `We have sent many codes to this address. Please wait ${wait}, then ask for another.`,
};

/** What is said to whoever asks for another letter too early. */
export function sayLetterWait({ reason, waitInMs }: LetterWait): string {
  return waits[reason](waitText(waitInMs));
}
