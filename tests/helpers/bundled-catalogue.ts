import type { Config } from "../../server/config.ts";
import type { Catalogue } from "../../server/content/catalogue/catalogue.ts";
import { openContent } from "../../server/adapters/adapters.ts";
import { openCatalogue } from "../../server/services.ts";
import { createQuietLog } from "./quiet-log.ts";
import { createTestClock } from "./test-clock.ts";

const opened = new Map<string, Promise<Catalogue>>();

/**
 * The content that comes with the product, prepared once for all sites of a process: it is most of what opening one costs, and no
 * test changes it. Its clock does not go on, so that it never grows old.
 */
export async function openBundledCatalogue(config: Config): Promise<Catalogue> {
  const key = `${config.basePath} ${config.product.name}`;
  const catalogue = opened.get(key) ?? open(config);
  opened.set(key, catalogue);
  // A copy: a test may put a fault in the place of what it asks.
  return { ...(await catalogue) };
}

async function open(config: Config): Promise<Catalogue> {
  const setting = { clock: createTestClock(), log: createQuietLog() };
  return openCatalogue(config, { ...setting, content: await openContent(config, setting) });
}
