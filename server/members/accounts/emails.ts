import { formatDateTime, formatDay } from "../../platform/format.ts";
import { CODE_LIFE_IN_MINUTES, composeCodeEmail } from "../challenges/code-email.ts";
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
  shortName,
  toCause,
  toSender,
} from "../../platform/email/layout.ts";

type Input<Name extends keyof AccountEmails> = EmailInput<AccountEmails, Name>;

/** Has no recipient where no account has the address. */
export function passwordResetEmail(
  { member, isPasswordOff, site, code: digits, token }: Input<"passwordReset">,
  { product }: EmailSettings,
): Email {
  const { id, email = "", firstName = "" } = member ?? {};
  const link = `${site}login?reset=3&token=${token}`;
  const content = composeCodeEmail(
    { sender: toSender(product, site), firstName, digits, link },
    {
      subject: "Choose a new password",
      ...(isPasswordOff && { purpose: "Your password is off. Choosing a new one turns it on again." }),
      where: "on the page you came from",
      button: "Or carry on from this page",
      otherwise: `If it wasn't you, ignore this email. Your password stays ${isPasswordOff ? "off" : "the same"}.`,
      why: `You get this email because someone asked to reset the password of your ${oneLine(product.name)} account.`,
    },
  );
  return { kind: "password-reset", cause: toCause(token), to: email, memberId: id, mail: content, isSecret: true };
}

/** As above, for an unknown address it has no recipient. */
export function logInLinkEmail({ member, site, token }: Input<"logInLink">, { product }: EmailSettings): Email {
  const { id, email = "", firstName = "" } = member ?? {};
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your link to log in",
    why: `You get this email because someone asked for a link to log in to your ${oneLine(product.name)} account.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Here is your link to log in, without a password. It works once, for ${CODE_LIFE_IN_MINUTES} minutes, on the device where you open it.`,
      ),
      button("Log in", `${site}login?enter=${token}`),
      privateLink,
      paragraph("If it wasn't you, ignore this email. Nobody gets in without this link."),
    ],
  });
  return { kind: "log-in-link", cause: toCause(token), to: email, memberId: id, mail, isSecret: true };
}

export function passkeyAddedEmail(input: Input<"passkeyAdded">, settings: EmailSettings): Email {
  const { name } = input;
  return passkeyEmail("passkey-added", input, {
    settings,
    subject: "A passkey was added",
    what: `You can now log in with a passkey, added on ${shortName(name)}.`,
  });
}

export function passkeyRemovedEmail(input: Input<"passkeyRemoved">, settings: EmailSettings): Email {
  const { name } = input;
  return passkeyEmail("passkey-removed", input, {
    settings,
    subject: "A passkey was removed",
    what: `The passkey “${shortName(name)}” no longer logs you in.`,
  });
}

type PasskeyTexts = { settings: EmailSettings; subject: string; what: string };

function passkeyEmail(
  kind: "passkey-added" | "passkey-removed",
  { member: { id, email, firstName }, name, at, site }: Input<"passkeyAdded">,
  { settings, subject, what }: PasskeyTexts,
): Email {
  const sender = toSender(settings.product, site);
  const mail = composeEmail({
    sender,
    subject,
    why: `You get this email because a passkey of your ${oneLine(sender.productName)} account changed.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`${what} If this was you, you don't need to do anything.`),
      paragraph("If it wasn't you, choose another password now. Then look at your passkeys and devices in My Account."),
      button("Choose another password", `${sender.site}login?reset=1`),
    ],
  });
  return { kind, cause: `member-${id} ${name} ${at.toISOString()}`, to: email, memberId: id, mail };
}

export function passwordSwitchedEmail(
  { member: { id, email, firstName }, isOn, at, site }: Input<"passwordSwitched">,
  { product }: EmailSettings,
): Email {
  const sender = toSender(product, site);
  const name = oneLine(product.name);
  const mail = composeEmail({
    sender,
    subject: isOn ? "Your password is on again" : "Your password is off",
    why: `You get this email because the password of your ${name} account was turned ${isOn ? "on" : "off"}.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `${
          isOn
            ? `The password of your ${name} account works again, as it was.`
            : `The password of your ${name} account no longer works. Log in with a passkey, or with a link by email. You can turn it on again in My Account.`
        } If this was you, you don't need to do anything.`,
      ),
      paragraph(
        "If it wasn't you, choose a new password now. It works at once, and we log out every device. Then look at your passkeys in My Account.",
      ),
      button("Choose a new password", `${sender.site}login?reset=1`),
    ],
  });
  const cause = `member-${id} ${isOn ? "on" : "off"} ${at.toISOString()}`;
  return { kind: "password-switched", cause, to: email, memberId: id, mail };
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
        `Your ${oneLine(sender.productName)} account has a new password. We've logged out every other device. ` +
          "If this was you, you don't need to do anything.",
      ),
      paragraph("If it wasn't you, choose another password now."),
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
      purpose: `${countsFrom ? "Our support team was asked" : "You asked"} to use this address for ${oneLine(product.name)}.`,
      where: 'under "My Account"',
      button: "Or confirm on this page",
      otherwise: `${
        countsFrom
          ? `The change happens on ${formatDateTime(countsFrom)}, or sooner if you agree from your old address. Until then, keep using the old one.`
          : "Until you confirm, keep using the old one."
      } If it wasn't you, ignore this email.`,
      why: `You get this email because someone asked to use this address for a ${oneLine(product.name)} account.`,
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
    why: `You get this email because someone asked us to change the address of your ${oneLine(product.name)} account.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `Someone asked our support team to change the email address of your ${oneLine(product.name)} account to ` +
          `${oneLine(newEmail)}. ${isMailboxLost ? "They told us that you no longer read this one. " : ""}` +
          `The change happens on ${formatDateTime(countsFrom)}, once the new address is confirmed.`,
      ),
      paragraph("If it was you, agree now and you won't have to wait. If it wasn't you, keep your address."),
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
        `Your ${oneLine(sender.productName)} account has a new email address. From now on we'll email you there.`,
      ),
      paragraph(
        `If this was you, you don't need to do anything. If it wasn't you, undo it here by ${formatDay(until)}. ` +
          "We'll log out every device, and you choose a new password.",
      ),
      button("Undo the change", `${sender.site}login?undo=${token}`),
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
  const day = formatDay(eraseAt);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your account is closed",
    why: `You get this email because you closed your ${oneLine(product.name)} account.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your ${oneLine(product.name)} account is closed, as you asked. We've logged you out everywhere.`),
      factList([
        ["Erased on", day],
        ["What we erase", "your details, picture, favourites, membership and our emails to you"],
        ["What we keep", "number, dates and amount of your orders, without your name"],
        ["For how long", "6 years, as tax law asks"],
      ]),
      paragraph(`Changed your mind? Open it again by ${day} and everything will be as it was.`),
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
    subject: "We've erased your account",
    why: `You get this email because you closed your ${oneLine(product.name)} account 14 days ago or more.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`We've erased your ${oneLine(product.name)} account, as you asked. It can't be restored.`),
      paragraph("Tax law asks us to keep the number, dates and amount of your orders for 6 years, without your name."),
      paragraph("This is our last email to you. We wish you good nights."),
    ],
  });
  return { kind: "account-erased", cause: `member-${id}`, to: email, mail };
}
