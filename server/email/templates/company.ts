import { formatDate, formatPence } from "../../format.ts";
import {
  button,
  composeEmail,
  type EmailContent,
  factList,
  oneLine,
  paragraph,
  type Sender,
  shortName,
} from "./layout.ts";

/** `authorisationUrl`: the gateway's page on which the company agrees. */
type Mandate = {
  sender: Sender;
  company: { name: string; accounts: number; priceInPence: number };
  authorisationUrl: string;
};

/** Asks a company's contact to agree to the yearly Direct Debit. */
export function companyMandateEmail({ sender, company, authorisationUrl }: Mandate): EmailContent {
  const name = shortName(company.name);
  return composeEmail({
    sender,
    subject: `Direct Debit for ${name}`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`Here is what we agreed for ${oneLine(sender.productName)} at your company.`),
      factList([
        ["Company", name],
        ["Accounts", company.accounts.toLocaleString("en-GB")],
        ["Price", `${formatPence(company.priceInPence)} a year for all accounts`],
        ["Paid by", "Direct Debit, once a year"],
      ]),
      button("Set up the Direct Debit", authorisationUrl),
      paragraph("Once that is done, the code for your people starts to work."),
    ],
  });
}

type CompanyStoppedFacts = { sender: Sender; companyName: string; graceEndsAt: Date };

/** Tells a company's contact that its Direct Debit failed for good, and how long its code goes on working. */
export function companyStoppedEmail({ sender, companyName, graceEndsAt }: CompanyStoppedFacts): EmailContent {
  const day = formatDate(graceEndsAt);
  return composeEmail({
    sender,
    subject: `The Direct Debit of ${shortName(companyName)} has stopped`,
    blocks: [
      paragraph("Hello,"),
      paragraph(
        `Your Direct Debit for ${oneLine(sender.productName)} could not be collected, or it was cancelled. ` +
          `Your company's code goes on working until ${day}. After that it stops.`,
      ),
      factList([
        ["Company", shortName(companyName)],
        ["Code works until", day],
      ]),
      paragraph("Please write to us, and we will set it right together."),
    ],
  });
}
