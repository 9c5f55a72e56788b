import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { readConfig } from "../../config.ts";
import { readUrgentHelp } from "./urgent-help.ts";

const bundled = readFileSync(readUrgentHelp().path, "utf8");

async function readWith(change: (text: string) => string) {
  await using folder = await openFolder();
  const path = join(folder.folder, "urgent-help.yaml");
  writeFileSync(path, change(bundled));
  return readUrgentHelp(readConfig({ DEMO: "true", URGENT_HELP_FILE: path }).urgentHelpFile);
}

test("the file that comes with the product names lines for all, for children, for people hurt at home and for Northern Ireland", () => {
  const { card, sources } = { ...readUrgentHelp(), sources: bundled.match(/https:\/\/\S+/g) };
  expect(card.contacts.map(({ tel }) => tel)).toEqual([
    "116123",
    "111",
    "999",
    "08001111",
    "08082000247",
    "08088088000",
  ]);
  expect(sources?.length).toBeGreaterThan(1);
});

test("an operator's own file has its own numbers and words", async () => {
  const help = await readWith((text) =>
    text.replace('tel: "116123"', 'tel: "0800111"').replace("phrases:", "phrases:\n  - ich will sterben"),
  );
  expect(help.findFor("Ich will sterben")?.contacts[0]?.tel).toBe("0800111");
});

test("an operator's file of an older release, with lists for groups and without a quiet line, is read", async () => {
  const help = await readWith((text) =>
    text
      .replace(/quiet: .*/, "")
      .replace(/\nlow:\n(?: {2}- .*\n)+/, "\n")
      .replace(/ {2}self: >-\n(?: {4}.*\n)+/, "  self: [myself, herself]\n"),
  );
  expect(help.findFor("i want to kill myself")).toBe(help.card);
  expect(help.quiet).toEqual(help.awake);
  expect(help.isLow("so lonely")).toBe(false);
});

test.each<[string, (text: string) => string, string]>([
  ["a contact without a number", (text) => text.replace('    tel: "111"\n', ""), "contacts.1.tel: must be a text"],
  ["a number that is none", (text) => text.replace('"116123"', '"call me"'), "contacts.0.tel: must be digits alone"],
  ["no day of review", (text) => text.replace(/reviewed: .*/, "reviewed: soon"), "reviewed: must be a day"],
  ["a source that is no address", (text) => text.replace("- https://www.nhs", "- nhs"), "must be a web address"],
  [
    "no place for the first contact",
    (text) => text.replace("help. If tonight is more than you can bear: {first}", "help. Them"),
    "awake: must have {first}",
  ],
  ["a key that is not known", (text) => `${text}\nphrase: []\n`, 'Unrecognized key: "phrase"'],
  ["a group that is not there", (text) => text.replace("- <kill> <self>", "- <kil> <self>"), "names the group <kil>"],
  ["something else than YAML", () => "{", "URGENT_HELP_FILE: it cannot be read"],
  ["nothing", () => "", "URGENT_HELP_FILE: the file"],
])("a file with %s is refused in a sentence", async (_, change, sentence) => {
  await expect(readWith(change)).rejects.toThrow(sentence);
});

test("a file that is not there is refused beside the other mistakes of the settings", () => {
  const read = () => readConfig({ DEMO: "true", URGENT_HELP_FILE: "/nowhere/help.yaml", PORT: "x" });
  expect(read).toThrow(/PORT must be a number[\s\S]*URGENT_HELP_FILE: it cannot be read: ENOENT/);
});
