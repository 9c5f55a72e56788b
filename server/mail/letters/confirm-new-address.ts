import { composeCodeLetter, type CodeLetterFacts } from "./code-letter.ts";
import type { Letter } from "./letter.ts";
import { oneLine } from "./words.ts";

/** Asks whether the new address of an account is its owner's. */
export function confirmNewAddressLetter(facts: CodeLetterFacts): Letter {
  return composeCodeLetter(facts, {
    subject: "Confirm your new email address",
    purpose: `This is to be the new email address of your ${oneLine(facts.house.productName)} account.`,
    place: 'under "My Account"',
    button: "Or confirm on this page",
    otherwise:
      "Until then your old address counts. If you did not ask for this, do nothing. Nothing happens without you.",
  });
}
