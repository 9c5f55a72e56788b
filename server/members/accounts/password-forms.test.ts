import { describe, expect, test, vi } from "vitest";

import { type HashRefusal, readHash } from "./password-forms.ts";

// The real cost: the set-up of tests imports a cheap copy.
vi.resetModules();
const { hashPassword, isOwnHash, makeUnusableHash, verifyPassword } = await import("./passwords.ts");

/**
 * Made by WordPress 6.1.9+dfsg1-0+deb12u1 and 6.8.12+dfsg1-0+deb13u1 (Debian) with PHP 8.2. Users chose these passwords
 * in `wp-login.php?action=rp` and logged in with them. The hashes are from `user_pass`.
 */
const ofWordpress: [password: string, phpass: string, bcrypt: string][] = [
  [
    'it\'s "mine" \\o/',
    "$P$BIKBZEvBhsRuhrNK5PydX1D1LKa7Eq0",
    "$wp$2y$10$XpvHJNqoJlBQdEkodP1oIeQCK2ZeJ91dCODBPIFvMngxDMgSDWmEO",
  ],
  [
    "schläfer in der nacht",
    "$P$BNXWzpSeLhnH.NeEgCuDVt.UfHrKBv.",
    "$wp$2y$10$RADzurtmf6UuCf5i147kGOLaByGYQQOq0MRC.RfbBpS6/rTcPOorq",
  ],
  [
    "  spaces-at-the-edges  ",
    "$P$BlnLgPFm8s5ansXJYKvEiytzlg0.Tn0",
    "$wp$2y$10$/R4UgKKjnVXqNOdr/LhzPu4Bd0DJQHyZo3Qc8LgM5821RmpY6V06S",
  ],
  [
    "long night long night long night long night long night long night long night long night long night long night end",
    "$P$BiPnCTabHjA/ImPQ8eXi/SIT.6Dr3F/",
    "$wp$2y$10$lrvx1xC61s0675rRrXb2Ke9YyCkL1Aygf05sKboTSpJnc2629SwTS",
  ],
  [
    "plain-hedge-at-dusk",
    "$P$B9zqP4ec9GQ8mo.MdAr.qLsjKZ2z6S.",
    "$wp$2y$10$zHJ2de3JqasCHeqMkhFlhu8NhNSOvJru0WmpAtptL1fRQs.akRr1e",
  ],
];

/**
 * Made by PHP 8.2's `password_hash`, and by Python's `hashlib.pbkdf2_hmac` in the forms of Django 5, PHC and passlib.
 */
const ofOthers: [form: string, hash: string][] = [
  ["bcrypt", "$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK"],
  ["bcrypt as Rails writes it", "$2a$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK"],
  ["bcrypt as Node writes it", "$2b$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK"],
  ["Argon2id", "$argon2id$v=19$m=65536,t=4,p=1$WTZlWWV2WG9jOXJhLi9UeA$J2B0rxn3rbGHAYz7Z6FazEvU6Cwy/R2ob0aLxS7uwP0"],
  ["Argon2i", "$argon2i$v=19$m=65536,t=4,p=1$YS9acDN2UUdhOWJMUXNRVw$DUBTA3QrspnttTqVIH3pzfwUr9gCp+DokNjTZza0NYw"],
  [
    "Django's Argon2id",
    "argon2$argon2id$v=19$m=65536,t=4,p=1$WTZlWWV2WG9jOXJhLi9UeA$J2B0rxn3rbGHAYz7Z6FazEvU6Cwy/R2ob0aLxS7uwP0",
  ],
  ["Django's PBKDF2", "pbkdf2_sha256$600000$gQx7LrWb2mYV9sHdTn4c1K$DItnDNVE4SesVPDZ+DIs5sZtEnC70PPR+4cIYcZGvz8="],
  ["PBKDF2 by PHC", "$pbkdf2-sha256$i=100000$AAECAwQFBgcICQoLDA0ODw$UAF3emqs5xRGPx4cUIpfVpsq2fOH+eEObB42/Asldxw"],
  [
    "passlib's PBKDF2",
    "$pbkdf2-sha512$25000$AAECAwQFBgcICQoLDA0ODw$/APHGxn3cWRdUyTIE9Ns5wWmjmGSXKWkbj28KSTowthx/FSbRjIYu3HP2EdddzCKBpWXCAcGrF0PWUNuyXuKng",
  ],
];

describe("hashes from elsewhere", () => {
  test.each(ofWordpress)("WordPress's hashes of %j are right for it alone", async (password, phpass, bcrypt) => {
    for (const hash of [phpass, bcrypt]) {
      expect(await verifyPassword(password, hash)).toBe(true);
      expect(await verifyPassword(`${password}!`, hash)).toBe(false);
      expect(await verifyPassword(password.toUpperCase(), hash)).toBe(false);
      expect(isOwnHash(hash)).toBe(false);
    }
  });

  test.each(ofOthers)("%s is right for its password alone", async (_form, hash) => {
    expect(await verifyPassword("plain-hedge-at-dusk", hash)).toBe(true);
    expect(await verifyPassword("plain-hedge-at-dawn", hash)).toBe(false);
  });

  test("our own hash needs no other, and an unusable one has no password", async () => {
    expect(isOwnHash(await hashPassword("plain-hedge-at-dusk"))).toBe(true);
    expect(isOwnHash(makeUnusableHash())).toBe(true);
    expect(await verifyPassword("", makeUnusableHash())).toBe(false);
  });

  test("a decoy is never right, whatever it is like", async () => {
    for (const [, hash] of ofOthers) expect(await verifyPassword("plain-hedge-at-dusk", undefined, hash)).toBe(false);
    expect(await verifyPassword("plain-hedge-at-dusk", undefined, "garbage")).toBe(false);
  });
});

test("no password makes the check of a hash cost more than twice", () => {
  const crafted = ' \t"schläfer" \u00a0\u200b\\ \u0130\u01c4\u1e9b\u0323 ';
  for (const hash of [...ofOthers.map(([, each]) => each), ...ofWordpress.flatMap(([, ...each]) => each)]) {
    const read = readHash(hash);
    expect(read.ok && read.hash.listTexts(crafted).length).toBe(2);
    expect(read.ok && read.hash.listTexts("plain-hedge-at-dusk").length).toBe(1);
  }
});

test("only hashes of WordPress are compared with what its forms make of a password", () => {
  const read = readHash("$2y$10$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK");
  expect(read.ok && read.hash.listTexts(" it's ")).toEqual([" it's "]);
});

test("a hash that costs too much, from an import of an earlier version, is behind no password", async () => {
  const stored = "$2y$14$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK";
  expect(await verifyPassword("plain-hedge-at-dusk", stored)).toBe(false);
});

test.each<[string, HashRefusal]>([
  ["", "unknown"],
  ["5f4dcc3b5aa765d61d8327deb882cf99", "unknown"],
  ["plain-hedge-at-dusk", "unknown"],
  ["$2y$10$short", "unknown"],
  ["$2y$03$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK", "unknown"],
  ["$2y$31$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK", "costly"],
  ["$2y$13$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK", "costly"],
  ["$wp$2y$15$Yl26b6zdKDEqEagxkjl6K.2zRcD9r66w4/N72ChMfAawtuL/tIgrK", "costly"],
  ["$P$WIKBZEvBhsRuhrNK5PydX1D1LKa7Eq0", "costly"],
  ["pbkdf2_sha256$2000000000$salt$DItnDNVE4SesVPDZ+DIs5sZtEnC70PPR+4cIYcZGvz8=", "costly"],
  ["pbkdf2_sha256$0$salt$DItnDNVE4SesVPDZ+DIs5sZtEnC70PPR+4cIYcZGvz8=", "unknown"],
  ["$argon2id$v=19$m=4194304,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$UAF3emqs5xRGPx4cUIpfVpsq2fOH+eEObB42/Asldxw", "costly"],
  ["$argon2id$v=19$m=65536,t=9999,p=1$AAECAwQFBgcICQoLDA0ODw$UAF3emqs5xRGPx4cUIpfVpsq2fOH+eEObB42/Asldxw", "costly"],
  ["$argon2id$v=19$m=8,t=1,p=9$AAECAwQFBgcICQoLDA0ODw$UAF3emqs5xRGPx4cUIpfVpsq2fOH+eEObB42/Asldxw", "unknown"],
])("%j is refused as %s", (hash, reason) => {
  expect(readHash(hash)).toEqual({ ok: false, reason });
});
