import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";

import { splitLines } from "../disk-files.ts";
import { BackupError, type BackupRecord } from "./backup.ts";

const heading = z.object({ format: z.literal("dormouse backup"), version: z.literal(1), madeAt: z.iso.datetime() });

const cell = z.union([z.string(), z.number(), z.null(), z.object({ base64: z.base64() })]);
const tally = z.object({ rows: z.int(), sum: z.string() });
const record = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begin"), migrations: z.array(z.string()) }),
  z.object({ kind: z.literal("table"), name: z.string(), columns: z.array(z.string()), last: z.int() }),
  z.object({ kind: z.literal("rows"), rows: z.array(z.array(cell)) }),
  z.object({ kind: z.literal("end"), tallies: z.record(z.string(), tally) }),
]) satisfies z.ZodType<BackupRecord>;

type BackupFile = { path: string; madeAt: Date };

/**
 * The file appears whole or not at all, readable by its owner alone. @throws with the code EEXIST when it exists
 * already.
 */
export async function writeBackupFile(
  { path, madeAt }: BackupFile,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    const lines = Readable.from(toLines({ madeAt, records }));
    await pipeline(lines, createGzip(), createWriteStream(draft, { flags: "wx", mode: 0o600 }));
    const file = await open(draft, "r+");
    await file.sync();
    await file.close();
    // Unlike renaming, this does not put it in the place of another.
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function* toLines({
  madeAt,
  records,
}: {
  madeAt: Date;
  records: AsyncIterable<BackupRecord>;
}): AsyncGenerator<string> {
  const first: z.input<typeof heading> = { format: "dormouse backup", version: 1, madeAt: madeAt.toISOString() };
  yield `${JSON.stringify(first)}\n`;
  for await (const each of records) yield `${JSON.stringify(each)}\n`;
}

/** @throws {BackupError} when the file is no backup, or is damaged or cut off. */
export async function* readBackupFile(path: string): AsyncGenerator<BackupRecord> {
  const file = createReadStream(path);
  const unzipped = file.pipe(createGunzip()).setEncoding("utf8");
  file.once("error", (error) => unzipped.destroy(error));
  let isFirst = true;
  try {
    for await (const line of splitLines(unzipped)) {
      if (isFirst) heading.parse(JSON.parse(line));
      else yield record.parse(JSON.parse(line));
      isFirst = false;
    }
    if (isFirst) throw new BackupError(`${path} is empty`);
  } catch (error) {
    throw explain(error, path);
  } finally {
    file.destroy();
  }
}

function explain(error: unknown, path: string): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "Z_DATA_ERROR" || error instanceof SyntaxError || error instanceof z.ZodError) {
    return new BackupError(`${path} isn't a backup of this product, or is damaged`, { cause: error });
  }
  if (code === "Z_BUF_ERROR") return new BackupError(`${path} is cut off`, { cause: error });
  return error;
}
