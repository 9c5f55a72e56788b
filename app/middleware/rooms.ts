import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { MiddlewareFunction } from "react-router";

import type { Config } from "../../server/config.ts";
import type { Rooms, RoomsOptions } from "../../server/rooms.ts";
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
    const { createRooms } = await importServer<{
      createRooms: (config: Config, options?: RoomsOptions) => Promise<Rooms>;
    }>("rooms.ts");
    return createRooms(readConfig(process.env));
  })();
  return opened;
}

function importServer<Module>(file: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(resolve("server", file)).href) as Promise<Module>;
}
