import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

import { after, type Clock } from "./clock.ts";

/** Encrypts texts at rest: a sealed text opens only unaltered, with the same secret and purpose. */
export type Seal = {
  seal(text: string): string;
  /** `undefined` when it was altered, or sealed with another secret or purpose. */
  open(sealed: string): string | undefined;
};

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** NIST SP 800-38D: 96 bits, random; good for 2^32 texts under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under a key derived from the installation's secret by HKDF-SHA-256; `purpose` separates the keys of
 * services.
 */
export function createSeal(secret: string, purpose: string): Seal {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", `seal\0${purpose}`, KEY_BYTES));
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const hidden = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString("base64url");
    },

    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      // Decoding ignores strange characters and spare bits; a sealed text has one spelling.
      if (bytes.toString("base64url") !== sealed || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(tag);
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/** The same text gives the same hash; without the key no text can be found. */
export type KeyedHash = (text: string) => string;

/** HMAC-SHA-256; `purpose` separates the hashes of services. */
export function createKeyedHash(secret: string, purpose: string): KeyedHash {
  return (text) => createHmac("sha256", secret).update(`${purpose}\0${text}`).digest("base64url");
}

export type SignedIds = ReturnType<typeof createSignedIds>;

/**
 * Tokens that name one id and that no stranger can make up; nothing is stored of them. Without `expiry` they are valid
 * for ever.
 */
export function createSignedIds(hash: KeyedHash, expiry?: { clock: Clock; lifeInMs: number }) {
  return {
    make(id: number): string {
      const claim = expiry ? `${id}.${after(expiry.clock(), expiry.lifeInMs).getTime()}` : String(id);
      return `${claim}.${hash(claim)}`;
    },

    /** `undefined` for a token that is not ours or has expired. */
    read(token: string): number | undefined {
      const form = /^(([1-9]\d{0,14})(?:\.(\d{1,15}))?)\.([\w-]{43})$/;
      const [, claim = "", id = "", endsAt, signature = ""] = form.exec(token) ?? [];
      const isValid = !expiry || expiry.clock().getTime() < Number(endsAt);
      return isSameSecret(signature, hash(claim)) && isValid ? Number(id) : undefined;
    },
  };
}

/** In constant time: hashes have one length. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
