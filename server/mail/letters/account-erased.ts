import { composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet, oneLine } from "./words.ts";

export type AccountErasedFacts = { house: LetterHouse; firstName: string };

/** The last letter to somebody whose closed account was erased. */
export function accountErasedLetter({ house, firstName }: AccountErasedFacts): Letter {
  return composeLetter({
    house,
    subject: "Your account is erased",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(house.productName)} account is erased, as you asked. It cannot be brought back.`),
      paragraph(
        "What stays, for 6 years, is what tax law asks for: number, dates and amount of your orders, without your name.",
      ),
      paragraph("This is our last letter to you. We wish you good nights."),
    ],
  });
}
