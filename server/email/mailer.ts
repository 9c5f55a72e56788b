import type { PartCheck } from "../part-check.ts";
import type { EmailFacts } from "./templates/layout.ts";

/** The part that carries emails away: files in a folder, or a mail server. */
export type Mailer = {
  /**
   * Hands one message over, and answers within a minute: the outbox holds an email for only so long before it tries again.
   * The same message may come twice, after a crash between sending it and noting it; it then has the same id.
   */
  send(message: Message): Promise<Delivery>;
  /** Whether it would take an email now, without sending one. */
  check(): Promise<PartCheck>;
  /** Lets go of open connections. */
  close(): void;
};

/** One email, addressed. */
export type Message = {
  /** The same for the same email, however often it is tried: it names its file and its Message-ID. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** For a mailer that has emails of its own. */
  facts?: EmailFacts;
  createdAt: Date;
};

/** `isPermanent`: it will not go however often it is tried. The reason is for operators and may name the address. */
export type Delivery = { ok: true } | { ok: false; isPermanent: boolean; reason: string };
