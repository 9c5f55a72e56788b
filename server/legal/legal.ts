import { Marked } from "marked";

import { sanitiseBody } from "../content/sanitise.ts";
import { formatList, formatPence } from "../format.ts";
import type { Plan } from "../membership/plans.ts";
import { CANCELLING_DAYS } from "../payments/cancelling.ts";
import { legalNames, type LegalName, type LegalSettings, parseDocument } from "./files.ts";

/** Where a document is: at an address of the operator's, or here. */
export type LegalDocument = { url: string } | OwnDocument;

/** `updated`: a day such as `2026-11-27`. `isSample`: it comes with the product, and the operator has not replaced it. */
export type OwnDocument = { url: undefined; title: string; updated: string; html: string; isSample: boolean };

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
  const { title, updated, markdown } = parseDocument(name, folder);
  const { basePath } = facts;
  const html = sanitiseBody(new Marked({ gfm: true, async: false }).parse(fill(markdown, facts)) as string, {
    basePath,
  });
  return { url: undefined, title, updated, html, isSample: folder === undefined };
}

/** Puts the facts in place of their names in braces. Other braces stay. */
function fill(markdown: string, { product, plans, startsAtOnce }: LegalFacts): string {
  const cancelling = startsAtOnce
    ? "Your membership starts at once. Before you pay you ask for that and agree that you then lose the 14 days in which you could have cancelled it (Consumer Contracts Regulations 2013, regulation 37)."
    : `You may cancel within ${CANCELLING_DAYS} days after you paid, without a reason (Consumer Contracts Regulations 2013). Open “Get my money back” in My Account and press its button. Your membership ends, and the whole sum goes back to the card that you paid with, within 14 days.`;
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
