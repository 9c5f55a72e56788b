/** A written letter, before it has an address. */
export type Letter = { subject: string; text: string; html: string; facts?: LetterFacts };

/** What a letter says, for whoever writes it in words of their own: it has this name there. */
export type LetterFacts = {
  name: "verification";
  firstName: string;
  code: string;
  /** For the link; the front of which it is `site`. */
  token: string;
  site: string;
};

/** Who writes: what every letter needs to know of the house. `site` ends with a slash: `https://members.example.org/`. */
export type LetterHouse = { productName: string; contactEmail: string; site: string };

export type LetterKind =
  | "verification"
  | "receipt"
  | "welcome"
  | "refund"
  | "renewal-reminder"
  | "membership-ended"
  | "company-mandate"
  | "company-stopped"
  | "password-reset"
  | "password-changed"
  | "confirm-new-address"
  | "address-changed"
  | "account-closed"
  | "account-erased";
