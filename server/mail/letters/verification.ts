import { button, code, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

export type VerificationFacts = {
  house: LetterHouse;
  firstName: string;
  /** Six digits. */
  code: string;
  link: string;
  /** How long the code lives. */
  minutes: number;
};

/** Asks whoever typed an address whether it is theirs. It may reach a stranger: nothing happens unless they act. */
export function verificationLetter({ house, firstName, code: digits, link, minutes }: VerificationFacts): Letter {
  return composeLetter({
    house,
    subject: "Confirm your email address",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Here is your code. Type it on the page you came from. It works for ${minutes} minutes.`),
      code(digits),
      button("Or confirm on this page", link),
      paragraph("If you did not ask for this, do nothing. Nothing happens without you."),
    ],
  });
}
