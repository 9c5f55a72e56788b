import { Marked } from "marked";

import { sanitiseBody } from "../../content/items/sanitise.ts";
import { formatPence } from "../../platform/format.ts";
import { lazy } from "../../platform/lazy.ts";
import type { Plan } from "../../money/membership/plans.ts";
import { CANCELLING_DAYS } from "../../money/payments/cancelling.ts";
import { type LegalSettings, parseDocument } from "./files.ts";
import type { LegalDocument, LegalName, OwnDocument } from "./documents.ts";

/** A document may name them in braces, such as `{product}`. */
export type LegalFacts = {
  product: { name: string; contactEmail: string; invoiceSender: string };
  plans: Plan[];
  startsAtOnce: boolean;
  basePath: string;
};

/** Settings checks the files, so a mistake stops the start and no visitor. */
export function readLegalDocuments(settings: LegalSettings, facts: LegalFacts): Record<LegalName, LegalDocument> {
  const read = (name: LegalName): LegalDocument => {
    const url = settings.urls[name];
    return url ? { url } : readDocument(name, settings.folder, facts);
  };
  return { privacy: read("privacy"), terms: read("terms") };
}

function readDocument(name: LegalName, folder: string | undefined, facts: LegalFacts): OwnDocument {
  const { title, updated, markdown } = parseDocument(name, folder);
  const page = lazy(() => ({ html: toHtml(fillInFacts(markdown, facts), facts) }));
  return {
    url: undefined,
    title,
    updated,
    get html() {
      return page().html;
    },
    isSample: folder === undefined,
  };
}

function toHtml(markdown: string, { basePath }: LegalFacts): string {
  return sanitiseBody(new Marked({ gfm: true, async: false }).parse(markdown) as string, { basePath });
}

/** Other braces stay. */
function fillInFacts(markdown: string, { product, plans, startsAtOnce }: LegalFacts): string {
  const cancelling = startsAtOnce
    ? "Your membership starts straight away. Before you pay, you ask for this and agree to give up the 14 days in which you could have cancelled (Consumer Contracts Regulations 2013, regulation 37)."
    : `You can cancel within ${CANCELLING_DAYS} days of paying, without giving a reason (Consumer Contracts Regulations 2013). Open “Get my money back” in My Account and choose “Cancel my membership”. Your membership ends, and within 14 days we refund all of it to the card you paid with.`;
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

/** An operator's name is text. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|&]/g, "\\$&");
}
