import { toStart } from "../../platform/london-calendar.ts";
import type { MonthlyEmail } from "./newsletter.ts";
import {
  composeEmail,
  type Email,
  type EmailSettings,
  greet,
  linkList,
  oneLine,
  paragraph,
  quietLink,
  toSender,
} from "../../platform/email/layout.ts";

/** A longer list would not be read; the rest is a link away. */
const ITEMS_MAX = 12;

const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "Europe/London" });

const TITLE_MAX_LENGTH = 100;

function shorten(title: string): string {
  const letters = Array.from(oneLine(title));
  return letters.length > TITLE_MAX_LENGTH ? `${letters.slice(0, TITLE_MAX_LENGTH - 1).join("")}…` : letters.join("");
}

/** All members get the same list. */
export function newsletterEmail(
  { member: { id, email, firstName }, month, items, endLink }: MonthlyEmail,
  { product, site }: EmailSettings,
): Email {
  const name = monthName.format(toStart(month));
  const shown = items.slice(0, ITEMS_MAX);
  const more = items.length - shown.length;
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `New in ${name}`,
    why: "You asked for this email. It comes once a month at most, and only when there is something new.",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Here's what was new at ${oneLine(product.name)} in ${name}.`),
      linkList(shown.map(({ title, what, path }) => ({ label: shorten(title), note: what, url: `${site}${path}` }))),
      ...(more > 0 ? [paragraph(`And ${more} more.`), quietLink(`Go to ${oneLine(product.name)}`, site)] : []),
      quietLink("Stop these emails", endLink),
    ],
  });
  return {
    kind: "newsletter",
    cause: `member-${id} ${month}`,
    to: email,
    memberId: id,
    mail: { ...mail, unsubscribe: endLink },
  };
}
