import { formatPence } from "../../format.ts";
import { button, composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { oneLine, shortName } from "./words.ts";

export type CompanyMandateFacts = {
  house: LetterHouse;
  companyName: string;
  accounts: number;
  yearlyPriceInPence: number;
  /** The gateway's page on which the company agrees. */
  authorisationUrl: string;
};

/** Asks a company's contact to agree to the yearly Direct Debit. */
export function companyMandateLetter(company: CompanyMandateFacts): Letter {
  const productName = oneLine(company.house.productName);
  return composeLetter({
    house: company.house,
    subject: `Direct Debit for ${shortName(company.companyName)}`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`Here is what we agreed for ${productName} at your company.`),
      facts([
        ["Company", shortName(company.companyName)],
        ["Accounts", company.accounts.toLocaleString("en-GB")],
        ["Price", `${formatPence(company.yearlyPriceInPence)} a year for all accounts`],
        ["Paid by", "Direct Debit, once a year"],
      ]),
      button("Set up the Direct Debit", company.authorisationUrl),
      paragraph("Once that is done, the code for your people starts to work."),
    ],
  });
}
