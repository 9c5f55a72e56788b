import sanitizeHtml from "sanitize-html";

import { readReferences } from "./blocks.ts";

/** Only whole references: a name may have an ampersand of its own. */
const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/**
 * The plain text that WordPress or a shop has escaped. Each reference is read once: `&amp;lt;` is `&lt;`. Tags are
 * text.
 */
export function readEntities(text: string): string {
  return text.replace(reference, (each) => readReferences(sanitizeHtml(each, { allowedTags: [] })));
}
