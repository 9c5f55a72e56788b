import { createHmac } from "node:crypto";

/** Hides a secret or an address at rest: the same text gives the same hash, and no text can be found without the key. */
export type KeyedHash = (text: string) => string;

/** HMAC-SHA-256 under the installation's secret; `purpose` keeps the hashes of two services apart. */
export function createKeyedHash(secret: string, purpose: string): KeyedHash {
  return (text) => createHmac("sha256", secret).update(`${purpose}\0${text}`).digest("base64url");
}
