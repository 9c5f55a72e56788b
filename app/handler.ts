import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";

import type { Services } from "../server/services.ts";
import { addressContext, pageSinkContext, servicesContext, type PageSink } from "./context.ts";
import { isBackOfficePath, isDeskPath, knowsDesk, pathOfRequest, withoutBackOffice } from "./back-office.ts";
import { secureUnrouted } from "./middleware/security-headers.ts";
import { answerWriteFaults } from "./middleware/faults.ts";

/**
 * The entry of the server build. Servers that know the framework (`react-router-serve`) take the build itself;
 * ours takes `createHandler`, from here and not from the sources, because a context key is an object of this bundle.
 */
export * from "virtual:react-router/server-build";

export type Handler = (request: Request, address: string) => Promise<Answer>;

/** A response, and the bytes of its page when a page was rendered; then the response itself is empty. */
export type Answer = { response: Response; page: Uint8Array | undefined };

/** Answers requests from the given services. */
export function createHandler(services: Services): Handler {
  // The build's own type has optional parts as `| undefined`, which the handler's (under `exactOptionalPropertyTypes`) has not.
  const whole = answerWriteFaults(build as ServerBuild);
  const handleBackOffice = createRequestHandler(whole, "production");
  const handleMembers = createRequestHandler(withoutBackOffice(whole), "production");

  /** Where a stranger asks for the desk, the answer is that of any address that does not exist. */
  async function isForBackOffice(request: Request, url: URL): Promise<boolean> {
    const path = pathOfRequest(url);
    return isBackOfficePath(path) && (!isDeskPath(path) || (await knowsDesk(request, url, services)));
  }

  return async (request, address) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(addressContext, address);
    const sink: PageSink = { page: undefined };
    context.set(pageSinkContext, sink);
    replaceStrangeOrigin(request.headers);
    const url = new URL(request.url);
    const handle = (await isForBackOffice(request, url)) ? handleBackOffice : handleMembers;
    const response = await handle(request, context);
    secureUnrouted(response, url);
    return { response, page: sink.page };
  };
}

/** The framework answers an `Origin` that is no URL before any middleware runs. As a foreign one it is refused with a page. */
function replaceStrangeOrigin(headers: Headers): void {
  const origin = headers.get("Origin");
  if (origin !== null && origin !== "null" && !URL.canParse(origin)) headers.set("Origin", "https://strange.invalid");
}
