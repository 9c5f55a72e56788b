import { expect, test } from "vitest";

import { checkName, cleanName } from "../../server/members/accounts/profile-fields.ts";
import { displayName } from "../../server/platform/text.ts";
import { isEmail, toEmailKey } from "../../server/platform/email-address.ts";
import { checkPassword } from "../../server/members/accounts/passwords.ts";
import { toCodeKey } from "../../server/money/companies/labels.ts";
import { cutTerm } from "../../server/content/items/item-facts.ts";
import { countWork } from "../helpers/count-work.ts";

/**
 * A visitor's input of any permitted length: reading takes a bounded number of steps a character.
 * server/content/items/hostile-fields.test.ts tests texts of a CMS.
 */
const LENGTH = 10_000;
const MOST_PER_CHARACTER = 100;

const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length));

const hostile: [name: string, text: string][] = [
  ["spaces", fill(" ") + "x"],
  ["short words", fill("ab ba ")],
  ["one word", fill("a")],
  ["control characters", fill("\u0000")],
  ["dashes", fill("-")],
  ["domains", `a@${fill("a.")}`],
  ["half an address", fill("a@")],
  ["emails with many marks", fill("e\u0301\u0302\u0303")],
  ["emails that grow", fill("\ufdfa")],
];

const readers: ((text: string) => unknown)[] = [
  cleanName,
  checkName,
  displayName,
  isEmail,
  toEmailKey,
  toCodeKey,
  cutTerm,
  (text) => checkPassword(text, { productName: "Dormouse", email: text, names: [text, text] }),
  (text) => checkPassword("ab".repeat(3) + "baab".repeat(200), { productName: "Dormouse", email: text, names: [text] }),
];

test.each(hostile)("reading %s costs no more than the length allows", (_, text) => {
  const most = MOST_PER_CHARACTER * text.length;
  const steps = countWork(() => {
    for (const read of readers) read(text);
  }, most);
  expect(steps).toBeLessThan(most);
});
