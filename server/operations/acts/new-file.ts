import { createWriteStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { errorText } from "../../platform/faults.ts";
import { refuseAct, type RefusedAct } from "./act.ts";

/** Before anything is recorded. */
export function refuseKnownFile(file: string | undefined): RefusedAct | undefined {
  return file !== undefined && existsSync(file) ? refuseAct(`${file} already exists. Name a new file.`) : undefined;
}

/** Only the user who runs the command may read the file. */
export async function writeNewFile(
  file: string,
  parts: AsyncIterable<string> | string[],
): Promise<RefusedAct | undefined> {
  try {
    await pipeline(Readable.from(parts), createWriteStream(file, { flags: "wx", mode: 0o600 }));
    return undefined;
  } catch (error) {
    return refuseAct(`We couldn't write the file: ${errorText(error)}`);
  }
}
