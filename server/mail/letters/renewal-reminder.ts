import { formatDate } from "../../format.ts";
import { button, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

export type RenewalReminderFacts = {
  house: LetterHouse;
  firstName: string;
  endsAt: Date;
  /** Opens the choice of plans for this account. */
  link: string;
};

/** Goes out seven days before a membership ends. */
export function renewalReminderLetter({ house, firstName, endsAt, link }: RenewalReminderFacts): Letter {
  const day = formatDate(endsAt);
  return composeLetter({
    house,
    subject: `Your membership ends on ${day}`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your membership ends on ${day}. It is not renewed by itself, and nothing is taken.`),
      paragraph("If you would like to stay, choose a plan. The new time begins where this one ends."),
      button("Choose a plan", link),
      paragraph("The link is yours alone. Please do not pass it on."),
    ],
  });
}
