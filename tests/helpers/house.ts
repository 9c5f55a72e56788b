import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import { readConfig } from "../../server/config.ts";
import type { Database, Engine } from "../../server/database/database.ts";
import type { Message } from "../../server/email/mailer.ts";
import { createRooms, type Rooms, type RoomsOptions } from "../../server/rooms.ts";
import { openTestDatabase } from "./databases.ts";
import { createFixedContent } from "./fixed-content.ts";
import { createLetterBox } from "./letter-box.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** All rooms of a demo over one database, without content, with a clock that stands still and letters kept in memory. */
export type House = AsyncDisposable & {
  rooms: Rooms;
  clock: TestClock;
  log: QuietLog;
  database: Database;
  letters: Message[];
  /** Lets time go by, then does what the house does by itself about money and mail. */
  pass(ms: number): Promise<void>;
  /** Lets so much time go by that nothing is open any more. */
  comeToRest(): Promise<void>;
};

export type HouseOptions = RoomsOptions & { clock?: TestClock };

/** Past every wait of the house: of notices, of lost payments, of abandoned ones, of orders that nobody pays for. */
const STEPS_TO_REST_IN_MS = [
  SECOND_IN_MS,
  MINUTE_IN_MS,
  2 * MINUTE_IN_MS,
  91 * MINUTE_IN_MS,
  25 * HOUR_IN_MS,
  DAY_IN_MS,
];

export async function openHouse(engine: Engine, options: HouseOptions = {}): Promise<House> {
  const database = options.database ?? (await openTestDatabase(engine));
  const clock = options.clock ?? createTestClock();
  const log = createQuietLog();
  const mailer = createLetterBox();
  const config = readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" });
  const rooms = await createRooms(config, { mailer, content: createFixedContent(), ...options, clock, log, database });

  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    for (const task of ["handle-notices", "reconcile-payments", "send-mail"]) await rooms.tasks.run(task);
  }
  return {
    rooms,
    clock,
    log,
    database,
    letters: mailer.letters,
    pass,
    async comeToRest() {
      for (const step of STEPS_TO_REST_IN_MS) await pass(step);
    },
    [Symbol.asyncDispose]: () => rooms.close(),
  };
}
