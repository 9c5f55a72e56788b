import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

import { declines, refusals } from "./refusals.ts";

const root = resolve(import.meta.dirname, "..");

/** The constant parts of a sentence, around a wait or a day. */
function listSpans(sentence: string | ((text: string) => string)): string[] {
  return typeof sentence === "string" ? [sentence] : sentence("\0").split("\0");
}

const rows = Object.values(refusals).flatMap((section) =>
  Object.values(section).map((sentence) => ({ parts: listSpans(sentence) })),
);

/** docs/behaviour.md, Refusals. */
const sentencesOfClients = [
  "You need to enter a first name.",
  "You need to enter a surname.",
  "This email is already registered.",
  "You must use a valid email address",
  "Password must be 8 characters or more.",
  "Password and password confirmation do not match.",
  "An error occurred validating your coupon - contact us",
  "Please enter a valid email address",
  "Password must be at least 8 characters long",
  "Passwords do not match",
  "Something went wrong, please try again",
  "File type is not supported",
  "File size is too big",
  "File size is too small",
  "File type/size error, Hovered on types!",
  "Please verify your email",
  "Error creating payment intent",
];

test("the table has the sentences that existing clients match, letter for letter", () => {
  const all = rows.map(({ parts }) => parts.join("…"));
  expect(all).toEqual(expect.arrayContaining(sentencesOfClients));
});

test("a sentence is in the table once", () => {
  const all = rows.map(({ parts }) => parts.join("…"));
  expect(all.filter((sentence, at) => all.indexOf(sentence) !== at)).toEqual([]);
});

test("no sentence of the table is written out a second time", () => {
  const paths = ["app", "server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && path !== "server/refusals.ts"),
  );
  expect(paths.length).toBeGreaterThan(300);
  const again = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return rows
      .filter(({ parts }) => parts.every((part) => holds(text, part)))
      .map(({ parts }) => `${path}: ${parts.join("…")}`);
  });
  expect(again).toEqual([]);
});

/** A short sentence may be the end of a longer one; a long one is nowhere by chance. */
function holds(text: string, part: string): boolean {
  if (part.length > 24) return text.includes(part);
  return ['"', "'", "`", ">"].some((mark) => text.includes(mark + part));
}

test("our own sentences are complete", () => {
  const all = rows.map(({ parts }) => parts.join("…"));
  const ours = all.filter((sentence) => !sentencesOfClients.includes(sentence));
  expect(ours.filter((sentence) => !/^[A-Z].*[.?]$/.test(sentence))).toEqual([]);
});

test.each(Object.entries(declines))(
  "%s has complete sentences: what happened, that nothing was charged, what to do",
  (_, words) => {
    expect(words).toMatch(/^[A-Z][^!]+\. You haven't been charged\. [A-Z][^!]+\.$/);
  },
);
