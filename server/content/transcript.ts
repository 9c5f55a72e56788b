import { withoutOwnWords } from "./sanitise.ts";

/** A paragraph of a transcript that a link can lead to; text before the first has no id. */
export type TranscriptBlock = { id: string | undefined; text: string };

/**
 * Gives every paragraph, heading and list entry of a sanitised transcript the id `transcript-1`, `transcript-2` …; one
 * within another goes with it. An id that the text brought along moves inside, so that links to it still lead there.
 */
export function numberBlocks(html: string): string {
  let count = 0;
  let open: { name: string; depth: number } | undefined;
  return html.replace(blockTags, (tag, ...[slash = "", name = "", attributes = ""]: string[]) => {
    if (open) {
      if (name === open.name) open.depth += slash ? -1 : 1;
      if (open.depth === 0) open = undefined;
      return tag;
    }
    if (slash) return tag;
    open = { name, depth: 1 };
    count += 1;
    const [own = ""] = / id="[^" ]*"/.exec(attributes) ?? [];
    return `<${name} id="transcript-${count}"${attributes.replace(own, "")}>${own && `<a${own}></a>`}`;
  });
}

/** The paragraphs of a numbered transcript as plain text. Made when asked for: the text is kept once, as HTML. */
export function listBlocks(html: string): TranscriptBlock[] {
  return html
    .split(/(?=<(?:p|h[2-4]|li) id="transcript-\d{1,6}")/)
    .map((block) => ({ id: /^<\w+ id="(transcript-\d+)"/.exec(block)?.[1], text: toPlainText(block) }))
    .filter(({ text }) => text !== "");
}

const blockTags = /<(\/?)(p|h[2-4]|li)\b([^<>]*)>/g;
const inlineTags = /<\/?(?:a|em|strong|b|i|u|s|del|ins|mark|small|q|sub|sup|abbr|cite|time|kbd|code)\b[^<>]*>/g;

/** Sanitised HTML has no `<` or `>` but in tags, and four entities. */
function toPlainText(html: string): string {
  return withoutOwnWords(html)
    .replace(inlineTags, "")
    .replace(/<[^<>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}
