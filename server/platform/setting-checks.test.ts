import { expect, test } from "vitest";

import { isTooWide } from "./addresses.ts";
import { isKnownSecret, weakSecretMistakes } from "./setting-checks.ts";

test.each(["postgres", "Dormouse", "password1", "change-me", "secret", "123456", "***", "Passw0rd!"])(
  "%j is a secret that is tried first",
  (secret) => {
    expect(isKnownSecret(secret)).toBe(true);
  },
);

test.each(["k7Qz2mWx", "correct horse battery staple", "dormouse-k7Qz2mWx"])("%j is no known secret", (secret) => {
  expect(isKnownSecret(secret)).toBe(false);
});

const random = "kT7v-Qx2m_Lp9zRw4Yc8Bn3Hd6Fs1Ga5J";

test.each([
  ["short", "too short"],
  ["a".repeat(40), "too regular"],
  ["abcdefghijklmnopqrstuvwxyz0123456789", "too regular"],
  ["kT7v-Qx2m_Lp9zRw".repeat(2), "too regular"],
  ["change-me-Qx2m_Lp9zRw4Yc8Bn3Hd6Fs1", "a placeholder"],
])("%j is refused as %s", (secret, reason) => {
  expect(weakSecretMistakes([["API_KEY", secret]])).toEqual([expect.stringContaining(`API_KEY is ${reason}`)]);
});

test("each secret is another than the others", () => {
  const mistakes = weakSecretMistakes([
    ["SESSION_SECRET", random],
    ["API_KEY", random],
  ]);
  expect(mistakes).toEqual(["API_KEY is the same as SESSION_SECRET: give each its own"]);
});

test.each(["0.0.0.0/0", "::/0", "128.0.0.0/1", "10.0.0.0/7", "::ffff:0.0.0.0/96", "2000::/3"])(
  "%s is too wide to trust",
  (range) => {
    expect(isTooWide(range)).toBe(true);
  },
);

test.each(["10.0.0.0/8", "192.0.2.7", "fc00::/7", "2001:db8::/32", "loopback", "::ffff:10.0.0.0/104"])(
  "%s may be one owner's network",
  (range) => {
    expect(isTooWide(range)).toBe(false);
  },
);
