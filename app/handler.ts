import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";

import type { Rooms } from "../server/rooms.ts";
import { addressContext, roomsContext } from "./context.ts";

/**
 * The entry of the server build. Hosts that know the framework (`react-router-serve`) take the build itself;
 * ours takes `createHandler`, from here and not from the sources, because a context key is an object of this bundle.
 */
export * from "virtual:react-router/server-build";

export type Handler = (request: Request, address: string) => Promise<Response>;

/** Answers requests from the given rooms. */
export function createHandler(rooms: Rooms): Handler {
  // The build's own type has optional parts as `| undefined`, which the handler's (under `exactOptionalPropertyTypes`) has not.
  const handle = createRequestHandler(build as ServerBuild, "production");
  return (request, address) => {
    const context = new RouterContextProvider();
    context.set(roomsContext, rooms);
    context.set(addressContext, address);
    return handle(request, context);
  };
}
