import { button, code, composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

/** What every letter with a code knows. */
export type CodeLetterFacts = {
  house: LetterHouse;
  firstName: string;
  /** Six digits. */
  code: string;
  /** Does what the code does. */
  link: string;
  /** How long the code lives. */
  minutes: number;
};

/** What one of them says in its own way. */
type CodeLetterWords = {
  subject: string;
  /** What the code is for, where that is not plain. */
  purpose?: string;
  /** Where it is typed: "on the page you came from". */
  place: string;
  button: string;
  /** What to do if somebody else asked for it. */
  otherwise: string;
};

/** A letter that has a code typed or a link opened. It may reach a stranger: nothing happens unless they act. */
export function composeCodeLetter(facts: CodeLetterFacts, words: CodeLetterWords): Letter {
  const { house, firstName, code: digits, link, minutes } = facts;
  const ask = `Here is your code. Type it ${words.place}. It works for ${minutes} minutes.`;
  return composeLetter({
    house,
    subject: words.subject,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(words.purpose ? `${words.purpose} ${ask}` : ask),
      code(digits),
      button(words.button, link),
      paragraph(words.otherwise),
    ],
  });
}
