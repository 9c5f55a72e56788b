import { formatDate } from "../../format.ts";
import { button, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet, oneLine } from "./words.ts";

export type AddressChangedFacts = {
  house: LetterHouse;
  firstName: string;
  /** Gives the account its old address back. */
  undoLink: string;
  /** How long it does. */
  until: Date;
};

/** Goes to the old address of an account that was given a new one: perhaps not by its owner. */
export function addressChangedLetter({ house, firstName, undoLink, until }: AddressChangedFacts): Letter {
  return composeLetter({
    house,
    subject: "Your email address was changed",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Your ${oneLine(house.productName)} account has a new email address. Letters go there from now on, not here.`,
      ),
      paragraph(
        `If that was you, all is well. If it was not, take it back here until ${formatDate(until)}. ` +
          "Everybody is logged out then, and you choose a new password.",
      ),
      button("Take the change back", undoLink),
      paragraph("The link is yours alone. Please do not pass it on."),
    ],
  });
}
