import type { Delivery, Mailer, Message } from "../../server/platform/email/sending.ts";

/** Stores emails in memory, and answers as a test decides. */
export type EmailList = Mailer & {
  emails: Message[];
  /** Replaced by tests of failing mail. */
  answer(message: Message): Delivery | Promise<Delivery>;
};

export function createEmailList(): EmailList {
  const box: EmailList = {
    emails: [],
    answer: () => ({ ok: true }),
    async send(message) {
      box.emails.push(message);
      return box.answer(message);
    },
    check: async () => ({ isWell: true, message: "Emails are kept in memory." }),
    close: () => undefined,
  };
  return box;
}
