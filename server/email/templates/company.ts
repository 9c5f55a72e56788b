import { formatDate, formatPence } from "../../format.ts";
import {
  button,
  code as codeBlock,
  composeEmail,
  type EmailContent,
  factList,
  oneLine,
  paragraph,
  privateLink,
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

type CompanyLiveFacts = {
  sender: Sender;
  companyName: string;
  code: string;
  links: { poster: string; page: string };
};

/** Tells a company's contact that its people can join, and how it tells them. */
export function companyLiveEmail({ sender, companyName, code, links }: CompanyLiveFacts): EmailContent {
  const name = shortName(companyName);
  return composeEmail({
    sender,
    subject: `The people of ${name} can join`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`The Direct Debit of ${name} is set up, and your code for ${oneLine(sender.productName)} works now:`),
      codeBlock(code),
      paragraph("Give it to your people. There is a poster with it, to print and put up at work."),
      button("See the poster", links.poster),
      paragraph(
        "Your company's own page shows how many seats are taken and has your invoices. " +
          "There is no password: type this email address there, and we will send you a link and a code.",
      ),
      button("Open your company's page", links.page),
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

type InvitationFacts = { sender: Sender; companyName: string; link: string };

/** Tells a company's contact that the company has a page, and how they log in there. */
export function companyInvitationEmail({ sender, companyName, link }: InvitationFacts): EmailContent {
  const name = shortName(companyName);
  const product = oneLine(sender.productName);
  return composeEmail({
    sender,
    subject: `The ${product} page of ${name}`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`${name} has a page at ${product}, and you may see it.`),
      paragraph(
        "It has your code with a poster to print, how many seats are taken (counted in fives, once a month), and your invoices.",
      ),
      button("Open the page", link),
      paragraph("There is no password. Type this email address there, and we will send you a link and a code."),
    ],
  });
}

type LogInFacts = { sender: Sender; companyName: string; code: string; link: string; minutes: number };

/** Logs a company's contact in, by a link or by a code. */
export function companyLogInEmail({ sender, companyName, code, link, minutes }: LogInFacts): EmailContent {
  return composeEmail({
    sender,
    subject: `${code}: Your code for the page of ${shortName(companyName)}`,
    blocks: [
      paragraph("Hello,"),
      paragraph("Type this code on the page where you asked for it:"),
      codeBlock(code),
      paragraph("Or open this link, on any device:"),
      button("Log in", link),
      paragraph(`Both work for ${minutes} minutes, and once. If you did not ask for them, you need not do anything.`),
      privateLink,
    ],
  });
}
