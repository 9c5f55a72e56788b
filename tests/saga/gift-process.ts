import { flushCompileCache } from "node:module";

import { readConfig, type Config } from "../../server/config.ts";
import type { GiftPoint, SagaPoint } from "../../server/context.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { createServices } from "../../server/services.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { type GiftStepInput, takeGiftStep } from "./gift-steps.ts";

/** Takes one step of a gift, and ends itself at a point as a power cut would. */
export type GiftErrand = GiftStepInput & { database: Config["database"]; now: string; death: GiftPoint | SagaPoint };

const { database, now, death, ...step } = JSON.parse(process.argv[2] ?? "") as GiftErrand;
// A killed process would leave nothing for the next one.
flushCompileCache();
const services = await createServices(readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" }), {
  reach: (point) => point === death && process.kill(process.pid, "SIGKILL"),
  clock: createTestClock(now),
  log: createQuietLog(),
  database: await openDatabase(database),
  content: createFixedContent(),
});
await takeGiftStep(services, step);
await services.close();
