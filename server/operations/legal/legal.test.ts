import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { listPlans } from "../../money/membership/plans.ts";
import { findLegalMistakes } from "./files.ts";
import { type LegalFacts, readLegalDocuments } from "./legal.ts";
import { findSamples } from "./documents.ts";

const facts: LegalFacts = {
  product: { name: "Nest *& Co*", contactEmail: "ask@nest.example", invoiceSender: "Nest Ltd, 1 Hedge Row" },
  plans: listPlans(),
  startsAtOnce: false,
  basePath: "/members/",
};

function readOwn(settings = { urls: {}, folder: undefined as string | undefined }, given = facts) {
  const documents = readLegalDocuments(settings, given);
  const html = (name: "privacy" | "terms") => {
    const document = documents[name];
    return document.url === undefined ? document.html : `at ${document.url}`;
  };
  return { documents, privacy: html("privacy"), terms: html("terms") };
}

test("the samples name the operator, the plans and how to cancel, and leave no brace open", () => {
  const { documents, privacy, terms } = readOwn();
  expect(findSamples(documents)).toBe(
    "Visitors see our sample in place of your privacy notice and terms. Set PRIVACY_URL and TERMS_URL, or set LEGAL_DIR to a folder with your own.",
  );
  for (const html of [privacy, terms]) {
    expect(html).toContain("Nest *&amp; Co*");
    expect(html).toContain("Nest Ltd, 1 Hedge Row");
    expect(html).toContain('href="mailto:ask@nest.example"');
    expect(html).not.toMatch(/[{}]|<!--/);
  }
  expect(terms).toContain("<strong>Yearly</strong>: £60 (£5 per month)");
  expect(terms).toContain("within 14 days of paying");
  const atOnce = readOwn(undefined, { ...facts, startsAtOnce: true }).terms;
  expect(atOnce).toContain("Your membership starts straight away.");
  expect(atOnce).not.toContain("within 14 days of paying");
});

test("the sample names everything that is held about a member", () => {
  const held = readFileSync(join(import.meta.dirname, "../../../docs/personal-data.md"), "utf8").matchAll(
    /^- `(\w+)`:/gm,
  );
  const named = readFileSync(join(import.meta.dirname, "privacy.md"), "utf8").matchAll(/<!-- (\w+) -->/g);
  const keys = [...held].map(([, key]) => key).filter((key) => key !== "exportedAt");
  expect(new Set([...named].map(([, key]) => key))).toEqual(new Set(keys));
});

test("an operator's own files are shown, made safe, and an address goes before a file", async () => {
  await using place = await openFolder();
  const head = "---\ntitle: Our terms\nupdated: 2026-01-02\n---\n";
  writeFileSync(join(place.folder, "terms.md"), `${head}Write to {email} or {nobody}. <script>alert(1)</script>`);
  const urls = { privacy: "https://nest.example/privacy" };
  expect(findLegalMistakes({ urls, folder: place.folder })).toEqual([]);
  const { documents, privacy, terms } = readOwn({ urls, folder: place.folder });
  expect(privacy).toBe("at https://nest.example/privacy");
  expect(documents.terms).toMatchObject({ title: "Our terms", updated: "2026-01-02", isSample: false });
  expect(terms.trim()).toMatch(
    /^<p>Write to <a href="mailto:ask@nest.example"[^>]*>ask@nest.example<\/a> or \{nobody\}\. <\/p>$/,
  );
  expect(findSamples(documents)).toBeUndefined();
});

test.each([
  ["there is no such file", undefined],
  ["it must begin with title and updated between two lines of “---”", "# Terms\n\nText"],
  ["updated must be a day such as 2026-11-27", "---\ntitle: Terms\nupdated: 1 May\n---\nText"],
  ["it has no text", "---\ntitle: Terms\nupdated: 2026-11-27\n---\n\n"],
  ["it must begin with", "---\ntitle: [\n---\nText"],
])("“%s” is said of a file that cannot be used", async (sentence, text) => {
  await using place = await openFolder();
  if (text !== undefined) writeFileSync(join(place.folder, "terms.md"), text);
  const urls = { privacy: "https://nest.example/privacy" };
  const mistakes = findLegalMistakes({ urls, folder: place.folder });
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toMatch(/^terms\.md: /);
  expect(mistakes[0]).toContain(sentence);
});
