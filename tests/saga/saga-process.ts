import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";

import { readConfig, type Config } from "../../server/config.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { createServices } from "../../server/services.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { walk, watch, type Point, type Step } from "./journeys.ts";

/** Ends itself in the middle of a journey as a power cut would: nothing runs after it. */
export type Errand = {
  database: Config["database"];
  now: string;
  token: string;
  steps: Step[];
  /** `time`: at which arrival at the point. */
  death: { point: Point; time: number };
  /** Gets a line for each sent email. */
  emailsFile: string;
};

const errand = JSON.parse(process.argv[2] ?? "") as Errand;
let times = 0;

function report(point: Point): void {
  if (point !== errand.death.point) return;
  times += 1;
  if (times === errand.death.time) process.kill(process.pid, "SIGKILL");
}

// A killed process would leave nothing for the next one.
flushCompileCache();
const clock = createTestClock(errand.now);
const services = await createServices(readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" }), {
  ...watch(report, ({ id, subject }) => appendFileSync(errand.emailsFile, `${id}\t${subject}\n`)),
  clock,
  log: createQuietLog(),
  database: await openDatabase(errand.database),
  content: createFixedContent(),
});
await walk(errand.steps, { services, token: errand.token, clock, report });
await services.close();
