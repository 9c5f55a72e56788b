/** Blocks of flow content: text within them may have its own paragraphs. */
const containers = names(
  "address article aside blockquote center dd details dialog div fieldset figure footer form header li main nav section td th",
);
/** Blocks of text with lines, and without paragraphs. */
const lineBlocks = names("caption dt figcaption h1 h2 h3 h4 h5 h6 hgroup legend p summary");
/** Blocks that contain only other elements. */
const structures = names("colgroup dl menu ol table tbody tfoot thead tr ul");
const childless = names("col hr pre");
const blocks = new Set([...containers, ...lineBlocks, ...structures, ...childless]);
const untouched = names("audio object pre script select style svg textarea video");

const tags = /<(\/?)([a-z][a-z\d-]*)(?:"[^"]*"|'[^']*'|[^'"<>])*>/gi;

/**
 * WordPress's editor marks paragraphs by blank lines and lines by line ends: adds `<p>` and `<br />` as documented for
 * `wpautop`, and changes nothing else.
 */
export function toParagraphs(typed: string): string {
  const text = typed.replaceAll("\0", "").replace(/\r\n?/g, "\n");
  const pieces: string[] = [];
  const open: string[] = [];
  /** Parts whose line ends do not count; the run has their numbers between two NUL. */
  const aside: string[] = [];
  let run = "";
  let raw: string | undefined;
  let end = 0;

  const setAside = (part: string) => (part === "" ? "" : `\0${aside.push(part) - 1}\0`);
  const flush = () => {
    pieces.push(raw === "pre" ? run : arrange(run, open.at(-1)));
    run = "";
  };

  for (const { 0: tag, 1: slash, 2: written = "", index } of text.matchAll(tags)) {
    const name = written.toLowerCase();
    const between = text.slice(end, index);
    end = index + tag.length;
    if (raw !== undefined) {
      run += setAside(between + tag);
      if (!slash || name !== raw) continue;
      if (raw === "pre") flush();
      raw = undefined;
      continue;
    }
    run += between;
    const isBlock = blocks.has(name);
    if (isBlock) {
      flush();
      step(open, name, slash !== "");
    }
    if (untouched.has(name) && !slash) raw = name;
    if (isBlock && raw === undefined) pieces.push(setAside(tag));
    else run += raw !== undefined || tag.includes("\n") ? setAside(tag) : tag;
  }
  run += raw === undefined ? text.slice(end) : setAside(text.slice(end));
  flush();
  return pieces
    .join("")
    .trim()
    .replace(/\0(\d+)\0/g, (_, at: string) => aside[Number(at)] ?? "");
}

function names(text: string): Set<string> {
  return new Set(text.split(" "));
}

/** Tracks the open blocks. A paragraph ends where another block begins. */
function step(open: string[], name: string, isEnd: boolean): void {
  if (isEnd) {
    const at = open.lastIndexOf(name);
    if (at !== -1) open.length = at;
    return;
  }
  if (open.at(-1) === "p") open.pop();
  if (!childless.has(name)) open.push(name);
}

/** Text and inline elements between two block tags. */
function arrange(run: string, block: string | undefined): string {
  if (run.replace(/<!--[^<>]*-->/g, "").trim() === "")
    return run.replace(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "));
  if (block !== undefined && structures.has(block)) return run;
  const lines = toLines(run);
  const hasParagraphs = block === undefined || block === "blockquote" || (containers.has(block) && /\n\n/.test(lines));
  if (!hasParagraphs) return withBreaks(lines);
  const paragraphs = lines.split(/\n{2,}/).filter((each) => each !== "");
  return paragraphs.map((each) => `<p>${withBreaks(each)}</p>`).join("\n");
}

/** A typed break and the line ends around it are one line end. */
function toLines(run: string): string {
  return run
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replace(/\n?<br\b[^<>]*>[^\S\n]*\n?/gi, "\n");
}

function withBreaks(lines: string): string {
  return lines.replace(/^\n+|\n+$/g, "").replaceAll("\n", "<br />\n");
}
