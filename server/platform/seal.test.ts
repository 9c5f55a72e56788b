import { expect, test } from "vitest";

import { createSeal } from "./seal.ts";

const secret = "a secret of the installation";
const seal = createSeal(secret, "letters");
const words = "The code is 123456, £5, 夜";

test("what was sealed opens again, after a restart too", () => {
  expect(seal.open(seal.seal(words))).toBe(words);
  expect(createSeal(secret, "letters").open(seal.seal(words))).toBe(words);
  expect(seal.open(seal.seal(""))).toBe("");
});

test("a sealed text reveals neither its content nor that two are equal", () => {
  const sealed = seal.seal(words);
  expect(sealed).not.toContain("123456");
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("123456");
  expect(seal.seal(words)).not.toBe(sealed);
  expect(sealed).toMatch(/^[\w-]+$/);
});

test("another secret or another purpose opens nothing", () => {
  expect(createSeal("another secret", "letters").open(seal.seal(words))).toBeUndefined();
  expect(createSeal(secret, "links").open(seal.seal(words))).toBeUndefined();
});

test("no byte of a sealed text can be altered", () => {
  const sealed = Buffer.from(seal.seal(words), "base64url");
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(seal.open(altered.toString("base64url")), `byte ${at}`).toBeUndefined();
  }
});

test("a sealed text is accepted in one encoding only", () => {
  const sealed = seal.seal("ab");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const twins = Array.from(alphabet)
    .map((letter) => sealed.slice(0, -1) + letter)
    .filter((twin) => twin !== sealed);
  for (const twin of [...twins, `${sealed}=`, `${sealed}!`, ` ${sealed}`, `${sealed}\n`]) {
    expect(seal.open(twin), twin).toBeUndefined();
  }
});

test.each(["", "x", "not sealed at all", "A".repeat(37), '{"subject":"plain"}', "£"])("%j does not open", (text) =>
  expect(seal.open(text)).toBeUndefined(),
);

test("a sealed text that was cut short does not open", () => {
  const sealed = seal.seal(words);
  for (let length = 0; length < sealed.length; length += 1) expect(seal.open(sealed.slice(0, length))).toBeUndefined();
});
