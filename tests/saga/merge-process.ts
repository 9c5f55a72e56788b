import { flushCompileCache } from "node:module";

import { readConfig, type Config } from "../../server/config.ts";
import type { MergePoint } from "../../server/context.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { createServices } from "../../server/services.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { createTestClock } from "../helpers/test-clock.ts";

/** Merges two accounts, and ends itself at a point as a power cut would. */
export type MergeErrand = {
  database: Config["database"];
  now: string;
  targetId: number;
  other: string;
  code: string;
  death: MergePoint;
};

const { database, now, death, ...merge } = JSON.parse(process.argv[2] ?? "") as MergeErrand;
// A killed process would leave nothing for the next one.
flushCompileCache();
const services = await createServices(readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" }), {
  reach: (point) => point === death && process.kill(process.pid, "SIGKILL"),
  clock: createTestClock(now),
  log: createQuietLog(),
  database: await openDatabase(database),
  content: createFixedContent(),
});
await services.merging.merge({ ...merge, site: services.site }, async () => undefined);
await services.close();
