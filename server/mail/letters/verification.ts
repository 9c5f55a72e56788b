import { composeCodeLetter, type CodeLetterFacts } from "./code-letter.ts";
import type { Letter } from "./letter.ts";

/** Asks whoever typed an address whether it is theirs. */
export function verificationLetter(facts: CodeLetterFacts): Letter {
  return composeCodeLetter(facts, {
    subject: "Confirm your email address",
    place: "on the page you came from",
    button: "Or confirm on this page",
    otherwise: "If you did not ask for this, do nothing. Nothing happens without you.",
  });
}
