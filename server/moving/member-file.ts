import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";

import { type Defaults, type Heading, readHeading, readLine } from "./member-line.ts";

/** A file of members cannot be read any further: the sentence says where and why. */
export class MemberFileError extends Error {
  override name = "MemberFileError";
}

/** A line of the file: its number, its cells, and the member or what is wrong. */
export type FileLine = { number: number; cells: string[] } & ReturnType<typeof readLine>;

export type MemberFile = { heading: Heading; headings: string[]; lines: AsyncIterable<FileLine> };

/** No line of a member is longer; a quote that is never closed swallows no more. */
const MAX_LINE_LENGTH = 65_536;

type Record = { record: string[]; info: { lines: number } };

/**
 * Reads a CSV file (RFC 4180, UTF-8, a heading first) line by line as it comes, so a long one needs no more memory than a short one.
 * @throws {MemberFileError} on a heading without addresses, and from `lines` at a quote that is not closed.
 */
export async function readMemberFile(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  defaults: Defaults = {},
): Promise<MemberFile> {
  const parser = Readable.from(source, { objectMode: false }).compose(
    parse({
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: MAX_LINE_LENGTH,
    }),
  );
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Record>;
  const first = await readNext(records);
  if (!first) throw new MemberFileError("The file is empty.");
  const heading = readHeading(first.record);
  if ("refusal" in heading) throw new MemberFileError(heading.refusal);
  return { heading, headings: first.record, lines: readLines(records, { heading, defaults }) };
}

async function* readLines(
  records: AsyncIterator<Record>,
  { heading, defaults }: { heading: Heading; defaults: Defaults },
): AsyncGenerator<FileLine> {
  for (let next = await readNext(records); next; next = await readNext(records)) {
    yield { number: next.info.lines, cells: next.record, ...readLine(next.record, heading, defaults) };
  }
}

async function readNext(records: AsyncIterator<Record>): Promise<Record | undefined> {
  try {
    const next = await records.next();
    return next.done ? undefined : next.value;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new MemberFileError(`Line ${String(error.lines)} cannot be read: ${toSentence(error.code)}`, {
      cause: error,
    });
  }
}

function toSentence(code: string): string {
  if (code === "CSV_QUOTE_NOT_CLOSED" || code === "CSV_MAX_RECORD_SIZE") return "a quote is not closed from there on.";
  return "it is no line of a CSV file.";
}
