import { formatDate } from "../../format.ts";
import { button, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

export type MembershipEndedFacts = {
  house: LetterHouse;
  firstName: string;
  endedAt: Date;
  /** Opens the choice of plans for this account. */
  link: string;
};

/** Goes out when a membership has ended. */
export function membershipEndedLetter({ house, firstName, endedAt, link }: MembershipEndedFacts): Letter {
  return composeLetter({
    house,
    subject: "Your membership has ended",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your membership ended on ${formatDate(endedAt)}. Nothing more was taken.`),
      paragraph("Your account and your favourites are kept for you. Should you want to come back, choose a plan."),
      button("Choose a plan", link),
      paragraph("The link is yours alone. Please do not pass it on."),
    ],
  });
}
