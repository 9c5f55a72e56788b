import { z } from "zod";

/* Checks that several parts' settings share. */

export const text = z.string().optional();
export const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });
export const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error).optional();

export function listMistakes(...cases: [isSo: unknown, sentence: string][]): string[] {
  return cases.filter(([isSo]) => isSo).map(([, sentence]) => sentence);
}

/** Passwords that attackers try first, and those of examples. */
const KNOWN =
  /^(?:postgres|dormouse|password|passw[o0]rd|passwort|secret|admin|root|user|test|demo|example|default|hunter2|letmein|qwerty|x+|\*+|changeme|yourpassword|yoursecret|yourkey)\d*$/;

/** Whether strangers could guess a secret: an example's, a common one, or few digits. */
export function isKnownSecret(secret: string): boolean {
  const plain = secret.toLowerCase().replaceAll(/[^\p{L}\p{N}*]/gu, "");
  return KNOWN.test(plain) || /^\d{1,10}$/.test(plain);
}

/** Placeholders of examples and of generators of settings. */
const PLACEHOLDER =
  /change.?(?:me|this|it)|replace.?(?:me|this|with)|your.?(?:own|secret|key|token|password)|placeholder/i;

/** Each secret must be long, random, and different from the others; mistakes by name. */
export function weakSecretMistakes(secrets: [name: string, secret: string][]): string[] {
  return secrets.flatMap(([name, secret], index) => {
    const same = secrets.slice(0, index).find(([, other]) => other === secret);
    if (secret.length < 32) return [`${name} is too short: give it 32 random characters or more`];
    if (isRegular(secret)) return [`${name} is too regular: use random characters`];
    if (PLACEHOLDER.test(secret)) return [`${name} is a placeholder: use random characters`];
    return same ? [`${name} is the same as ${same[0]}: give each its own`] : [];
  });
}

/** Few different characters, a repeated piece, or characters mostly in alphabetical order. */
function isRegular(secret: string): boolean {
  const steps = Array.from(secret, (_, at) => secret.charCodeAt(at) - secret.charCodeAt(at - 1));
  const inOrder = steps.filter((step) => Math.abs(step) <= 1).length;
  return new Set(secret).size < 10 || /^(.{1,16}?)\1+.{0,15}$/s.test(secret) || inOrder > secret.length / 2;
}
