/** A part that others run for us, such as a gateway. `isOpen`: it is configured, if only as a demo. */
export type Part = { isOpen: boolean; check(): Promise<PartCheck> };

/**
 * How a part that others run (database, CMS, gateway, mail server) answers a real request: what it is, or what is wrong
 * and how to mend it, in one line. It never contains a secret.
 */
export type PartCheck = {
  isWell: boolean;
  /** Nothing is broken, but operators should know. */
  isNote?: boolean;
  message: string;
};
