import { formatDate } from "../../format.ts";
import { composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { oneLine, shortName } from "./words.ts";

export type CompanyStoppedFacts = { house: LetterHouse; companyName: string; graceEndsAt: Date };

/** Tells a company's contact that its Direct Debit failed for good, and how long its code goes on working. */
export function companyStoppedLetter({ house, companyName, graceEndsAt }: CompanyStoppedFacts): Letter {
  const day = formatDate(graceEndsAt);
  return composeLetter({
    house,
    subject: `The Direct Debit of ${shortName(companyName)} has stopped`,
    blocks: [
      paragraph("Hello,"),
      paragraph(
        `Your Direct Debit for ${oneLine(house.productName)} could not be collected, or it was cancelled. ` +
          `Your company's code goes on working until ${day}. After that it stops.`,
      ),
      facts([
        ["Company", shortName(companyName)],
        ["Code works until", day],
      ]),
      paragraph("Please write to us, and we will set it right together."),
    ],
  });
}
