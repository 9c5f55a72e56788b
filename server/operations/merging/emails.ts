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
