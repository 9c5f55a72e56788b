/** A page as a person reads it: its words, and the errors of its forms. */

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'" };

/** On one line, without markup, scripts and data. */
export function readWords(html: string): string {
  return decode(
    html
      .replace(/^[^]*?<body[^>]*>/, "")
      .replace(/<(script|style|svg|noscript)\b[^]*?<\/\1>/g, "")
      .replace(/<!--[^]*?-->|<wbr\/?>/g, "")
      .replace(/<[^>]+>/g, " "),
  )
    .replace(/\s+/g, " ")
    .trim();
}

export function readHeading(html: string): string {
  return readWords(/<h1[^>]*>([^]*?)<\/h1>/.exec(html)?.[1] ?? "");
}

export function readTitle(html: string): string {
  return decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "");
}

/** Ends a sentence for screen readers. */
const HEARD_STOP = '<span class="visually-hidden">.</span>';

/** Of the summary above a form, each with the field of its link. */
export function readSummary(html: string): [field: string | undefined, sentence: string][] {
  const summary = /<div[^>]*role="group"[^>]*>([^]*?)<\/div>/.exec(html)?.[1] ?? "";
  return [...summary.matchAll(/<li>([^]*?)<\/li>/g)].map(([, item = ""]) => [
    nameOfField(html, /href="#([^"]+)"/.exec(item)?.[1]),
    readWords(item.replace(HEARD_STOP, "")),
  ]);
}

/** Of the field that a link leads to; the id itself without one. */
function nameOfField(html: string, id: string | undefined): string | undefined {
  const tag = id && tagWith(html, "input", `id="${id}"`);
  return (tag && / name="([^"]*)"/.exec(tag)?.[1]) || id;
}

/** The field, or the group around it, must refer to the error. */
export function errorsAt(html: string, field: string): string | undefined {
  const described = [...html.matchAll(/ aria-describedby="([^"]*)"/g)].flatMap(([, ids = ""]) => ids.split(" "));
  const errorId = described.find((id) => id.endsWith(`-${field}-error`));
  const error = new RegExp(`<p[^>]* id="${errorId}"[^>]*>([^]*?)</p>`).exec(html)?.[1];
  return error === undefined ? undefined : readWords(error).replace(/^Error: /, "");
}

/** With all these attributes, in any order. */
export function tagWith(html: string, name: string, ...attributes: string[]): string | undefined {
  const tags = [...html.matchAll(new RegExp(`<${name}(?: [^>]*)?>`, "g"))].map(([tag]) => tag);
  return tags.find((tag) => attributes.every((attribute) => tag.toLowerCase().includes(` ${attribute.toLowerCase()}`)));
}

export function readValue(html: string, name: string): string | undefined {
  const tag = tagWith(html, "input", `name="${name}"`);
  return tag && decode(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
}

export function linkNamed(html: string, words: string): string | undefined {
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^]*?)<\/a>/g)];
  const link = links.find(([, , text = ""]) => readWords(text) === words)?.[1];
  return link && decode(link);
}

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => entities[name] ?? "");
}
