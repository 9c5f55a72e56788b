import { flushCompileCache } from "node:module";

import { readConfig, type Config } from "../../server/config.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { createServices, type ServicesOptions } from "../../server/services.ts";
import { createFixedContent } from "../helpers/fixed-content.ts";
import { createQuietLog } from "../helpers/quiet-log.ts";

/** The services of a process that ends itself at a point, as a power cut would: nothing runs after it. */
export async function openServices(database: Config["database"], options: ServicesOptions) {
  // A killed process would leave nothing for the next one.
  flushCompileCache();
  return createServices(readConfig({ DEMO: "true", ORIGIN: "http://dormouse.test" }), {
    log: createQuietLog(),
    database: await openDatabase(database),
    content: createFixedContent(),
    ...options,
  });
}

export function killSelf(): void {
  process.kill(process.pid, "SIGKILL");
}
