import { argon2Sync, createHmac, hash as digest, pbkdf2Sync, timingSafeEqual } from "node:crypto";
import { createRequire } from "node:module";
import type * as Bcrypt from "bcryptjs";

import { lazy } from "../../platform/lazy.ts";
import { toPasswordText } from "../../platform/text.ts";

/**
 * The forms of stored hashes: our own, and those of other systems until their members log in. An import refuses a hash
 * whose check would cost far more than its software asks, so no stored hash can block the server.
 */
export type PasswordHash = {
  wanted: Buffer;
  /** Returns a hash as long as `wanted`. Takes up to half a second, so only the thread calls it. */
  derive: (text: string) => Buffer;
  /** The texts that may have been hashed for a typed password: two at most, because each costs a check. */
  listTexts: (password: string) => string[];
};

/** `unknown`: no listed form. `costly`: its check would take too long. */
export type HashRefusal = "unknown" | "costly";

export type ReadHash = { ok: true; hash: PasswordHash } | { ok: false; reason: HashRefusal };

type Form = { pattern: RegExp; read: (parts: string[]) => PasswordHash | HashRefusal };

/** The highest costs: more than each software asks today, and about half a second here. */
const MAX_BCRYPT_COST = 12;
const MAX_PBKDF2_ROUNDS = 1_500_000;
const MAX_PHPASS_POWER = 17;
/** In KiB, and in KiB times passes. */
const MAX_ARGON2_MEMORY = 262_144;
const MAX_ARGON2_WORK = 1_048_576;
const MAX_ARGON2_LANES = 16;
/** bcrypt allows no less. */
const MIN_BCRYPT_COST = 4;

const forms: Form[] = [
  // PHC strings, ours and others'; Django puts its own name before them.
  {
    pattern:
      /^(?:argon2)?\$(argon2(?:id|i|d))\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$([\w+/]{8,128})\$([\w+/]{16,128})$/,
    read: readArgon2,
  },
  // WordPress up to 6.7: phpass.
  {
    pattern: /^\$P\$([./0-9A-Za-z])(.{8})([./0-9A-Za-z]{22})$/,
    read: (parts) => readPhpass(parts, listWordpressSpellings),
  },
  // phpBB writes the same under another name.
  { pattern: /^\$H\$([./0-9A-Za-z])(.{8})([./0-9A-Za-z]{22})$/, read: (parts) => readPhpass(parts, listSpellings) },
  // WordPress since 6.8: bcrypt of an HMAC, so that long passwords count whole.
  {
    pattern: /^\$wp\$2y\$(\d\d)\$([./0-9A-Za-z]{53})$/,
    read: (parts) => readBcrypt(parts, { toText: toWordpressText, listTexts: listWordpressSpellings }),
  },
  // PHP's password_hash, Laravel, Rails. The letters name bugs of old libraries, not other hashes.
  {
    pattern: /^\$2[aby]\$(\d\d)\$([./0-9A-Za-z]{53})$/,
    read: (parts) => readBcrypt(parts, { toText: (text) => text, listTexts: listSpellings }),
  },
  // Django.
  {
    pattern: /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,10})\$([^$\s]{1,128})\$([\w+/]{20,128}={0,2})$/,
    read: ([name, rounds, salt = "", tag]) => readPbkdf2(name, rounds, { salt: Buffer.from(salt), tag }),
  },
  // The PHC string of PBKDF2, and passlib's, which names no parameter and writes "." for "+".
  {
    pattern: /^\$pbkdf2-?(sha1|sha256|sha512)?\$(?:i=)?(\d{1,10})(?:,l=\d{1,3})?\$([\w+/.]{1,128})\$([\w+/.]{20,128})$/,
    read: ([name = "sha1", rounds, salt, tag]) =>
      readPbkdf2(name, rounds, { salt: fromBase64(salt), tag: tag?.replaceAll(".", "+") }),
  },
];

/** Ignores white space around it. */
export function readHash(stored: string): ReadHash {
  for (const { pattern, read } of forms) {
    const [whole, ...parts] = pattern.exec(stored.trim()) ?? [];
    if (whole === undefined) continue;
    const hash = read(parts);
    return typeof hash === "string" ? { ok: false, reason: hash } : { ok: true, hash };
  }
  return { ok: false, reason: "unknown" };
}

type Argon2 = Parameters<typeof argon2Sync>[0];

function readArgon2([algorithm = "", memoryText, passesText, lanesText, salt, tag]: string[]):
  | PasswordHash
  | HashRefusal {
  const [memory = 0, passes = 0, parallelism = 0] = [memoryText, passesText, lanesText].map(Number);
  const [nonce, wanted] = [fromBase64(salt), fromBase64(tag)];
  if (memory > MAX_ARGON2_MEMORY || memory * passes > MAX_ARGON2_WORK || parallelism > MAX_ARGON2_LANES)
    return "costly";
  // RFC 9106, section 3.1: with less it is no Argon2.
  if (passes < 1 || parallelism < 1 || memory < 8 * parallelism || nonce.length < 8) return "unknown";
  const parameters = { nonce, memory, passes, parallelism, tagLength: wanted.length };
  return {
    wanted,
    derive: (message) => argon2Sync(algorithm as Argon2, { message, ...parameters }),
    listTexts: listSpellings,
  };
}

const PHPASS_LETTERS = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

type ListTexts = PasswordHash["listTexts"];

function readPhpass([cost = "", salt = "", tag = ""]: string[], listTexts: ListTexts): PasswordHash | HashRefusal {
  const power = PHPASS_LETTERS.indexOf(cost);
  if (power > MAX_PHPASS_POWER) return "costly";
  function derive(text: string): Buffer {
    const password = Buffer.from(text);
    let value = digest("md5", Buffer.concat([Buffer.from(salt), password]), "buffer");
    for (let round = 0; round < 2 ** power; round += 1) {
      value = digest("md5", Buffer.concat([value, password]), "buffer");
    }
    return value;
  }
  return { wanted: fromPhpass(tag), derive, listTexts };
}

/** The 16 bytes of phpass's 22 letters, six bits each, lowest first. */
function fromPhpass(tag: string): Buffer {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const letter of tag) {
    bits |= PHPASS_LETTERS.indexOf(letter) << count;
    count += 6;
    if (count < 8) continue;
    bytes.push(bits & 0xff);
    [bits, count] = [bits >> 8, count - 8];
  }
  return Buffer.from(bytes);
}

/** WordPress 6.8, `wp_hash_password`. */
function toWordpressText(password: string): string {
  return createHmac("sha384", "wp-sha384").update(password).digest("base64");
}

/** Loaded at the first use: most installations never need it. */
const bcrypt = lazy(() => createRequire(import.meta.url)("bcryptjs") as typeof Bcrypt);

/** The salt is 22 of the 53 letters: sixteen bytes, so its last letter is one of four. */
function readBcrypt(
  [cost = "", saltAndTag = ""]: string[],
  { toText, listTexts }: { toText: (text: string) => string; listTexts: ListTexts },
): PasswordHash | HashRefusal {
  if (Number(cost) > MAX_BCRYPT_COST) return "costly";
  if (Number(cost) < MIN_BCRYPT_COST || !/^.{21}[.Oeu]/.test(saltAndTag)) return "unknown";
  const start = `$2b$${cost}$`;
  return {
    wanted: Buffer.from(start + saltAndTag),
    derive: (text) => Buffer.from(bcrypt().hashSync(toText(text), start + saltAndTag.slice(0, 22))),
    listTexts,
  };
}

function readPbkdf2(
  name = "",
  rounds = "",
  { salt, tag }: { salt: Buffer; tag: string | undefined },
): PasswordHash | HashRefusal {
  const count = Number(rounds);
  if (count > MAX_PBKDF2_ROUNDS) return "costly";
  if (count < 1) return "unknown";
  const wanted = fromBase64(tag);
  return {
    wanted,
    derive: (text) => pbkdf2Sync(text, salt, count, wanted.length, name),
    listTexts: listSpellings,
  };
}

export function fromBase64(text = ""): Buffer {
  return Buffer.from(text.replaceAll(".", "+"), "base64");
}

/** The text that we hash, and those hashed before 2026-12 or by others: as typed, or decomposed. */
export function listSpellings(password: string): string[] {
  const text = toPasswordText(password);
  return firstTwo([text, password, text.normalize("NFD")]);
}

/**
 * WordPress trims white space. Its forms hash a password with a backslash before each quote and backslash, its commands
 * without.
 */
function listWordpressSpellings(password: string): string[] {
  const [text = "", ...others] = listSpellings(password).map((each) =>
    each.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, ""),
  );
  return firstTwo([text, text.replace(/['"\\]/g, "\\$&"), ...others]);
}

function firstTwo(texts: string[]): string[] {
  return [...new Set(texts)].slice(0, 2);
}

/** In constant time. */
export function isSameTag(tag: Buffer, wanted: Buffer): boolean {
  return tag.length === wanted.length && timingSafeEqual(tag, wanted);
}
