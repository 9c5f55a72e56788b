import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

import { readConfig } from "../server/config.ts";
import { createHttpServer } from "../server/platform/http/http-server.ts";
import { createStaticFiles } from "../server/platform/http/static-files.ts";
import type { Build } from "../server/main.ts";
import { openServices } from "./synthetic-services.ts";

/** The HTTP server as `server/main.ts` makes it, over made-up content. */
const { http, basePath, buildDir } = readConfig(process.env);
const entry = pathToFileURL(join(buildDir, "server", "index.js")).href;
const { createHandler, createAdmission, answerRefusal } = (await import(entry)) as Build;
const services = await openServices();
services.jobs.start();
createHttpServer({
  http,
  basePath,
  handler: createHandler(services),
  admit: createAdmission(services),
  answerRefusal,
  staticFiles: createStaticFiles(join(buildDir, "client")),
  log: services.log,
}).listen(http.port, http.host);

/** The interval of checking the event loop, in milliseconds: a delay counts from one check to the next. */
const LOOK_EVERY_IN_MS = 5;
const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_IN_MS });
delays.enable();
// For `readLongestHold`.
process.on("message", () => {
  process.send?.(Math.max(0, delays.max / 1e6 - LOOK_EVERY_IN_MS));
  delays.reset();
});

// Exits regularly, so that Node writes a profile if one was requested.
process.once("SIGTERM", () => process.exit(0));
