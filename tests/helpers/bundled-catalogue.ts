import type { Config } from "../../server/config.ts";
import type { Catalogue } from "../../server/content/catalogue/catalogue.ts";
import { openContent } from "../../server/adapters/adapters.ts";
import { openCatalogue } from "../../server/services.ts";
import { createQuietLog } from "./quiet-log.ts";
import { createTestClock } from "./test-clock.ts";

const opened = new Map<string, Promise<Catalogue>>();

/**
 * The bundled content, prepared once for all sites of a process: it is most of the cost of opening one, and no test
 * changes it. Its clock does not advance, so that it never becomes stale.
 */
export async function openBundledCatalogue(config: Config): Promise<Catalogue> {
  const key = `${config.basePath} ${config.product.name} ${config.searchWordsFile}`;
  const catalogue = opened.get(key) ?? open(config);
  opened.set(key, catalogue);
  // A copy: a test may replace methods by faults.
  return { ...(await catalogue) };
}

async function open(config: Config): Promise<Catalogue> {
  const setting = { clock: createTestClock(), log: createQuietLog() };
  return openCatalogue(config, { ...setting, content: await openContent(config, setting) });
}
