import { formatList } from "../../platform/format.ts";

/** The documents that a visitor may read before paying, by the last part of their addresses. */
export const legalNames = ["privacy", "terms"] as const;

export type LegalName = (typeof legalNames)[number];

/** Where a document is: at an address of the operator's, or here. */
export type LegalDocument = { url: string } | OwnDocument;

/** `updated`: a day such as `2026-11-27`. `isSample`: it comes with the product, and the operator has not replaced it. */
export type OwnDocument = { url: undefined; title: string; updated: string; html: string; isSample: boolean };

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
