import { formatDate } from "../../format.ts";
import { button, composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet, oneLine } from "./words.ts";

export type AccountClosedFacts = {
  house: LetterHouse;
  firstName: string;
  eraseAt: Date;
  /** Opens the account again. */
  reopenLink: string;
};

/** Tells a member who has closed their account what is erased when, what the law keeps, and how to take it back. */
export function accountClosedLetter({ house, firstName, eraseAt, reopenLink }: AccountClosedFacts): Letter {
  const day = formatDate(eraseAt);
  return composeLetter({
    house,
    subject: "Your account is closed",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(house.productName)} account is closed, as you asked. You are logged out everywhere.`),
      facts([
        ["Erased on", day],
        ["What is erased", "your details, picture, favourites, membership and our letters to you"],
        ["What stays", "number, dates and amount of your orders, without your name"],
        ["For how long", "6 years, as tax law asks"],
      ]),
      paragraph(`If you think better of it before ${day}, open it again. All will be as it was.`),
      button("Open my account again", reopenLink),
      paragraph("The link is yours alone. Please do not pass it on."),
    ],
  });
}
