import type { Delivery, Mailer, Message } from "../../server/platform/email/sending.ts";

/** A mailer that keeps in memory what it was given, and answers as a test says. */
export type EmailList = Mailer & {
  emails: Message[];
  /** Replaced by tests whose mail does not go. */
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
