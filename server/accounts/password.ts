import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from "node:crypto";
import { promisify } from "node:util";

/** OWASP's password storage cheat sheet: Argon2id with 19 MiB, two passes, one lane. Named elsewhere only by the set-up of tests. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

const derive = promisify(argon2) as (algorithm: "argon2id", parameters: Argon2Parameters) => Promise<Buffer>;

/** A PHC string with a salt of its own. Runs off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_LENGTH);
  const tag = await derive("argon2id", { message: password, nonce, tagLength: TAG_LENGTH, ...passwordCost });
  const { memory, passes, parallelism } = passwordCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(nonce)}$${toBase64(tag)}`;
}

/** Whether `password` is the one behind a PHC string. No string (no such member) takes as long and is never right. */
export async function verifyPassword(password: string, phc: string | undefined): Promise<boolean> {
  const stored = parsePhc(phc ?? (await decoy()));
  const tag = await derive("argon2id", {
    message: password,
    nonce: stored.nonce,
    tagLength: stored.tag.length,
    ...stored.cost,
  });
  return timingSafeEqual(tag, stored.tag) && phc !== undefined;
}

let decoyHash: Promise<string> | undefined;

/** Something to measure a password against when there is no member: made once, with the same cost. */
function decoy(): Promise<string> {
  decoyHash ??= hashPassword(randomBytes(SALT_LENGTH).toString("hex"));
  return decoyHash;
}

function parsePhc(phc: string) {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!parts) throw new Error("A stored password hash cannot be read");
  const [, memory, passes, parallelism, nonce = "", tag = ""] = parts;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
