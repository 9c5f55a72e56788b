import { formatDate, formatDateTime } from "../../format.ts";
import {
  button,
  code,
  composeEmail,
  type EmailContent,
  factList,
  greet,
  oneLine,
  paragraph,
  privateLink,
  type Sender,
} from "./layout.ts";

/** What every email with a code knows. */
type CodeEmailFacts = {
  sender: Sender;
  firstName: string;
  /** Six digits. */
  code: string;
  /** Does what the code does. */
  link: string;
  /** How long the code lives. */
  minutes: number;
};

/** What one of them says in its own way. */
type CodeEmailTexts = {
  subject: string;
  /** What the code is for, where that is not plain. */
  purpose?: string;
  /** Where it is typed: "on the page you came from". */
  place: string;
  button: string;
  /** What to do if another person asked for it. */
  otherwise: string;
};

/** An email that has a code typed or a link opened. It may reach a stranger: nothing happens unless they act. */
function composeCodeEmail(facts: CodeEmailFacts, words: CodeEmailTexts): EmailContent {
  const { sender, firstName, code: digits, link, minutes } = facts;
  const ask = `Here is your code. Type it ${words.place}. It works for ${minutes} minutes.`;
  return composeEmail({
    sender,
    // A phone shows the beginning of a subject without opening the email.
    subject: `${digits}: ${words.subject}`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(words.purpose ? `${words.purpose} ${ask}` : ask),
      code(digits),
      button(words.button, link),
      paragraph(words.otherwise),
    ],
  });
}

/** Asks the reader whether the typed address is theirs. */
export function verificationEmail(facts: CodeEmailFacts): EmailContent {
  return composeCodeEmail(facts, {
    subject: "Confirm your email address",
    place: "on the page you came from",
    button: "Or confirm on this page",
    otherwise: "If you did not ask for this, do nothing. Nothing happens without you.",
  });
}

/** Lets a member who forgot the password choose a new one. */
export function passwordResetEmail(facts: CodeEmailFacts): EmailContent {
  return composeCodeEmail(facts, {
    subject: "Choose a new password",
    place: "on the page you came from",
    button: "Or go on from this page",
    otherwise: "If it was not you, do nothing. Your password stays as it is.",
  });
}

/** Goes to the owner of an account when its password was changed or reset, perhaps by another person. */
export function passwordChangedEmail({ sender, firstName }: { sender: Sender; firstName: string }): EmailContent {
  return composeEmail({
    sender,
    subject: "Your password was changed",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Your ${oneLine(sender.productName)} account has a new password. Every other device was logged out. ` +
          "If that was you, all is well.",
      ),
      paragraph("If it was not, choose another password now."),
      button("Choose another password", `${sender.site}login?reset=1`),
    ],
  });
}

/** Asks whether the new address of an account is its owner's. */
export function confirmNewAddressEmail(facts: CodeEmailFacts & { countsFrom: Date | undefined }): EmailContent {
  const { countsFrom } = facts;
  return composeCodeEmail(facts, {
    subject: "Confirm your new email address",
    purpose: `This is to be the new email address of your ${oneLine(facts.sender.productName)} account.`,
    place: 'under "My Account"',
    button: "Or confirm on this page",
    otherwise: `${
      countsFrom
        ? `Our support asked for this, so your old address counts until ${formatDateTime(countsFrom)}, unless it agrees before.`
        : "Until then your old address counts."
    } If you did not ask for this, do nothing. Nothing happens without you.`,
  });
}

type AddressQuestionFacts = {
  sender: Sender;
  firstName: string;
  newEmail: string;
  countsFrom: Date;
  isMailboxLost: boolean;
  /** Leads to a page with both answers. */
  link: string;
};

/** Asks the old address of an account about a new one that an operator entered, perhaps not for its owner. */
export function addressQuestionEmail({ sender, firstName, link, ...facts }: AddressQuestionFacts): EmailContent {
  const from = formatDateTime(facts.countsFrom);
  return composeEmail({
    sender,
    subject: "Is this your new email address?",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Our support was asked to give your ${oneLine(sender.productName)} account the email address ` +
          `${oneLine(facts.newEmail)}. ${facts.isMailboxLost ? "They were told that you no longer read this one. " : ""}` +
          `It counts from ${from}, once it is confirmed there.`,
      ),
      paragraph("If that was you, you can agree now, and need not wait. If it was not, keep your address."),
      button("Agree, or keep my address", link),
      privateLink,
    ],
  });
}

type AddressChangedFacts = {
  sender: Sender;
  firstName: string;
  /** Gives the account its old address back. */
  undoLink: string;
  /** How long it does. */
  until: Date;
};

/** Goes to the old address of an account that was given a new one: perhaps not by its owner. */
export function addressChangedEmail({ sender, firstName, undoLink, until }: AddressChangedFacts): EmailContent {
  return composeEmail({
    sender,
    subject: "Your email address was changed",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Your ${oneLine(sender.productName)} account has a new email address. We will write to you there from now on, not here.`,
      ),
      paragraph(
        `If that was you, all is well. If it was not, take it back here until ${formatDate(until)}. ` +
          "Every device is then logged out, and you choose a new password.",
      ),
      button("Take the change back", undoLink),
      privateLink,
    ],
  });
}

type AccountClosedFacts = {
  sender: Sender;
  firstName: string;
  eraseAt: Date;
  /** Opens the account again. */
  reopenLink: string;
};

/** Tells a member who has closed their account what is erased when, what the law keeps, and how to take it back. */
export function accountClosedEmail({ sender, firstName, eraseAt, reopenLink }: AccountClosedFacts): EmailContent {
  const day = formatDate(eraseAt);
  return composeEmail({
    sender,
    subject: "Your account is closed",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(sender.productName)} account is closed, as you asked. You are logged out everywhere.`),
      factList([
        ["Erased on", day],
        ["What is erased", "your details, picture, favourites, membership and our emails to you"],
        ["What stays", "number, dates and amount of your orders, without your name"],
        ["For how long", "6 years, as tax law asks"],
      ]),
      paragraph(`If you change your mind before ${day}, open it again. Everything will be as it was.`),
      button("Open my account again", reopenLink),
      privateLink,
    ],
  });
}

/** The last email to a former member: the closed account was erased. */
export function accountErasedEmail({ sender, firstName }: { sender: Sender; firstName: string }): EmailContent {
  return composeEmail({
    sender,
    subject: "Your account is erased",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(sender.productName)} account is erased, as you asked. It cannot be brought back.`),
      paragraph(
        "What stays, for 6 years, is what tax law asks for: number, dates and amount of your orders, without your name.",
      ),
      paragraph("This is our last email to you. We wish you good nights."),
    ],
  });
}
