import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";

import { giveWay } from "../../platform/turns.ts";
import { countKnownHeadings, type Defaults, type Heading, readHeading, readLine } from "./member-line.ts";

/** The rest of a file is unreadable: the sentence says where and why. */
export class MemberFileError extends Error {
  override name = "MemberFileError";
}

export type FileLine = { number: number; cells: string[] } & ReturnType<typeof readLine>;

export type MemberFile = { heading: Heading; headings: string[]; lines: AsyncIterable<FileLine> };

/** No line of a member is longer; an unclosed quote takes no more. */
const MAX_LINE_LENGTH = 65_536;
/** Some hundred lines: the parser reads a piece at once. */
const BYTES_AT_ONCE = 16_384;

type Record = { record: string[]; info: { lines: number } };

/**
 * Reads a CSV file (RFC 4180, a heading first) line by line, in constant memory. Accepts UTF-16, other separators and
 * empty rows, which spreadsheets write. A run that continues skips `linesDone` lines.
 * @throws {MemberFileError} on a heading without addresses, and from `lines` at an unclosed quote.
 */
export async function readMemberFile(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  defaults: Defaults = {},
  linesDone = 0,
): Promise<MemberFile> {
  const pieces = cutUp(source);
  const head = await readHead(pieces);
  if ("refusal" in head) throw new MemberFileError(head.refusal);
  const parser = Readable.from(writeAgain(head.text, pieces, head.decoder), { objectMode: false }).compose(
    parse({
      delimiter: head.separator,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
      max_record_size: MAX_LINE_LENGTH,
    }),
  );
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Record>;
  const first = await readNext(records);
  if (!first) throw new MemberFileError("The file is empty.");
  const headings = withoutEmptyEnd(first.record, 0);
  const heading = readHeading(headings);
  if ("refusal" in heading) throw new MemberFileError(heading.refusal);
  return { heading, headings, lines: readLines(records, { heading, defaults, linesDone }) };
}

async function* cutUp(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  for await (const bytes of source) {
    for (let start = 0; start < bytes.length; start += BYTES_AT_ONCE) {
      yield bytes.subarray(start, start + BYTES_AT_ONCE);
      await giveWay();
    }
  }
}

/** In UTF-8, including the text that was read to detect the format. */
async function* writeAgain(
  text: string,
  pieces: AsyncIterator<Uint8Array>,
  decoder: TextDecoder,
): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    yield Buffer.from(decoder.decode(next.value, { stream: true }));
  }
  yield Buffer.from(decoder.decode());
}

/** A spreadsheet fills rows up to its widest one: empty cells beyond `width` are dropped. */
function withoutEmptyEnd(cells: string[], width: number): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== "");
  return cells.slice(0, Math.max(width, last + 1));
}

async function* readLines(
  records: AsyncIterator<Record>,
  { heading, defaults, linesDone }: { heading: Heading; defaults: Defaults; linesDone: number },
): AsyncGenerator<FileLine> {
  for (let next = await readNext(records); next; next = await readNext(records)) {
    await giveWay();
    if (next.info.lines <= linesDone) continue;
    const cells = withoutEmptyEnd(next.record, heading.width);
    yield { number: next.info.lines, cells, ...readLine(cells, heading, defaults) };
  }
}

async function readNext(records: AsyncIterator<Record>): Promise<Record | undefined> {
  try {
    const next = await records.next();
    return next.done ? undefined : next.value;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new MemberFileError(`We can't read line ${String(error.lines)}: ${toSentence(error.code)}`, {
      cause: error,
    });
  }
}

function toSentence(code: string): string {
  if (code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE")
    return "a quotation mark opens there and never closes.";
  return "it isn't a line of a CSV file.";
}

/* Detects the format of a file from its first line, as spreadsheets write it. */

type FileHead = {
  separator: string;
  /** Holds the incomplete character of the last piece. */
  decoder: TextDecoder;
  /** Without the byte order mark. */
  text: string;
};

const MARK_BYTES = 5;
const separators = [",", ";", "\t", "|"];

/** Reads until the heading is complete; `refusal` says what the file is instead. */
async function readHead(pieces: AsyncIterator<Uint8Array>): Promise<FileHead | { refusal: string }> {
  let start = Buffer.alloc(0);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= MARK_BYTES) break;
  }
  const other = findOtherFormat(start);
  if (other !== undefined) return { refusal: `This is ${other}, not a CSV file. Save it as CSV and send that.` };
  const decoder = new TextDecoder(findEncoding(start));
  let text = decoder.decode(start, { stream: true });
  while (!/^\s*\S[^\r\n]*[\r\n]\s*\S[^\r\n]*[\r\n]/.test(text) && text.length < MAX_LINE_LENGTH) {
    const next = await pieces.next();
    text += next.done ? decoder.decode() : decoder.decode(next.value, { stream: true });
    if (next.done) break;
  }
  return { decoder, ...findSeparator(text) };
}

function findOtherFormat(bytes: Buffer): string | undefined {
  const start = bytes.toString("latin1", 0, MARK_BYTES);
  if (start.startsWith("PK\u0003\u0004")) return "a spreadsheet (XLSX, ODS or Numbers)";
  if (start.startsWith("\u00D0\u00CF\u0011\u00E0")) return "an old spreadsheet (XLS)";
  return start === "%PDF-" ? "a PDF" : undefined;
}

/** By the byte order mark; without one, zeros show UTF-16, because headings are ASCII. */
function findEncoding([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}

/** The separator of a line `sep=`, which Excel writes, or else the one that splits the headings. */
function findSeparator(text: string): { separator: string; text: string } | { refusal: string } {
  const [line = "", name] = /^"?sep=([^\r\n]?)"?[^\S\r\n]*(?=[\r\n]|$)/i.exec(text) ?? [];
  if (line !== "") {
    if (!name || /[\w\s"]/.test(name.replace("\t", ","))) {
      return { refusal: `The line “${line.trim()}” must name a separator: a comma, a semicolon or a tab.` };
    }
    // Its line end stays, so that the lines keep their numbers.
    return { separator: name, text: text.slice(line.length) };
  }
  const [heading = ""] = /[^\r\n]+/.exec(text.trimStart()) ?? [];
  const counts = separators.map((separator) => countKnownHeadings(heading.split(separator)));
  return { separator: separators[counts.indexOf(Math.max(...counts))] ?? ",", text };
}
