import type { AccountEmails } from "../../../members/accounts/context.ts";
import { CODE_LIFE_IN_MS } from "../../../members/challenges/challenges.ts";
import { MINUTE_IN_MS } from "../../clock.ts";
import { formatDate, formatDateTime } from "../../format.ts";
import type { MergingEmails } from "../../../operations/merging/merging.ts";
import type { SignUpContext } from "../../../money/sign-up/context.ts";
import {
  button,
  code,
  composeEmail,
  type Email,
  type EmailContent,
  type EmailInput,
  type EmailSettings,
  factList,
  greet,
  oneLine,
  paragraph,
  privateLink,
  type Sender,
  toCause,
  toSender,
} from "./layout.ts";

type Input<Name extends keyof AccountEmails> = EmailInput<AccountEmails, Name>;

export const CODE_LIFE_IN_MINUTES = CODE_LIFE_IN_MS / MINUTE_IN_MS;

/** `link` has the effect of the six digits. */
type CodeEmailFacts = { sender: Sender; firstName: string; digits: string; link: string };

type CodeEmailTexts = {
  subject: string;
  purpose?: string;
  /** The page on which the code is typed: "on the page you came from". */
  place: string;
  button: string;
  /** The advice for a reader who did not request it. */
  otherwise: string;
  why: string;
};

/** An email with a code and a link. It may reach a stranger, so nothing happens until they act. */
function composeCodeEmail({ sender, firstName, digits, link }: CodeEmailFacts, texts: CodeEmailTexts): EmailContent {
  const ask = `Here is your code. Type it ${texts.place}. It works for ${CODE_LIFE_IN_MINUTES} minutes.`;
  return composeEmail({
    sender,
    // A phone shows the beginning of a subject without opening the email.
    subject: `${digits}: ${texts.subject}`,
    why: texts.why,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(texts.purpose ? `${texts.purpose} ${ask}` : ask),
      code(digits),
      button(texts.button, link),
      paragraph(texts.otherwise),
    ],
  });
}

/** Asks whether an address typed into a sign-up is its reader's. Each challenge is one email. */
export function verificationEmail(
  { email, firstName, site, code: digits, token }: EmailInput<SignUpContext["emails"], "verification">,
  { product }: EmailSettings,
): Email {
  const link = `${site}signup?verify=${token}`;
  const content = composeCodeEmail(
    { sender: toSender(product, site), firstName, digits, link },
    {
      subject: "Confirm your email address",
      place: "on the page you came from",
      button: "Or confirm on this page",
      otherwise: "If you did not ask for this, do nothing. Nothing happens without you.",
      why: `You get this email because this address was typed into the sign-up of ${oneLine(product.name)}.`,
    },
  );
  const facts = { name: "verification" as const, firstName, code: digits, token, site };
  return {
    kind: "verification",
    cause: toCause(token),
    to: email,
    mail: { ...content, facts },
    isSecret: true,
  };
}

/** Has no recipient where no account has the address. */
export function passwordResetEmail(
  { member, site, code: digits, token }: Input<"passwordReset">,
  { product }: EmailSettings,
): Email {
  const { id, email = "", firstName = "" } = member ?? {};
  const link = `${site}login?reset=3&token=${token}`;
  const content = composeCodeEmail(
    { sender: toSender(product, site), firstName, digits, link },
    {
      subject: "Choose a new password",
      place: "on the page you came from",
      button: "Or go on from this page",
      otherwise: "If it was not you, do nothing. Your password stays as it is.",
      why: `You get this email because someone asked for a new password for the ${oneLine(product.name)} account with this address.`,
    },
  );
  return { kind: "password-reset", cause: toCause(token), to: email, memberId: id, mail: content, isSecret: true };
}

export function passwordChangedEmail(
  { member: { id, email, firstName }, at, site }: Input<"passwordChanged">,
  settings: EmailSettings,
): Email {
  const sender = toSender(settings.product, site ?? settings.site);
  const mail = composeEmail({
    sender,
    subject: "Your password was changed",
    why: `You get this email because the password of your ${oneLine(sender.productName)} account was changed.`,
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
  return { kind: "password-changed", cause: `member-${id} ${at.toISOString()}`, to: email, memberId: id, mail };
}

export function confirmAddressEmail(
  { member: { id, firstName }, newEmail, site, code: digits, token, countsFrom }: Input<"confirmAddress">,
  { product }: EmailSettings,
): Email {
  const link = `${site}?account=confirm-email&token=${token}`;
  const mail = composeCodeEmail(
    { sender: toSender(product, site), firstName, digits, link },
    {
      subject: "Confirm your new email address",
      purpose: `This is to be the new email address of your ${oneLine(product.name)} account.`,
      place: 'under "My Account"',
      button: "Or confirm on this page",
      otherwise: `${
        countsFrom
          ? `Our support asked for this, so your old address counts until ${formatDateTime(countsFrom)}, unless it agrees before.`
          : "Until then your old address counts."
      } If you did not ask for this, do nothing. Nothing happens without you.`,
      why: `You get this email because this address is to be that of a ${oneLine(product.name)} account.`,
    },
  );
  return { kind: "confirm-new-address", cause: toCause(token), to: newEmail, memberId: id, mail, isSecret: true };
}

/** Asks the old address about a new one that an operator entered: it may not be the owner's. */
export function addressQuestionEmail(
  { member: { id, email, firstName }, newEmail, countsFrom, isMailboxLost, site, token }: Input<"addressQuestion">,
  { product }: EmailSettings,
): Email {
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Is this your new email address?",
    why: `You get this email because we were asked to change the address of your ${oneLine(product.name)} account.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Our support was asked to give your ${oneLine(product.name)} account the email address ` +
          `${oneLine(newEmail)}. ${isMailboxLost ? "They were told that you no longer read this one. " : ""}` +
          `It counts from ${formatDateTime(countsFrom)}, once it is confirmed there.`,
      ),
      paragraph("If that was you, you can agree now, and need not wait. If it was not, keep your address."),
      button("Agree, or keep my address", `${site}login?answer=${token}`),
      privateLink,
    ],
  });
  return { kind: "address-change-asked", cause: toCause(token), to: email, memberId: id, mail, isSecret: true };
}

/** Goes to the old address of an account, because the owner may not have changed it. */
export function addressChangedEmail(
  { member: { id, email, firstName }, token, until, site }: Input<"addressChanged">,
  settings: EmailSettings,
): Email {
  const sender = toSender(settings.product, site ?? settings.site);
  const mail = composeEmail({
    sender,
    subject: "Your email address was changed",
    why: `You get this email because this was the address of your ${oneLine(sender.productName)} account until now.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Your ${oneLine(sender.productName)} account has a new email address. We will write to you there from now on, not here.`,
      ),
      paragraph(
        `If that was you, all is well. If it was not, take it back here until ${formatDate(until)}. ` +
          "Every device is then logged out, and you choose a new password.",
      ),
      button("Take the change back", `${sender.site}login?undo=${token}`),
      privateLink,
    ],
  });
  return { kind: "address-changed", cause: toCause(token), to: email, memberId: id, mail, isSecret: true };
}

/** When what is erased, what the law requires us to store, and how to reopen the account. */
export function accountClosedEmail(
  { member: { id, email, firstName }, site, token, eraseAt }: Input<"accountClosed">,
  { product }: EmailSettings,
): Email {
  const day = formatDate(eraseAt);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your account is closed",
    why: `You get this email because you closed your ${oneLine(product.name)} account.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(product.name)} account is closed, as you asked. You are logged out everywhere.`),
      factList([
        ["Erased on", day],
        ["What is erased", "your details, picture, favourites, membership and our emails to you"],
        ["What stays", "number, dates and amount of your orders, without your name"],
        ["For how long", "6 years, as tax law asks"],
      ]),
      paragraph(`If you change your mind before ${day}, open it again. Everything will be as it was.`),
      button("Open my account again", `${site}login?reopen=${token}`),
      privateLink,
    ],
  });
  return { kind: "account-closed", cause: toCause(token), to: email, memberId: id, mail, isSecret: true };
}

/** The last email to a former member. */
export function accountErasedEmail(
  { member: { id, email, firstName } }: Input<"accountErased">,
  { product, site }: EmailSettings,
): Email {
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your account is erased",
    why: `You get this email because you closed your ${oneLine(product.name)} account 14 days ago or more.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(product.name)} account is erased, as you asked. It cannot be brought back.`),
      paragraph(
        "What stays, for 6 years, is what tax law asks for: number, dates and amount of your orders, without your name.",
      ),
      paragraph("This is our last email to you. We wish you good nights."),
    ],
  });
  return { kind: "account-erased", cause: `member-${id}`, to: email, mail };
}

type MergeInput<Name extends keyof MergingEmails> = EmailInput<MergingEmails, Name>;

/** Asks whether this account may be merged into another: the reader gives the code to support alone. */
export function mergeCodeEmail(
  { member: { id, email, firstName }, targetEmail, site, code: digits, cause }: MergeInput<"mergeCode">,
  { product }: EmailSettings,
): Email {
  const name = oneLine(product.name);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `${digits}: Your code for our support`,
    why: `You get this email because our support was asked to merge the ${name} account with this address into another.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Our support was asked to make one of two ${name} accounts: the one with this address goes, and what it has moves to ${oneLine(targetEmail)}.`,
      ),
      paragraph(`If both are yours, tell our support this code. It works for ${CODE_LIFE_IN_MINUTES} minutes.`),
      code(digits),
      paragraph(
        "If the other account is not yours, or you did not ask for this, tell it to no one. Nothing happens without it.",
      ),
    ],
  });
  return { kind: "merge-code", cause, to: email, memberId: id, mail, isSecret: true };
}

/** Goes to both addresses. */
export function accountsMergedEmail(
  { member: { id, firstName }, to, targetEmail, sourceEmail, site }: MergeInput<"accountsMerged">,
  { product }: EmailSettings,
): Email {
  const name = oneLine(product.name);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your two accounts are one now",
    why: `You get this email because our support has merged two ${name} accounts, and one of them had this address.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `As you asked our support, your two ${name} accounts are one. All that ${oneLine(sourceEmail)} had, its membership, receipts and favourites, is with ${oneLine(targetEmail)}.`,
      ),
      paragraph(`Log in with ${oneLine(targetEmail)} and its password. The other address no longer opens anything.`),
      button("Log in", `${site}login`),
      paragraph("If you did not ask for this, please write to us at once."),
    ],
  });
  return { kind: "accounts-merged", cause: `member-${id} ${sourceEmail} ${to}`, to, memberId: id, mail };
}
