/** A written letter, before it has an address. */
export type Letter = { subject: string; text: string; html: string };

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
