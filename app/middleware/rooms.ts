import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { MiddlewareFunction } from "react-router";

import type { Config } from "../../server/config.ts";
import type { Rooms } from "../../server/rooms.ts";
import { roomsContext } from "../context.ts";

/**
 * Gives requests their rooms where the host gave none (`react-router dev`, `react-router-serve`): put together on
 * first use, from the sources in the working directory, so that the build carries nothing of `server/`.
 */
export const roomsMiddleware: MiddlewareFunction<Response> = async ({ context }) => {
  if (context.get(roomsContext) === null) context.set(roomsContext, await openRooms());
};

let opened: Promise<Rooms> | undefined;

function openRooms(): Promise<Rooms> {
  opened ??= (async () => {
    const { readConfig } = await importServer<{ readConfig: (env: NodeJS.ProcessEnv) => Config }>("config.ts");
    const { createRooms } = await importServer<{ createRooms: (config: Config) => Promise<Rooms> }>("rooms.ts");
    const config = readConfig(process.env);
    const rooms = await createRooms(config);
    if (config.isDemo) {
      const { fillDemo } = await importServer<{ fillDemo: (rooms: Rooms) => Promise<void> }>("cli/demo-data.ts");
      await fillDemo(rooms);
    }
    // Never stopped: such a host ends without a word.
    rooms.tasks.start();
    return rooms;
  })();
  return opened;
}

function importServer<Module>(file: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(resolve("server", file)).href) as Promise<Module>;
}
