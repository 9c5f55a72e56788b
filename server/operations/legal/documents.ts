import { formatList } from "../../platform/format.ts";

/** Documents that a visitor may read before paying, by the last part of their addresses. */
export const legalNames = ["privacy", "terms"] as const;

export type LegalName = (typeof legalNames)[number];

/** At an address of the operator, or here. */
export type LegalDocument = { url: string } | OwnDocument;

/** `updated`: a day such as `2026-11-27`. `isSample`: the bundled one, which the operator has not replaced. */
export type OwnDocument = { url: undefined; title: string; updated: string; html: string; isSample: boolean };

/** One sentence for operators: they must replace samples before they open. */
export function findSamples(documents: Record<LegalName, LegalDocument>): string | undefined {
  const samples = legalNames.filter((name) => {
    const document = documents[name];
    return document.url === undefined && document.isSample;
  });
  if (samples.length === 0) return undefined;
  const settings = samples.map((name) => `${name.toUpperCase()}_URL`);
  const titles = samples.map((name) => (name === "privacy" ? "privacy notice" : "terms"));
  return `Visitors see our sample in place of your ${formatList(titles)}. Set ${formatList(settings)}, or set LEGAL_DIR to a folder with your own.`;
}
