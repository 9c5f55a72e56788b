import { composeCodeLetter, type CodeLetterFacts } from "./code-letter.ts";
import type { Letter } from "./letter.ts";

/** Lets somebody who forgot their password choose a new one. */
export function passwordResetLetter(facts: CodeLetterFacts): Letter {
  return composeCodeLetter(facts, {
    subject: "Choose a new password",
    place: "on the page you came from",
    button: "Or go on from this page",
    otherwise: "If it was not you, do nothing. Your password stays as it is.",
  });
}
