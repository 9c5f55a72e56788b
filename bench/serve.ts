import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { readConfig } from "../server/config.ts";
import { createHttpServer, type Handler } from "../server/http/http-server.ts";
import { createStaticFiles } from "../server/http/static-files.ts";
import type { Services } from "../server/services.ts";
import { openServices } from "./synthetic-services.ts";

/** Our host as `server/main.ts` puts it together, over made-up content. */
const { http, basePath, buildDir } = readConfig(process.env);
const entry = pathToFileURL(join(buildDir, "server", "index.js")).href;
const { createHandler } = (await import(entry)) as { createHandler(services: Services): Handler };
const services = await openServices();
services.jobs.start();
createHttpServer({
  http,
  basePath,
  handler: createHandler(services),
  staticFiles: createStaticFiles(join(buildDir, "client")),
  log: services.log,
}).listen(http.port, http.host);
