import { formatDay } from "../../platform/format.ts";
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
    ? "For your safety, please choose a new password first. Press the button, and we'll send a code to this address."
    : "Log in with the same email address and password as before.";
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Your membership is now at ${oneLine(product.name)}`,
    why: `You get this email because your membership was moved to ${oneLine(product.name)}. We send it only once.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`We've moved, and your membership has come with us. ${password}`),
      ...(endsAt ? [paragraph(`It still ends on ${formatDay(endsAt)}.`)] : []),
      needsPassword ? button("Choose a password", `${site}login?reset=1`) : button("Log in", `${site}login`),
    ],
  });
  return { kind: "moved", cause: `member-${id}`, to: email, memberId: id, mail };
}
