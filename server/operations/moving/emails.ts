import { formatDate } from "../../platform/format.ts";
import type { MovedEmail } from "./moving.ts";
import {
  button,
  composeEmail,
  type Email,
  type EmailSettings,
  greet,
  oneLine,
  paragraph,
  toSender,
} from "../../platform/email/layout.ts";

export function movedEmail({ member, endsAt, needsPassword }: MovedEmail, { product, site }: EmailSettings): Email {
  const { id, email, firstName } = member;
  const password = needsPassword
    ? "For your safety, please choose a new password the first time: press the button, and we send a code to this address."
    : "Log in with the address and the password that you have had so far.";
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Your membership is at ${oneLine(product.name)} now`,
    why: `You get this email because your membership was moved to ${oneLine(product.name)}. It comes once.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`We have moved, and your membership has come with us. ${password}`),
      ...(endsAt ? [paragraph(`It is yours until ${formatDate(endsAt)}, as before.`)] : []),
      needsPassword ? button("Choose a password", `${site}login?reset=1`) : button("Log in", `${site}login`),
    ],
  });
  return { kind: "moved", cause: `member-${id}`, to: email, memberId: id, mail };
}
