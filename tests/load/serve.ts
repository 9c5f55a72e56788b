import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { addDemoMembers } from "../../server/cli/demo-members.ts";
import { readConfig } from "../../server/config.ts";
import { createHost, type Handler } from "../../server/host/host.ts";
import { createStaticFiles } from "../../server/host/static-files.ts";
import type { Rooms } from "../../server/rooms.ts";
import { createRooms } from "./synthetic-rooms.ts";

/** Our host as `server/main.ts` puts it together, over made-up content. */
const config = readConfig(process.env);
const entry = pathToFileURL(join(config.buildDir, "server", "index.js")).href;
const { createHandler } = (await import(entry)) as { createHandler(rooms: Rooms): Handler };
const rooms = await createRooms(config);
await addDemoMembers(rooms);
rooms.tasks.start();
createHost({
  http: config.http,
  basePath: config.basePath,
  handler: createHandler(rooms),
  staticFiles: createStaticFiles(join(config.buildDir, "client")),
  log: rooms.log,
}).listen(config.http.port, config.http.host);
