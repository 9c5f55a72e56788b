import type { SendMailOptions } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";

import { MARK_ID, readMark } from "../../platform/email/mark.ts";
import type { Delivery, Message } from "../../platform/email/sending.ts";

/** `from`: an address with or without a name; `replyTo`: for emails that name none themselves. */
export type Sender = { from: string; replyTo: string };

/**
 * A message for Nodemailer, the same for every mailer. Nodemailer writes the headers and lets no line break through;
 * the recipient is one address and never a list.
 */
export function toMail(
  { id, to, subject, text, html, createdAt, ...own }: Message,
  { from, replyTo }: Sender,
): SendMailOptions {
  return {
    from,
    replyTo: own.replyTo ?? replyTo,
    to: { name: "", address: to },
    subject,
    text,
    html,
    attachments: html.includes(`cid:${MARK_ID}`) ? [mark()] : [],
    date: createdAt,
    messageId: `<${encodeURIComponent(id)}@${readDomain(from)}>`,
    // RFC 3834, and Exchange's own header, prevent out-of-office replies.
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(own.unsubscribe !== undefined && toUnsubscribeHeaders(own.unsubscribe)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** In the HTML part's own bundle, so that no mail program lists it as a file. */
function mark(): NonNullable<SendMailOptions["attachments"]>[number] {
  return {
    cid: MARK_ID,
    content: readMark(),
    contentType: "image/png",
    contentDisposition: "inline",
    filename: "mark.png",
  };
}

/** RFC 8058: mail programs end these emails by one POST. Emails on what readers did or paid for have none. */
function toUnsubscribeHeaders(address: string): Record<string, string> {
  return { "List-Unsubscribe": `<${address}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** A permanent failure, because no mailer accepts a `to` that is not one address. */
export function findAddressFault({ to }: Message): Delivery | undefined {
  if (isOneAddress(to)) return undefined;
  return { ok: false, isPermanent: true, reason: `${JSON.stringify(to)} isn't one email address` };
}

export function readAddress(from: string): string {
  const [sender] = addressparser(from, { flatten: true });
  return sender?.address ?? "";
}

/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of which are its brackets. */
const ADDRESS_MAX_BYTES = 254;

/** Refuses quoted names and comments before the @ (RFC 5321), which can smuggle in a second address. */
function isOneAddress(address: string): boolean {
  return (
    Buffer.byteLength(address) <= ADDRESS_MAX_BYTES &&
    /^[^\p{C}\s@<>()[\]\\,;:"]+@[^\p{C}\s@<>()[\]\\,;:"]+$/u.test(address)
  );
}

function readDomain(from: string): string {
  return readAddress(from).split("@").at(-1) || "localhost";
}
