import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Marked } from "marked";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

import { sanitiseBody } from "../content/sanitise.ts";
import { isMissing } from "../disk-files.ts";
import { errorText } from "../faults.ts";
import { formatList, formatPence } from "../format.ts";
import type { Plan } from "../membership/plans.ts";
import { CANCELLING_DAYS } from "../payments/cancelling.ts";

/** The two documents that a visitor may read before paying, by the last part of their addresses. */
const legalNames = ["privacy", "terms"] as const;

export type LegalName = (typeof legalNames)[number];

/** Where a document is: at an address of the operator's, or here. */
export type LegalDocument = { url: string } | OwnDocument;

/** `updated`: a day such as `2026-11-27`. `isSample`: it comes with the product, and nobody has answered for it yet. */
export type OwnDocument = { url: undefined; title: string; updated: string; html: string; isSample: boolean };

export type LegalSettings = {
  /** Addresses of the operator's, in place of a page of ours. */
  urls: Partial<Record<LegalName, string>>;
  /** A folder with the operator's own `privacy.md` and `terms.md`. */
  folder: string | undefined;
};

/** The facts that a document may name in braces, such as `{product}`. */
export type LegalFacts = {
  product: { name: string; contactEmail: string; invoiceSender: string };
  plans: Plan[];
  startsAtOnce: boolean;
  basePath: string;
};

/** The documents, ready to show. Files were checked with the settings, so a mistake in one stops the start and not a visitor. */
export function readLegalDocuments(settings: LegalSettings, facts: LegalFacts): Record<LegalName, LegalDocument> {
  const read = (name: LegalName): LegalDocument => {
    const url = settings.urls[name];
    return url ? { url } : readDocument(name, settings.folder, facts);
  };
  return { privacy: read("privacy"), terms: read("terms") };
}

/** A sentence for each file of the operator's folder that cannot be used. */
export function findLegalMistakes({ urls, folder }: LegalSettings): string[] {
  if (folder === undefined) return [];
  return legalNames
    .filter((name) => !urls[name])
    .flatMap((name) => {
      try {
        parseDocument(toPath(name, folder));
        return [];
      } catch (error) {
        return [`${name}.md: ${errorText(error)}`];
      }
    });
}

/** Tells operators of documents that are samples still, in a sentence: they must see to them before they open. */
export function findSamples(documents: Record<LegalName, LegalDocument>): string | undefined {
  const samples = legalNames.filter((name) => {
    const document = documents[name];
    return document.url === undefined && document.isSample;
  });
  if (samples.length === 0) return undefined;
  const settings = samples.map((name) => `${name.toUpperCase()}_URL`);
  const titles = samples.map((name) => (name === "privacy" ? "privacy notice" : "terms"));
  return `Visitors read a sample in place of your ${formatList(titles)}: set ${formatList(settings)}, or LEGAL_DIR to a folder with your own.`;
}

function readDocument(name: LegalName, folder: string | undefined, facts: LegalFacts): OwnDocument {
  const { title, updated, markdown } = parseDocument(toPath(name, folder));
  const { basePath } = facts;
  const html = sanitiseBody(new Marked({ gfm: true, async: false }).parse(fill(markdown, facts)) as string, {
    basePath,
  });
  return { url: undefined, title, updated, html, isSample: folder === undefined };
}

function toPath(name: LegalName, folder = import.meta.dirname): string {
  return resolve(join(folder, `${name}.md`));
}

const headSchema = z.strictObject({
  title: z.string().trim().min(1).max(100),
  updated: z.iso.date("must be a day such as 2026-11-27"),
});

/** @throws {Error} with one sentence for operators. */
function parseDocument(path: string): z.infer<typeof headSchema> & { markdown: string } {
  const text = readText(path);
  const [, head = "", markdown = ""] = /^---\r?\n([^]*?)\r?\n---\r?\n([^]*)$/.exec(text) ?? [];
  const { success, data, error } = headSchema.safeParse(readYaml(head));
  if (!success) {
    const faults = error.issues.map(({ path: at, message }) => `${at.join(".") || "title and updated"} ${message}`);
    throw new Error(`it must begin with title and updated between two lines of “---”: ${faults.join(", ")}`);
  }
  if (markdown.trim() === "") throw new Error("it has no text");
  return { ...data, markdown };
}

/** Nothing where it is no YAML: the schema says then what there must be. */
function readYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(isMissing(error) ? "there is no such file" : `it cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** Puts the facts in place of their names in braces. Other braces stay. */
function fill(markdown: string, { product, plans, startsAtOnce }: LegalFacts): string {
  const cancelling = startsAtOnce
    ? "Your membership starts at once. Before you pay you ask for that and agree that you then lose the 14 days in which you could have cancelled it (Consumer Contracts Regulations 2013, regulation 37)."
    : `You may cancel within ${CANCELLING_DAYS} days after you paid, without a reason (Consumer Contracts Regulations 2013). Press “Cancel and get my money back” in My Account. Your membership ends, and the whole sum goes back to the card that you paid with, within 14 days.`;
  const facts: Record<string, string> = {
    product: escapeMarkdown(product.name),
    email: product.contactEmail,
    seller: escapeMarkdown(product.invoiceSender),
    plans: plans
      .map(({ label, chargeInPence, priceText }) => `- **${label}**: ${formatPence(chargeInPence)} (${priceText})`)
      .join("\n"),
    cancelling,
  };
  return markdown.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
}

/** A name of the operator's is text. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|&]/g, "\\$&");
}
