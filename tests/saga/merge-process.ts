import type { Config } from "../../server/config.ts";
import type { MergePoint } from "../../server/context.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { killSelf, openServices } from "./killed-process.ts";

/** Merges two accounts, and dies at a point. */
export type MergeErrand = {
  database: Config["database"];
  now: string;
  targetId: number;
  other: string;
  code: string;
  death: MergePoint;
};

const { database, now, death, ...merge } = JSON.parse(process.argv[2] ?? "") as MergeErrand;
const reach = (point: string) => void (point === death && killSelf());
const services = await openServices(database, { reach, clock: createTestClock(now) });
await services.merging.merge({ ...merge, site: services.site }, async () => undefined);
await services.close();
