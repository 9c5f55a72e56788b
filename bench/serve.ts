import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { readConfig } from "../server/config.ts";
import { createHttpServer, type Handler } from "../server/http/http-server.ts";
import { createStaticFiles } from "../server/http/static-files.ts";
import type { Rooms } from "../server/rooms.ts";
import { openRooms } from "./synthetic-rooms.ts";

/** Our host as `server/main.ts` puts it together, over made-up content. */
const { http, basePath, buildDir } = readConfig(process.env);
const entry = pathToFileURL(join(buildDir, "server", "index.js")).href;
const { createHandler } = (await import(entry)) as { createHandler(rooms: Rooms): Handler };
const rooms = await openRooms();
rooms.tasks.start();
createHttpServer({
  http,
  basePath,
  handler: createHandler(rooms),
  staticFiles: createStaticFiles(join(buildDir, "client")),
  log: rooms.log,
}).listen(http.port, http.host);
