import { button, code, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet, oneLine } from "./words.ts";

export type ConfirmNewAddressFacts = {
  house: LetterHouse;
  firstName: string;
  /** Six digits. */
  code: string;
  link: string;
  /** How long the code lives. */
  minutes: number;
};

/** Asks whether the new address of an account is its owner's. It may reach a stranger: nothing happens unless they act. */
export function confirmNewAddressLetter(facts: ConfirmNewAddressFacts): Letter {
  const { house, firstName, code: digits, link, minutes } = facts;
  return composeLetter({
    house,
    subject: "Confirm your new email address",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `This is to be the new email address of your ${oneLine(house.productName)} account. ` +
          `Here is your code. Type it under "My Account". It works for ${minutes} minutes.`,
      ),
      code(digits),
      button("Or confirm on this page", link),
      paragraph(
        "Until then your old address counts. If you did not ask for this, do nothing. Nothing happens without you.",
      ),
    ],
  });
}
