/** A part that others run for us. `isOpen`: something is configured, if only the demo's. */
export type Part = { isOpen: boolean; check(): Promise<PartCheck> };

/**
 * How a part that others run (database, CMS, gateway, mail server) answers when it is really asked: what it is, or what is wrong
 * and what to do about it, in one line. It never names a secret.
 */
export type PartCheck = {
  isWell: boolean;
  /** Nothing is broken, but operators should know. */
  isNote?: boolean;
  message: string;
};
