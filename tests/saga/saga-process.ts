import { appendFileSync } from "node:fs";

import type { Config } from "../../server/config.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { killSelf, openServices } from "./killed-process.ts";
import { walk, watch, type Point, type Step } from "./journeys.ts";

/** Dies in the middle of a journey. */
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
  if (times === errand.death.time) killSelf();
}

const clock = createTestClock(errand.now);
const services = await openServices(errand.database, {
  ...watch(report, ({ id, subject }) => appendFileSync(errand.emailsFile, `${id}\t${subject}\n`)),
  clock,
});
await walk(errand.steps, { services, token: errand.token, clock, report });
await services.close();
