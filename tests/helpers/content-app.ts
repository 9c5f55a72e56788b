import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createWordpress, type WordpressOptions } from "../../server/adapters/wordpress/wordpress.ts";
import { type Catalogue, createCatalogue } from "../../server/content/catalogue.ts";
import type { ContentSource } from "../../server/content/source.ts";
import type { FakeContent } from "../fakes/wordpress-items.ts";
import { startWordpressFake, type WordpressFake } from "../fakes/wordpress.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** A WordPress, and a catalogue that reads it into a folder of its own. */
export type ContentApp = AsyncDisposable & {
  cms: WordpressFake;
  source: ContentSource;
  catalogue: Catalogue;
  clock: TestClock;
  log: QuietLog;
  folder: string;
  /** The same folder and the same CMS, as a process finds them that starts now. */
  restart(options?: Partial<WordpressOptions>): { source: ContentSource; catalogue: Catalogue; log: QuietLog };
};

type AppOptions = { content?: FakeContent; token?: string; given?: Partial<WordpressOptions>; subfolder?: string };

/** After all that was recorded. */
const NOW = "2026-11-20T03:00:00Z";
const hasty = { requestInMs: 400, fileInMs: 400, refreshInMs: 4000, retryAfterInMs: 1 };

export async function openContentApp(options: AppOptions = {}): Promise<ContentApp> {
  const { content, token, given, subfolder } = options;
  const clock = createTestClock(NOW);
  const folder = await mkdtemp(join(tmpdir(), "dormouse-content-"));
  const cms = await startWordpressFake({
    clock,
    ...(content && { content }),
    ...(token && { token }),
    ...(subfolder && { folder: subfolder }),
  });

  function restart(more: Partial<WordpressOptions> = {}) {
    const log = createQuietLog();
    const setting = { url: cms.url, token, clock, log, folder, patience: hasty };
    const source = createWordpress({ ...setting, ...given, ...more });
    const catalogue = createCatalogue({
      source,
      setting: { productName: "Dormouse", basePath: "/" },
      clock,
      log,
      cardsPerPage: 24,
    });
    return { source, catalogue, log };
  }
  return {
    cms,
    clock,
    folder,
    ...restart(),
    restart,
    async [Symbol.asyncDispose]() {
      await cms[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
