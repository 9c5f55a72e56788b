import type { LetterHouse } from "./letters/letter.ts";
import type { Outbox } from "./outbox.ts";

export type PostSetting = {
  outbox: Outbox;
  product: { name: string; contactEmail: string };
  /** The site in letters that no visitor's request is the cause of. */
  site: string;
};

/** Who writes, seen from a site. */
export function toHouse({ name, contactEmail }: PostSetting["product"], site: string): LetterHouse {
  return { productName: name, contactEmail, site };
}

/** Enough of a secret to tell two apart, too little to be of use. */
export function toCause(token: string): string {
  return token.slice(0, 8);
}
