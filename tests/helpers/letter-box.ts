import type { Delivery, Mailer, Message } from "../../server/email/mailer.ts";

/** A mailer that keeps in memory what it was given, and answers as it is told. */
export type LetterBox = Mailer & {
  letters: Message[];
  /** Replaced by tests whose mail does not go. */
  answer(message: Message): Delivery | Promise<Delivery>;
};

export function createLetterBox(): LetterBox {
  const box: LetterBox = {
    letters: [],
    answer: () => ({ ok: true }),
    async send(message) {
      box.letters.push(message);
      return box.answer(message);
    },
    check: async () => ({ isWell: true, says: "Letters are kept in memory." }),
    close: () => undefined,
  };
  return box;
}
