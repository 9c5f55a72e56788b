import type { Selectable } from "kysely";

import type { Audit } from "../../platform/audit/audit.ts";
import { after, DAY_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { BYTE_ORDER_MARK, toCsvLine } from "../../platform/csv.ts";
import { countChanged } from "../../platform/database/changes.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { cleanText } from "../../platform/text.ts";
import { type FileLine, MemberFileError, type MemberFile, readMemberFile } from "./member-file.ts";
import { type ImportCounts, type ImportResult, type Moving, noCounts } from "./moving.ts";

/**
 * Files of members that an operator uploads at the desk. A job imports their lines, so no request waits, and a restart
 * continues. Hashes of passwords are left out: an operator who knows one could log in as its member (docs/security.md).
 */
export type MemberFiles = ReturnType<typeof createMemberFiles>;

export type SentFile = { name: string; bytes: Uint8Array; operator: string; isRehearsal: boolean; isMailed: boolean };

/** `linesDone`: the last imported line; `lines`: their number, if counted. */
export type MemberFileView = Pick<Row, "id" | "name" | "operator" | "sentAt" | "lines" | "linesDone"> & {
  isRehearsal: boolean;
  finishedAt: Date | undefined;
  /** A sentence, for a file that could not be read to its end. */
  fault: string | undefined;
  counts: ImportCounts;
};

type Row = Selectable<Schema["memberFiles"]>;
type FilesContext = Context & { moving: Moving; audit: Audit };

const NAME_MAX_LENGTH = 100;
/** Waiting or under way; each has its bytes in the database. */
const MAX_UNFINISHED = 10;
/** How long a run may take: a server's shutdown waits for it. */
const RUN_IN_MS = 5 * SECOND_IN_MS;
/**
 * An import saves its progress after so many lines. A rehearsal saves once a run, because repeating it does no harm.
 */
const LINES_AT_ONCE = 100;
const STORED_FOR_DAYS = 7;

export function createMemberFiles(ctx: FilesContext) {
  const { db } = ctx;
  return {
    /** Checks the heading; `refusal` is a sentence. */
    async add(file: SentFile, trx: Queries): Promise<{ ok: true; id: number } | { ok: false; refusal: string }> {
      const fault = await findFault(file.bytes);
      if (fault !== undefined) return { ok: false, refusal: fault };
      const { count } = await trx
        .selectFrom("memberFiles")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("finishedAt", "is", null)
        .executeTakeFirstOrThrow();
      if (count >= MAX_UNFINISHED) {
        return { ok: false, refusal: "Ten files are already waiting. Please send this one once they're done." };
      }
      return { ok: true, id: await insertFile(trx, file, ctx.clock()) };
    },
    async list(limit: number): Promise<MemberFileView[]> {
      const rows = db.selectFrom("memberFiles").select(viewColumns).orderBy("id", "desc").limit(limit);
      return (await rows.execute()).map(toView);
    },
    /** A CSV of a file's refused lines, or of all lines of a rehearsal; empty for an unknown file. */
    async *writeReport(id: number): AsyncGenerator<string, void, undefined> {
      yield BYTE_ORDER_MARK;
      for (let line = -1; ;) {
        const reports = db.selectFrom("memberFileReports").select(["line", "text"]).where("fileId", "=", id);
        const next = await reports.where("line", ">", line).orderBy("line").limit(1).executeTakeFirst();
        if (!next) return;
        yield next.text;
        ({ line } = next);
      }
    },
    /** A job: imports lines of the file that has waited longest. */
    work: () => workOnNext(ctx),
    purge: () =>
      countChanged(
        db.deleteFrom("memberFiles").where("finishedAt", "<=", after(ctx.clock(), -STORED_FOR_DAYS * DAY_IN_MS)),
      ),
  };
}

async function findFault(bytes: Uint8Array): Promise<string | undefined> {
  try {
    await readMemberFile([bytes]);
    return undefined;
  } catch (error) {
    if (error instanceof MemberFileError) return error.message;
    throw error;
  }
}

async function insertFile(trx: Queries, file: SentFile, now: Date): Promise<number> {
  const { name, bytes, operator, isRehearsal, isMailed } = file;
  const { id } = await trx
    .insertInto("memberFiles")
    .values({
      name: cleanText(name).slice(0, NAME_MAX_LENGTH) || "members.csv",
      operator,
      sentAt: now,
      isRehearsal: isRehearsal ? 1 : 0,
      isMailed: isMailed ? 1 : 0,
      bytes,
      lines: countLines(bytes),
      linesDone: 0,
      ...noCounts,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Includes a last line without an end. */
function countLines(bytes: Uint8Array): number {
  const [lineFeed, carriageReturn] = [10, 13];
  const end = bytes.includes(lineFeed) ? lineFeed : carriageReturn;
  let count = bytes.at(-1) === end ? 0 : 1;
  for (const byte of bytes) if (byte === end) count += 1;
  return count;
}

const viewColumns = [
  "id",
  "name",
  "operator",
  "sentAt",
  "isRehearsal",
  "lines",
  "linesDone",
  "added",
  "completed",
  "same",
  "refused",
  "finishedAt",
  "fault",
] as const;

function toView(row: Pick<Row, (typeof viewColumns)[number]>): MemberFileView {
  const { id, name, operator, sentAt, lines, linesDone, added, completed, same, refused } = row;
  return {
    id,
    name,
    operator,
    sentAt,
    lines,
    linesDone,
    isRehearsal: row.isRehearsal === 1,
    finishedAt: row.finishedAt ?? undefined,
    fault: row.fault ?? undefined,
    counts: { added, completed, same, refused },
  };
}

async function workOnNext(ctx: FilesContext): Promise<void> {
  const waiting = ctx.db.selectFrom("memberFiles").selectAll().where("finishedAt", "is", null);
  const file = await waiting.orderBy("id").limit(1).executeTakeFirst();
  if (!file?.bytes) return;
  const read = await readMemberFile([file.bytes], {}, file.linesDone);
  const batch = new Batch(file.isRehearsal === 1, read.headings, file.linesDone === 0);
  try {
    if (!(await importLines(ctx, file, { lines: read.lines, batch }))) return;
    await finish(ctx, file, { batch });
  } catch (error) {
    if (!(error instanceof MemberFileError)) throw error;
    await finish(ctx, file, { batch, fault: error.message });
  }
}

/** Returns whether the end was reached. Later lines of a rehearsal depend on what earlier ones would have taken. */
async function importLines(
  ctx: FilesContext,
  file: Row,
  { lines, batch }: Pick<MemberFile, "lines"> & { batch: Batch },
): Promise<boolean> {
  const { clock, moving } = ctx;
  const isRehearsal = file.isRehearsal === 1;
  const options = { isRehearsal, isMailed: file.isMailed === 1, renewsHashes: false, skipsUnknownItems: false };
  const memberImport = moving.begin(options, file.rehearsed ?? undefined);
  const until = after(clock(), RUN_IN_MS);
  for await (const line of lines) {
    batch.add(
      line,
      line.ok ? await memberImport.add({ ...line.member, passwordHash: undefined }) : toRefusal(line.refusal),
    );
    if (batch.size % LINES_AT_ONCE !== 0) continue;
    const isOver = clock() > until;
    if (isOver) batch.rehearsed = memberImport.rehearsed();
    if (isOver || !isRehearsal) await save(ctx, file.id, batch);
    if (isOver) return false;
  }
  return true;
}

function toRefusal(reason: string): ImportResult {
  return { outcome: "refused", reason };
}

class Batch {
  size = 0;
  line = 0;
  text = "";
  rehearsed: string | undefined;
  counts: ImportCounts = { ...noCounts };
  readonly isRehearsal: boolean;
  constructor(isRehearsal: boolean, headings: string[], isFirst: boolean) {
    this.isRehearsal = isRehearsal;
    if (isFirst) this.text = toCsvLine(isRehearsal ? ["line", "email", "what would happen"] : [...headings, "reason"]);
    this.headings = headings;
  }
  private readonly headings: string[];

  add({ number, cells, ...line }: FileLine, result: ImportResult): void {
    this.size += 1;
    this.line = number;
    this.counts[result.outcome] += 1;
    const reason = result.outcome === "refused" ? result.reason : "";
    if (this.isRehearsal) {
      const what = result.outcome === "refused" ? `refused: ${reason}` : result.did.join(", ") || "nothing to do";
      this.text += toCsvLine([String(number), line.ok ? line.member.email : "", what]);
    } else if (reason !== "") {
      this.text += toCsvLine([...this.headings.map((_, place) => cells[place] ?? ""), reason]);
    }
  }

  clear(): void {
    Object.assign(this, { size: 0, text: "", counts: { ...noCounts } });
  }
}

async function save({ db }: FilesContext, id: number, batch: Batch): Promise<void> {
  const { counts, line, text, rehearsed } = batch;
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable("memberFiles")
      .set((column) => ({
        linesDone: line,
        added: column("added", "+", counts.added),
        completed: column("completed", "+", counts.completed),
        same: column("same", "+", counts.same),
        refused: column("refused", "+", counts.refused),
        rehearsed: rehearsed ?? null,
      }))
      .where("id", "=", id)
      .execute();
    if (text !== "") await trx.insertInto("memberFileReports").values({ fileId: id, line, text }).execute();
  });
  batch.clear();
}

/** Deletes the file at once: it names people who may be no members. */
async function finish(
  ctx: FilesContext,
  { id, operator }: Row,
  { batch, fault }: { batch: Batch; fault?: string },
): Promise<void> {
  const { db, clock, audit } = ctx;
  if (batch.size > 0) await save(ctx, id, batch);
  await db.transaction().execute(async (trx) => {
    const row = trx
      .updateTable("memberFiles")
      .set({ finishedAt: clock(), bytes: null, rehearsed: null, fault: fault ?? null });
    const { added, completed, same, refused, isRehearsal } = await row
      .where("id", "=", id)
      .returning(["added", "completed", "same", "refused", "isRehearsal"])
      .executeTakeFirstOrThrow();
    if (isRehearsal === 1) return;
    const facts = { file: id, added, completed, same, refused };
    await audit.record({ operator, action: "members import", facts }, trx);
  });
}
