import { MINUTE_IN_MS } from "../../platform/clock.ts";
import { CODE_LIFE_IN_MS } from "./challenges.ts";
import {
  button,
  code,
  composeEmail,
  type EmailContent,
  greet,
  paragraph,
  type Sender,
} from "../../platform/email/layout.ts";

export const CODE_LIFE_IN_MINUTES = CODE_LIFE_IN_MS / MINUTE_IN_MS;

/** `link` has the effect of the six digits. */
type CodeEmailFacts = { sender: Sender; firstName: string; digits: string; link: string };

type CodeEmailTexts = {
  subject: string;
  purpose?: string;
  /** The page on which the code is typed: "on the page you came from". */
  where: string;
  button: string;
  otherwise: string;
  why: string;
};

/** An email with a code and a link. It may reach a stranger, so nothing happens until they act. */
export function composeCodeEmail(
  { sender, firstName, digits, link }: CodeEmailFacts,
  texts: CodeEmailTexts,
): EmailContent {
  const ask = `Here is your code. Enter it ${texts.where}. It works for ${CODE_LIFE_IN_MINUTES} minutes.`;
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
