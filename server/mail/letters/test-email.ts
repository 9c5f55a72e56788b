import { composeLetter, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { oneLine } from "./words.ts";

/** An operator sends it to see whether emails arrive. */
export function testEmail({ house }: { house: LetterHouse }): Letter {
  const name = oneLine(house.productName);
  return composeLetter({
    house,
    subject: `A test email from ${name}`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`This is a test. If you can read it, emails from ${name} arrive at this address.`),
    ],
  });
}
