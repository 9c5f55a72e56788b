import type { PartCheck } from "../part-check.ts";
import type { LetterFacts } from "./letters/letter.ts";

/** Whoever carries letters out of the house: files in a folder, or a mail server. */
export type Mailer = {
  /**
   * Hands one message over, and answers within a minute: the outbox holds a letter for only so long before it tries again.
   * The same message may come twice, after a crash between sending it and noting it; it then has the same id.
   */
  send(message: Message): Promise<Delivery>;
  /** Whether it would take a letter now, without sending one. */
  check(): Promise<PartCheck>;
  /** Lets go of open connections. */
  close(): void;
};

/** One letter, addressed. */
export type Message = {
  /** The same for the same letter, however often it is tried: it names its file and its Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** For a mailer that has letters of its own. */
  facts?: LetterFacts;
  createdAt: Date;
};

/** `isPermanent`: it will not go however often it is tried. The reason is for operators and may name the address. */
export type Delivery = { ok: true } | { ok: false; isPermanent: boolean; reason: string };
