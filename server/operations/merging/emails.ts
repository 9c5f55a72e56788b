import { CODE_LIFE_IN_MINUTES } from "../../members/challenges/code-email.ts";
import type { MergingEmails } from "./merging.ts";
import {
  button,
  code,
  composeEmail,
  type Email,
  type EmailInput,
  type EmailSettings,
  greet,
  oneLine,
  paragraph,
  toSender,
} from "../../platform/email/layout.ts";

type MergeInput<Name extends keyof MergingEmails> = EmailInput<MergingEmails, Name>;

/** Asks whether this account may be merged into another: the reader gives the code to support alone. */
export function mergeCodeEmail(
  { member: { id, email, firstName }, targetEmail, site, code: digits, cause }: MergeInput<"mergeCode">,
  { product }: EmailSettings,
): Email {
  const name = oneLine(product.name);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `${digits}: Your code for our support team`,
    why: `You get this email because our support team was asked to merge the ${name} account with this address into another.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `We've been asked to merge two ${name} accounts. We'd remove the one with this address, and move everything in it to ${oneLine(targetEmail)}.`,
      ),
      paragraph(
        `If both accounts are yours, give our support team this code. It works for ${CODE_LIFE_IN_MINUTES} minutes.`,
      ),
      code(digits),
      paragraph(
        "If the other account isn't yours, or you didn't ask for this, don't give the code to anyone. Without it, nothing changes.",
      ),
    ],
  });
  return { kind: "merge-code", cause, to: email, memberId: id, mail, isSecret: true };
}

export function accountsMergedEmail(
  { member: { id, firstName }, to, targetEmail, sourceEmail, site }: MergeInput<"accountsMerged">,
  { product }: EmailSettings,
): Email {
  const name = oneLine(product.name);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your two accounts are now one",
    why: `You get this email because our support team has merged two ${name} accounts, and one of them had this address.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(
        `As you asked, we've merged your two ${name} accounts. The membership, receipts and favourites of ${oneLine(sourceEmail)} are now with ${oneLine(targetEmail)}.`,
      ),
      paragraph(`From now on, log in with ${oneLine(targetEmail)}. You can no longer log in with the other address.`),
      button("Log in", `${site}login`),
      paragraph("If you didn't ask for this, please write to us straight away."),
    ],
  });
  return { kind: "accounts-merged", cause: `member-${id} ${sourceEmail} ${to}`, to, memberId: id, mail };
}
