/** A start tag: its name in small letters, the first attribute of each name, with its value as it is written in HTML. */
export type Tag = { name: string; attributes: Map<string, string> };

/**
 * HTML with its start tags replaced, wherever `replace` answers one. It reads tags as a browser does and looks at each character
 * once. What only looks like a tag, in a comment or a script, may be replaced too: the catalogue makes the whole safe afterwards.
 */
export function replaceTags(html: string, replace: (tag: Tag) => Tag | undefined): string {
  let result = "";
  let written = 0;
  for (let start = html.indexOf("<"); start !== -1; start = html.indexOf("<", start)) {
    const read = readTag(html, start);
    // No end: a browser drops what follows, and so will the sanitiser.
    if (read === "unclosed") break;
    if (!read) {
      start += 1;
      continue;
    }
    const replaced = replace(read.tag);
    if (replaced) {
      result += html.slice(written, start) + writeTag(replaced);
      written = read.end;
    }
    start = read.end;
  }
  return result + html.slice(written);
}

/** `end` is the place behind the tag. */
type ReadTag = { tag: Tag; end: number };

const letter = /[a-z]/i;
const space = /[\t\n\f\r ]/;
const endOfName = /[\t\n\f\r />]/;
const endOfAttribute = /[\t\n\f\r />=]/;
const endOfValue = /[\t\n\f\r >]/;

/** WHATWG HTML, sections 13.2.5.6 to 13.2.5.39. */
function readTag(html: string, start: number): ReadTag | "unclosed" | undefined {
  let at = start + 1;
  const until = (isEnd: RegExp) => {
    const from = at;
    while (at < html.length && !isEnd.test(html.charAt(at))) at += 1;
    return html.slice(from, at);
  };
  const skip = (skipped: RegExp) => {
    while (at < html.length && skipped.test(html.charAt(at))) at += 1;
  };
  if (!letter.test(html.charAt(at))) return undefined;
  const tag: Tag = { name: until(endOfName).toLowerCase(), attributes: new Map() };
  for (;;) {
    skip(/[\t\n\f\r /]/);
    if (at >= html.length) return "unclosed";
    if (html.charAt(at) === ">") return { tag, end: at + 1 };
    // An equals sign in the first place belongs to the name.
    const first = html.charAt(at);
    at += 1;
    const name = (first + until(endOfAttribute)).toLowerCase();
    skip(space);
    let value = "";
    if (html.charAt(at) === "=") {
      at += 1;
      skip(space);
      const quote = html.charAt(at);
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1);
        if (end === -1) return "unclosed";
        value = html.slice(at + 1, end);
        at = end + 1;
      } else value = until(endOfValue);
    }
    if (!tag.attributes.has(name)) tag.attributes.set(name, value);
  }
}

function writeTag({ name, attributes }: Tag): string {
  const written = [...attributes].map(([attribute, value]) => ` ${attribute}="${value.replaceAll('"', "&quot;")}"`);
  return `<${name}${written.join("")}>`;
}

/** The address that a value means: of the references to characters an address needs but one. */
export function readAddress(value: string): string {
  return value.replace(/&(?:amp|#0{0,5}38|#x0{0,5}26);/gi, "&");
}
