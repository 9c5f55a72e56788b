import { argon2, randomBytes, type Argon2Parameters } from "node:crypto";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import type * as CommonLanguage from "@zxcvbn-ts/language-common";

import { createGate } from "../../platform/gate.ts";
import { toPasswordText } from "../../platform/text.ts";
import { isBehindForeignHash } from "./foreign-hashes.ts";
import { fromBase64, isSameTag, listSpellings, readHash } from "./password-forms.ts";

/** OWASP's password storage cheat sheet: Argon2id with 19 MiB, two passes, one lane. Only tests' set-up changes it. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

/** Node has four threads for all work off the main one, and they compress pages too. */
const THREADS_FOR_HASHES = 3;

/** Leaves a processor and a thread for pages: a hash takes some 30 ms. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(THREADS_FOR_HASHES, availableParallelism() - 1));
const hashing = createGate(HASHES_AT_ONCE);

const hash = promisify(argon2) as (algorithm: "argon2id", parameters: Argon2Parameters) => Promise<Buffer>;

/** A PHC string with its own salt. Runs off the main thread. */
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

/** A hash of any other form is replaced when its member logs in. */
export function isOwnHash(stored: string): boolean {
  return stored.startsWith(ownStart());
}

/** A checkable form of another system; a check takes up to half a second. */
export function isForeignHash(stored: string): boolean {
  return !isOwnHash(stored) && readHash(stored).ok;
}

/**
 * Tries every Unicode form in which `password` may have been typed. Without a hash (no such member) it takes as long as
 * with the hash `like`, or one of ours, and is never right.
 */
export async function verifyPassword(password: string, stored: string | undefined, like?: string): Promise<boolean> {
  const compared = stored ?? like ?? (await decoy());
  if (isForeignHash(compared)) {
    return (await isBehindForeignHash({ password, stored: compared })) && stored === compared;
  }
  // An import of an earlier version stored a hash that is too costly to check: its member chooses a new password.
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

/** Has the form of a hash, but matches no password. */
export function makeUnusableHash(): string {
  return `${ownStart()}${toBase64(randomBytes(SALT_LENGTH))}$${toBase64(randomBytes(TAG_LENGTH))}`;
}

let decoyHash: Promise<string> | undefined;

function decoy(): Promise<string> {
  decoyHash ??= hashPassword(randomBytes(SALT_LENGTH).toString("hex"));
  return decoyHash;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

/**
 * Any characters are allowed, but no password that an attacker would guess first (NIST SP 800-63B, section 3.1.1.2:
 * common passwords, and words of the service and the person).
 */
export type PasswordRefusal = "short" | "long" | "common";

export type PasswordOwner = { productName: string; email: string; names: readonly string[] };

/** In characters as people count them (docs/behaviour.md, Log-in). */
const MIN_LENGTH = 8;
/** In UTF-16 units: no form may make us hash a megabyte. */
const MAX_LENGTH = 1024;

/** Up to this length a repeated unit is as weak as one character: abab…, 12341234. */
const LONGEST_UNIT = 5;
const SHORTEST_RUN = 3;
/** In UTF-16 units: no accepted name or address is longer. */
const LONGEST_NAME = 256;
/** Single letters make up too many words. */
const SHORTEST_WORD = 2;

/** `undefined` when `typed` is acceptable. Capitals do not make a common password acceptable. */
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

/** Only runs of three or more characters that count up, down or repeat: 12345678, hgfedcba, abcd1234, aaaabbbb. */
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

/** Without case, accents, digits and punctuation: `Dormouse2026!` becomes `dormouse`. */
function toPlainLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}]/gu, "");
}

/**
 * The product's name, the parts of the person's names, and the local part of the address, with and without a `+tag`.
 */
function listWords({ productName, email, names: typedNames }: PasswordOwner): string[] {
  // Each word is compared at each character, and names may not have been checked yet.
  const names = typedNames.map((name) => name.slice(0, LONGEST_NAME));
  const [localPart = ""] = email.slice(0, LONGEST_NAME).split("@");
  const [mailbox = ""] = localPart.split("+");
  const parts = names.flatMap((name) => name.split(/[\s\p{Pd}]+/u));
  return [productName, localPart, mailbox, ...names, ...parts]
    .map(toPlainLetters)
    .filter((word) => word.length >= SHORTEST_WORD);
}

function isMadeOfWords(text: string, words: string[]): boolean {
  const ends = new Set([0]);
  for (let place = 0; place < text.length; place += 1) {
    if (!ends.has(place)) continue;
    for (const word of words) if (text.startsWith(word, place)) ends.add(place + word.length);
  }
  return text !== "" && ends.has(text.length);
}

let loadedPasswords: ReadonlySet<string> | undefined;

/** About 18,000 of the most used passwords, lower case. Loaded at the first use. */
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

/** Checks the password, then its repetition. The rules of sign-up (ASVS 6.2.1). */
export function checkNewPassword(
  { password, confirmation }: NewPassword,
  owner: { productName: string; email: string; firstName: string; lastName: string },
): NewPasswordRefusal[] {
  const whose: PasswordOwner = { ...owner, names: [owner.firstName, owner.lastName] };
  const fault = checkPassword(password, whose);
  const refusals: NewPasswordRefusal[] = fault === undefined ? [] : [`password-${fault}`];
  return isSamePassword(password, confirmation) ? refusals : [...refusals, "password-mismatch"];
}
