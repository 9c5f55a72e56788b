import type { SendMailOptions } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";

import type { Delivery, Message } from "../../email/mailer.ts";

/** Who a message is from: an address, perhaps with a name before it, and where answers go. */
export type Sender = { from: string; replyTo: string };

/**
 * A message as the composer takes it, the same whoever carries it. Values are put into headers by the composer, which lets no line
 * break through; the address is one address and never a list.
 */
export function toMail(
  { id, to, subject, text, html, createdAt }: Message,
  { from, replyTo }: Sender,
): SendMailOptions {
  return {
    from,
    replyTo,
    to: { name: "", address: to },
    subject,
    text,
    html,
    date: createdAt,
    messageId: `<${encodeURIComponent(id)}@${domainOf(from)}>`,
    // RFC 3834, and Exchange's own header beside it: out-of-office answers stay away. There is no List-Unsubscribe: every email answers
    // what its reader did or paid for, and providers ask for that header in promotional mail alone.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What is answered for a message whose `to` is not one address: no carrier would ever take it. */
export function findAddressFault({ to }: Message): Delivery | undefined {
  if (isOneAddress(to)) return undefined;
  return { ok: false, isPermanent: true, reason: `${JSON.stringify(to)} is not one e-mail address` };
}

/** The address of a sender, with or without a name before it. */
export function addressOf(from: string): string {
  const [sender] = addressparser(from, { flatten: true });
  return sender?.address ?? "";
}

/** RFC 5321, 4.5.3.1.3: a path has 256 octets at most, two of which are its brackets. */
const ADDRESS_MAX_BYTES = 254;

/** Quoted names and comments, which RFC 5321 allows before the @, are nobody's address and the way to smuggle a second one. */
function isOneAddress(address: string): boolean {
  return (
    Buffer.byteLength(address) <= ADDRESS_MAX_BYTES &&
    /^[^\p{C}\s@<>()[\]\\,;:"]+@[^\p{C}\s@<>()[\]\\,;:"]+$/u.test(address)
  );
}

function domainOf(from: string): string {
  return addressOf(from).split("@").at(-1) || "localhost";
}
