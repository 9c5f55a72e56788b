import type { Config } from "../../server/config.ts";
import { createCatalogue, type Catalogue } from "../../server/content/catalogue.ts";
import { openContent } from "../../server/outside.ts";
import { createQuietLog } from "./quiet-log.ts";
import { createTestClock } from "./test-clock.ts";

const opened = new Map<string, Promise<Catalogue>>();

/**
 * The content that comes with the product, prepared once for all sites of a process: it is most of what opening one costs, and nobody
 * changes it. Its clock stands still, so that it never grows old.
 */
export async function openBundledCatalogue({ product, basePath, ...config }: Config): Promise<Catalogue> {
  const setting = { productName: product.name, mediaBase: `${basePath}media/` };
  const key = JSON.stringify(setting);
  const catalogue = opened.get(key) ?? open({ product, basePath, ...config }, setting);
  opened.set(key, catalogue);
  // A copy: a test may put a fault in the place of what it asks.
  return { ...(await catalogue) };
}

async function open(config: Config, setting: { productName: string; mediaBase: string }): Promise<Catalogue> {
  const clock = createTestClock();
  const log = createQuietLog();
  const source = await openContent(config, { clock, log });
  const catalogue = createCatalogue({ source, setting, clock, log, cardsPerPage: 24 });
  await catalogue.open();
  return catalogue;
}
