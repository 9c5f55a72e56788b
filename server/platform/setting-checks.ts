import { z } from "zod";

/* The checks that settings of several parts share. */

export const text = z.string().optional();
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });
export const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error).optional();

/** The sentences of all cases that are so. */
export function listMistakes(...cases: [isSo: unknown, sentence: string][]): string[] {
  return cases.filter(([isSo]) => isSo).map(([, sentence]) => sentence);
}

/** Passwords and keys that are tried first, and those of examples. */
const KNOWN =
  /^(?:postgres|dormouse|password|passw[o0]rd|passwort|secret|admin|root|user|test|demo|example|default|hunter2|letmein|qwerty|x+|\*+|changeme|yourpassword|yoursecret|yourkey)\d*$/;

/** Whether strangers could guess a secret: one of an example, one that is tried first, or few digits. */
export function isKnownSecret(secret: string): boolean {
  const plain = secret.toLowerCase().replaceAll(/[^\p{L}\p{N}*]/gu, "");
  return KNOWN.test(plain) || /^\d{1,10}$/.test(plain);
}

/** The words that an example or a generator of settings leaves to be filled in. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this|with)|your.?(?:own|secret|key|token|password)|placeholder/i;

/**
 * The mistakes in secrets that operators make up, by the name of each: each is long, random, and another than the others.
 */
export function weakSecretMistakes(secrets: [name: string, secret: string][]): string[] {
  return secrets.flatMap(([name, secret], index) => {
    const same = secrets.slice(0, index).find(([, other]) => other === secret);
    if (secret.length < 32) return [`${name} is too short: give it 32 random characters or more`];
    if (isRegular(secret)) return [`${name} is too regular: take random characters`];
    if (PLACEHOLDER.test(secret)) return [`${name} is a placeholder: take random characters`];
    return same ? [`${name} is the same as ${same[0]}: give each its own`] : [];
  });
}

/** Few characters, a short piece again and again, or mostly characters in the order of the alphabet. */
function isRegular(secret: string): boolean {
  const steps = Array.from(secret, (_, at) => secret.charCodeAt(at) - secret.charCodeAt(at - 1));
  const inOrder = steps.filter((step) => Math.abs(step) <= 1).length;
  return new Set(secret).size < 10 || /^(.{1,16}?)\1+.{0,15}$/s.test(secret) || inOrder > secret.length / 2;
}
