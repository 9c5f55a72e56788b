import { formatDate } from "../../format.ts";
import { CORPORATE_PLAN_LABEL } from "../../membership/rules.ts";
import { button, composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

export type CompanyYearFacts = { house: LetterHouse; firstName: string; startsAt: Date; endsAt: Date };

/** Tells a member that their company's code has brought another year: who pays for themselves has a receipt. */
export function companyYearLetter({ house, firstName, startsAt, endsAt }: CompanyYearFacts): Letter {
  const day = formatDate(endsAt);
  return composeLetter({
    house,
    subject: `Your membership runs until ${day}`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph("Your company pays for your membership. There is nothing for you to pay."),
      facts([
        ["Membership", CORPORATE_PLAN_LABEL],
        ["Starts on", formatDate(startsAt)],
        ["Ends on", day],
      ]),
      button("See your membership", `${house.site}?account=membership`),
    ],
  });
}
