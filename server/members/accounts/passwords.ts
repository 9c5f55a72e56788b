import { argon2, randomBytes, type Argon2Parameters } from "node:crypto";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import type * as CommonLanguage from "@zxcvbn-ts/language-common";

import { createGate } from "../../platform/gate.ts";
import { toPasswordText } from "../../platform/text.ts";
import { isBehindForeignHash } from "./foreign-hashes.ts";
import { fromBase64, isSameTag, listSpellings, readHash } from "./password-forms.ts";

/** OWASP's password storage cheat sheet: Argon2id with 19 MiB, two passes, one lane. Named elsewhere only by the set-up of tests. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

/** Node has four threads for all work off the main one, and pages are compressed there. */
const THREADS_FOR_HASHES = 3;

/** Leaves a processor and a thread to the pages: a hash takes some 30 ms of one. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(THREADS_FOR_HASHES, availableParallelism() - 1));
const hashing = createGate(HASHES_AT_ONCE);

const hash = promisify(argon2) as (algorithm: "argon2id", parameters: Argon2Parameters) => Promise<Buffer>;

/** A PHC string with a salt of its own. Runs off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_LENGTH);
  const message = toPasswordText(password);
  const tag = await hashing(() => hash("argon2id", { message, nonce, tagLength: TAG_LENGTH, ...passwordCost }));
  return `${ownStart()}${toBase64(nonce)}$${toBase64(tag)}`;
}

function ownStart(): string {
  const { memory, passes, parallelism } = passwordCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;
}

/** Whether a stored hash is as `hashPassword` makes them now: any other is made anew when its member logs in. */
export function isOwnHash(stored: string): boolean {
  return stored.startsWith(ownStart());
}

/** Whether a stored hash is of a form from elsewhere that can be checked: that takes up to half a second. */
export function isForeignHash(stored: string): boolean {
  return !isOwnHash(stored) && readHash(stored).ok;
}

/**
 * Whether `password` is the one behind a stored hash, in whichever form of Unicode it was typed. Without a hash (no such member) it takes
 * as long as with the hash `like`, or one of ours, and is never right.
 */
export async function verifyPassword(password: string, stored: string | undefined, like?: string): Promise<boolean> {
  const compared = stored ?? like ?? (await decoy());
  if (isForeignHash(compared)) {
    return (await isBehindForeignHash({ password, stored: compared })) && stored === compared;
  }
  // A hash that costs too much to check, from an import of an earlier version: its member chooses a new password.
  const own = isOwnHash(compared) ? compared : await decoy();
  const read = stored === undefined ? undefined : readHash(stored);
  if (read?.ok === false && read.reason === "unknown") throw new Error("A stored password hash cannot be read");
  return (await isBehindOwnHash(password, own)) && stored === own;
}

async function isBehindOwnHash(password: string, stored: string): Promise<boolean> {
  const [nonce, wanted] = stored.slice(ownStart().length).split("$").map(fromBase64);
  if (!nonce || !wanted) throw new Error("A stored password hash cannot be read");
  const parameters = { nonce, tagLength: wanted.length, ...passwordCost };
  const tags: Buffer[] = [];
  for (const message of listSpellings(password)) {
    tags.push(await hashing(() => hash("argon2id", { message, ...parameters })));
  }
  return tags.some((tag) => isSameTag(tag, wanted));
}

/** Has the form of a hash, but belongs to no password. */
export function makeUnusableHash(): string {
  return `${ownStart()}${toBase64(randomBytes(SALT_LENGTH))}$${toBase64(randomBytes(TAG_LENGTH))}`;
}

let decoyHash: Promise<string> | undefined;

/** One of ours, made once. */
function decoy(): Promise<string> {
  decoyHash ??= hashPassword(randomBytes(SALT_LENGTH).toString("hex"));
  return decoyHash;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

/**
 * Why a password is refused. Any characters are allowed, as they were typed, unless an attacker would guess the password first (NIST SP
 * 800-63B, section 3.1.1.2: a list of common ones, and words of the service and of the person).
 */
export type PasswordRefusal = "short" | "long" | "common";

export type PasswordOwner = { productName: string; email: string; names: readonly string[] };

/** In characters as a person counts them. docs/behaviour.md, Log-in. */
const MIN_LENGTH = 8;
/** In UTF-16 units, so that no form makes the hash work on a megabyte. */
const MAX_LENGTH = 1024;

/** Up to this length a repeated unit is as weak as one character: abab…, 12341234. */
const LONGEST_UNIT = 5;
const SHORTEST_RUN = 3;
/** In UTF-16 units: no name or address that is accepted is longer. */
const LONGEST_NAME = 256;
/** Single letters make up too many words. */
const SHORTEST_WORD = 2;

/** Why `typed` may not be the password of `owner`; `undefined` when it may. Capitals do not make a common one acceptable. */
export function checkPassword(typed: string, owner: PasswordOwner): PasswordRefusal | undefined {
  if (typed.length > MAX_LENGTH) return "long";
  const password = toPasswordText(typed);
  if (Array.from(password).length < MIN_LENGTH) return "short";
  const characters = Array.from(password.toLowerCase());
  const isCommon =
    isRepeated(characters) ||
    isMadeOfRuns(characters) ||
    isMadeOfWords(toPlainLetters(password), listWords(owner)) ||
    commonPasswords().has(characters.join(""));
  return isCommon ? "common" : undefined;
}

function isRepeated(characters: string[]): boolean {
  for (let length = 1; length <= LONGEST_UNIT; length += 1) {
    if (characters.every((character, place) => character === characters[place % length])) return true;
  }
  return false;
}

/** Nothing but runs of three or more characters that count up, down or repeat: 12345678, hgfedcba, abcd1234, aaaabbbb. */
function isMadeOfRuns(characters: string[]): boolean {
  const points = characters.map((character) => character.codePointAt(0) ?? 0);
  const stepTo = (place: number) => (points[place] ?? Number.NaN) - (points[place - 1] ?? Number.NaN);
  let start = 0;
  while (start < points.length) {
    const step = stepTo(start + 1);
    let end = start + 1;
    while (Math.abs(step) <= 1 && stepTo(end) === step) end += 1;
    if (end - start < SHORTEST_RUN) return false;
    start = end;
  }
  return true;
}

/** Without case, accents, digits and punctuation: what is left of `Dormouse2026!` is `dormouse`. */
function toPlainLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}]/gu, "");
}

/** The product's name, the person's names with their parts, and the local part of the address, with and without a `+tag`. */
function listWords({ productName, email, names: typedNames }: PasswordOwner): string[] {
  // Each word is compared at each character of the password, and names may not have been checked yet.
  const names = typedNames.map((name) => name.slice(0, LONGEST_NAME));
  const [localPart = ""] = email.slice(0, LONGEST_NAME).split("@");
  const [mailbox = ""] = localPart.split("+");
  const parts = names.flatMap((name) => name.split(/[\s\p{Pd}]+/u));
  return [productName, localPart, mailbox, ...names, ...parts]
    .map(toPlainLetters)
    .filter((word) => word.length >= SHORTEST_WORD);
}

/** Whether a text is one or more of `words`, one after another. */
function isMadeOfWords(text: string, words: string[]): boolean {
  const ends = new Set([0]);
  for (let place = 0; place < text.length; place += 1) {
    if (!ends.has(place)) continue;
    for (const word of words) if (text.startsWith(word, place)) ends.add(place + word.length);
  }
  return text !== "" && ends.has(text.length);
}

let loadedPasswords: ReadonlySet<string> | undefined;

/** About 18,000 of the passwords that people use most, lower case. Loaded on first use: few processes ever need them. */
function commonPasswords(): ReadonlySet<string> {
  if (!loadedPasswords) {
    const require = createRequire(import.meta.url);
    const { dictionary } = require("@zxcvbn-ts/language-common") as typeof CommonLanguage;
    loadedPasswords = new Set(dictionary["passwords-common"].filter((password) => password.length >= MIN_LENGTH));
  }
  return loadedPasswords;
}

/** Whether two fields hold one password, as a person sees them. */
export function isSamePassword(password: string, confirmation: string): boolean {
  return toPasswordText(password) === toPasswordText(confirmation);
}

export type NewPassword = { password: string; confirmation: string };

export type NewPasswordRefusal = `password-${PasswordRefusal | "mismatch"}`;

/** Why a password may not be set: what is wrong with it, then whether its repetition differs. The rules of sign-up (ASVS 6.2.1). */
export function checkNewPassword(
  { password, confirmation }: NewPassword,
  owner: { productName: string; email: string; firstName: string; lastName: string },
): NewPasswordRefusal[] {
  const whose: PasswordOwner = { ...owner, names: [owner.firstName, owner.lastName] };
  const fault = checkPassword(password, whose);
  const refusals: NewPasswordRefusal[] = fault === undefined ? [] : [`password-${fault}`];
  return isSamePassword(password, confirmation) ? refusals : [...refusals, "password-mismatch"];
}
