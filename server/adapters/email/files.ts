import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { writeWholeFile } from "../../platform/disk-files.ts";
import type { Mailer, Message } from "../../platform/email/sending.ts";
import { lazy } from "../../platform/lazy.ts";
import { findAddressFault, toMail, type Sender } from "./message.ts";

/** For a new folder: each email is for one person only. */
const OWNER_ONLY = 0o700;

/**
 * One `.eml` file a message, its name starting with a sortable time in UTC; it appears whole or not at all. The folder
 * is created when it is missing. The same message twice is one file.
 */
export function createMailFiles({ folder, ...sender }: Sender & { folder: string }): Mailer {
  const openComposer = lazy(async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  });

  async function compose(email: Message): Promise<Buffer> {
    const { text, html } = email;
    // Only beside an HTML part: alone, a raw part would be the whole message, without its headers.
    const isRaw = html !== "" && isReadableAsItIs(text);
    const composer = await openComposer();
    const { message } = await composer.sendMail({
      ...toMail(email, sender),
      ...(isRaw ? { text: { raw: textPart(text) } } : {}),
    });
    return message as Buffer;
  }

  return {
    async send(message) {
      const fault = findAddressFault(message);
      if (fault) return fault;
      try {
        await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
        const bytes = await compose(message);
        await writeWholeFile(join(folder, fileName(message)), (draft) => writeFile(draft, bytes));
        return { ok: true };
      } catch (error) {
        return { ok: false, isPermanent: false, reason: `We couldn't write the mail file: ${String(error)}` };
      }
    },

    async check() {
      try {
        await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
        const probe = join(folder, `.${randomUUID()}.probe`);
        await writeFile(probe, "");
        await rm(probe);
        return { isWell: true, message: `Emails become files in ${folder}.` };
      } catch (error) {
        return {
          isWell: false,
          message: `We can't write to ${folder}: ${String(error)}. Can this user write there?`,
        };
      }
    },

    close: () => undefined,
  };
}

/** `20261120T030000000Z-receipt-x.eml`; slashes and dots in an id cannot lead out of the folder. */
function fileName({ id, createdAt }: Message): string {
  return `${createdAt.toISOString().replace(/[-:.]/g, "")}-${encodeURIComponent(id)}.eml`;
}

/** RFC 5322, 2.1.1: no line of a message is longer. */
const LINE_MAX_BYTES = 998;

/** Short lines, and no control characters but tabs and newlines, need no encoding. */
function isReadableAsItIs(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the pattern looks for these
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return false;
  return text.split("\n").every((line) => Buffer.byteLength(line) <= LINE_MAX_BYTES);
}

/**
 * A text part readable in the raw file. The composer encodes every text with a line over 76 characters, which breaks
 * links, and only a mail server needs that.
 */
function textPart(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length;
  const head = `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: ${isAscii ? "7bit" : "8bit"}`;
  return `${head}\n\n${text}`;
}
