import type { Config } from "../../server/config.ts";
import type { GiftPoint, SagaPoint } from "../../server/context.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { killSelf, openServices } from "./killed-process.ts";
import { type GiftStepInput, takeGiftStep } from "./gift-steps.ts";

/** Takes one step of a gift, and dies at a point. */
export type GiftErrand = GiftStepInput & { database: Config["database"]; now: string; death: GiftPoint | SagaPoint };

const { database, now, death, ...step } = JSON.parse(process.argv[2] ?? "") as GiftErrand;
const reach = (point: string) => void (point === death && killSelf());
const services = await openServices(database, { reach, clock: createTestClock(now) });
await takeGiftStep(services, step);
await services.close();
