import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";

/** A file that is there and of no use to whoever opens it. The `code` tells that the cause is outside. */
export class SqliteFileError extends Error {
  override name = "SqliteFileError";
  readonly code = "ERR_SQLITE_FILE";
}

/** Whether the file that a database was opened with is still the one at its path. */
export type FileWatch = {
  /** What has become of it, for operators; nothing while it is there whole. */
  findLoss(): string | undefined;
  /** @throws {SqliteFileError} when it is lost: what is written then would reach no file that is opened again. */
  requireFile(): void;
};

export function watchFile(path: string): FileWatch {
  const first = statSync(path);
  let largest = first.size;
  let loss: string | undefined;

  function look(): string | undefined {
    const now = statSync(path, { throwIfNoEntry: false });
    if (!now) return "was removed";
    if (now.ino !== first.ino || now.dev !== first.dev) return "was replaced by another file";
    if (now.size < largest && isCut(path, now)) return "was cut off";
    largest = now.size;
    return undefined;
  }

  const findLoss = () => {
    const fate = loss ? undefined : look();
    if (fate) loss = `${path} ${fate} while it was open`;
    return loss;
  };
  return {
    findLoss,
    requireFile() {
      const found = findLoss();
      if (found) throw new SqliteFileError(`${found}: nothing is written any more`);
    },
  };
}

/**
 * Refuses to begin an empty database where there was one. A file beside it tells so, which an operator removes to begin anew on
 * purpose.
 * @throws {SqliteFileError} when the database is gone, empty or cut off.
 */
export function refuseLost(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const advice = "put the file back, or restore a backup: npm run dormouse -- database restore FILE";
  if (existsSync(markerOf(path)) && !found?.size) {
    const fate = found ? "is empty" : "is missing";
    const anew = `To begin an empty database on purpose, remove ${markerOf(path)}`;
    throw new SqliteFileError(`${path} ${fate}, although it held a database: ${advice}. ${anew}`);
  }
  // What a log beside it still holds may be all that is missing.
  const hasLog = Boolean(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size);
  if (found?.size && !hasLog && canRead(path) && isCut(path, found))
    throw new SqliteFileError(`${path} is cut off: ${advice}`);
}

/** What this user may not read SQLite refuses by itself. */
function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Notes that there is a database at `path`. */
export function markDatabase(path: string): void {
  try {
    const text = "While this file is here, Dormouse begins no empty database in place of one that is missing.\n";
    writeFileSync(markerOf(path), text, { flag: "wx", mode: 0o600 });
  } catch {
    // It is there already, or comes with a start on a disk that takes it.
  }
}

function markerOf(path: string): string {
  return `${path}.made`;
}

const HEADER_BYTES = 32;

/** Whether a file is shorter than its header says (sqlite.org/fileformat.html, sections 1.3.2 and 1.3.8). */
function isCut(path: string, { size }: Stats): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, "r");
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return true;
  } finally {
    closeSync(file);
  }
  const written = header.readUInt16BE(16);
  const pageBytes = written === 1 ? 65_536 : written;
  return header.toString("latin1", 0, 15) === "SQLite format 3" && size < pageBytes * header.readUInt32BE(28);
}
