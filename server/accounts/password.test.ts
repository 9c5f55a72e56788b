import { expect, test, vi } from "vitest";

// As the house has it: the set-up of tests has made another one cheap.
vi.resetModules();
const { hashPassword, verifyPassword } = await import("./password.ts");

test("a password is right only as it was typed", async () => {
  const hash = await hashPassword("sleep well 🌙 tonight");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword("sleep well 🌙 tonight", hash)).toBe(true);
  expect(await verifyPassword("sleep well 🌙 tonight ", hash)).toBe(false);
  expect(await verifyPassword("Sleep well 🌙 tonight", hash)).toBe(false);
});

test("two long passwords that differ only in their last letter are different", async () => {
  const hash = await hashPassword(`${"a".repeat(100)}b`);
  expect(await verifyPassword(`${"a".repeat(100)}c`, hash)).toBe(false);
});

test("without a hash nothing is right", async () => {
  expect(await verifyPassword("anything", undefined)).toBe(false);
});

test("the same password is stored differently each time", async () => {
  expect(await hashPassword("sleep-well")).not.toBe(await hashPassword("sleep-well"));
});

test("a hash that cannot be read is a fault, not a wrong password", async () => {
  await expect(verifyPassword("x", "$2b$10$abcdef")).rejects.toThrow("cannot be read");
});
