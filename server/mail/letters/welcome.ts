import type { AccountType } from "../../database/schema.ts";
import { formatDate } from "../../format.ts";
import { button, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet, oneLine } from "./words.ts";

export type WelcomeFacts = { house: LetterHouse; firstName: string; accountType: AccountType; endsAt: Date };

/** Greets a new member: what they have, until when, and where to begin. */
export function welcomeLetter({ house, firstName, accountType, endsAt }: WelcomeFacts): Letter {
  const day = formatDate(endsAt);
  const terms = {
    individual: `Your membership is ready, and it is yours until ${day}.`,
    corporate: `Your membership is ready, and it is yours until ${day}. Your company pays for it. There is nothing for you to pay.`,
  };
  return composeLetter({
    house,
    subject: `Welcome to ${oneLine(house.productName)}`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(terms[accountType]),
      paragraph("Watch, read or learn in whatever order suits you, at noon or at three in the morning."),
      button("Begin here", house.site),
    ],
  });
}
