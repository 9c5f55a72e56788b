import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../server/clock.ts";
import { readConfig } from "../../server/config.ts";
import type { Database, Engine } from "../../server/database/database.ts";
import type { Message } from "../../server/email/sending.ts";
import { createServices, type Services, type ServicesOptions } from "../../server/services.ts";
import { openTestDatabase } from "./databases.ts";
import { createFixedContent } from "./fixed-content.ts";
import { createEmailList } from "./email-list.ts";
import { createQuietLog, type QuietLog } from "./quiet-log.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** All services of a demo over one database, without content, with a clock that stands still and emails kept in memory. */
export type App = AsyncDisposable & {
  services: Services;
  clock: TestClock;
  log: QuietLog;
  database: Database;
  emails: Message[];
  /** Lets time go by, then does what the app does by itself about money and mail. */
  pass(ms: number): Promise<void>;
  /** Lets so much time go by that nothing is open any more. */
  comeToRest(): Promise<void>;
};

export type AppOptions = ServicesOptions & { clock?: TestClock };

/** Past every wait of the app: of webhook events, of lost payments, of abandoned ones, of orders that are never paid for. */
const STEPS_TO_REST_IN_MS = [
  SECOND_IN_MS,
  MINUTE_IN_MS,
  2 * MINUTE_IN_MS,
  91 * MINUTE_IN_MS,
  25 * HOUR_IN_MS,
  DAY_IN_MS,
];

export async function openApp(engine: Engine, options: AppOptions = {}): Promise<App> {
  const database = options.database ?? (await openTestDatabase(engine));
  const clock = options.clock ?? createTestClock();
  const log = createQuietLog();
  const mailer = createEmailList();
  const config = readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" });
  const services = await createServices(config, {
    mailer,
    content: createFixedContent(),
    ...options,
    clock,
    log,
    database,
  });

  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    for (const job of ["handle-webhooks", "reconcile-payments", "send-mail"]) await services.jobs.run(job);
  }
  return {
    services,
    clock,
    log,
    database,
    emails: mailer.emails,
    pass,
    async comeToRest() {
      for (const step of STEPS_TO_REST_IN_MS) await pass(step);
    },
    [Symbol.asyncDispose]: () => services.close(),
  };
}
