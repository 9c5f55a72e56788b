import { formatDate, formatDateTime } from "../../platform/format.ts";
import { composeCodeEmail } from "../challenges/code-email.ts";
import type { AccountEmails } from "./context.ts";
import {
  button,
  composeEmail,
  type Email,
  type EmailInput,
  type EmailSettings,
  factList,
  greet,
  oneLine,
  paragraph,
  privateLink,
  toCause,
  toSender,
} from "../../platform/email/layout.ts";

type Input<Name extends keyof AccountEmails> = EmailInput<AccountEmails, Name>;

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
