import { button, code, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

export type PasswordResetFacts = {
  house: LetterHouse;
  firstName: string;
  /** Six digits. */
  code: string;
  link: string;
  /** How long the code lives. */
  minutes: number;
};

/** Lets somebody who forgot their password choose a new one. */
export function passwordResetLetter({ house, firstName, code: digits, link, minutes }: PasswordResetFacts): Letter {
  return composeLetter({
    house,
    subject: "Choose a new password",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Here is your code. Type it on the page you came from. It works for ${minutes} minutes.`),
      code(digits),
      button("Or go on from this page", link),
      paragraph("If it was not you, do nothing. Your password stays as it is."),
    ],
  });
}
