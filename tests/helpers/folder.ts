import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Removed at the end of its `await using` block. */
export async function openFolder(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
