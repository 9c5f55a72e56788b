import { button, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet, oneLine } from "./words.ts";

export type PasswordChangedFacts = { house: LetterHouse; firstName: string };

/** Goes to the owner of an account whose password was changed or reset: perhaps not by them. */
export function passwordChangedLetter({ house, firstName }: PasswordChangedFacts): Letter {
  return composeLetter({
    house,
    subject: "Your password was changed",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Your ${oneLine(house.productName)} account has a new password. Every other device was logged out. ` +
          "If that was you, all is well.",
      ),
      paragraph("If it was not, choose another password now."),
      button("Choose another password", `${house.site}login?reset=1`),
    ],
  });
}
