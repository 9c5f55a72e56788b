import * as build from "virtual:react-router/server-build";
import { RouterContextProvider, type ServerBuild } from "react-router";

import { findUnavailability } from "../../server/platform/database/faults.ts";
import type { Admit } from "../../server/platform/http/http-server.ts";
import type { Services } from "../../server/services.ts";
import { createBodyAdmission } from "./admission.ts";
import { addressContext, pageSinkContext, servicesContext, type PageSink } from "./context.ts";
import { answerUnavailable, logRequestFault, unavailable } from "./middleware/faults.ts";
import { isRouted } from "./middleware/security-headers.ts";
import { createRouteNames } from "./route-names.ts";
import { createSegmentHandler } from "./route-segments.ts";
import { createAnswerRefusal, toRefusalPage } from "./refusal-page.tsx";

/**
 * The entry of the server build. `react-router-serve` takes the build itself; our server takes `createHandler` from
 * here and not from the sources, because a context key is an object of this bundle.
 */
export * from "virtual:react-router/server-build";

export type Handler = (request: Request, address: string) => Promise<Answer>;

/** `page`: the bytes of a rendered page; the response is then empty. */
export type Answer = { response: Response; page: Uint8Array | undefined };

const styles = build.assets.routes["root"]?.css ?? [];

/** For refusals of the HTTP server. */
export const answerRefusal = createAnswerRefusal(styles);

export function createHandler(services: Services): Handler {
  // The build's own type has optional parts as `| undefined`, which the handler's (under `exactOptionalPropertyTypes`)
  // has not.
  const handle = createSegmentHandler(answerUnavailable(build as ServerBuild));

  async function route(request: Request, context: RouterContextProvider): Promise<Answer> {
    const sink: PageSink = { page: undefined };
    context.set(pageSinkContext, sink);
    const response = await handle(request, context);
    if (isRouted(response)) return { response: await toRefusalPage(request, response, styles), page: sink.page };
    // The framework's own texts are for developers.
    return { response: answerRefusal(request, { status: response.status }), page: undefined };
  }

  return async (given, address) => {
    const request = withReadableUrl(given);
    replaceStrangeOrigin(request.headers);
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(addressContext, address);
    try {
      return await route(request, context);
    } catch (error) {
      const kind = findUnavailability(error);
      if (!kind) throw error;
      logRequestFault(services.log, request, error);
      return { response: answerRefusal(request, { status: 503, text: unavailable[kind] }), page: undefined };
    }
  };
}

export function createFindRoute(): (path: string) => string {
  return createRouteNames((build as ServerBuild).routes);
}

/** By the request's head alone. */
export function createAdmission(services: Services): Admit {
  const admit = createBodyAdmission((build as ServerBuild).routes);
  return async (request) => {
    try {
      return await admit(request, services);
    } catch (error) {
      // No session can be read now. The answer is 503 in any case, and takes no picture.
      if (findUnavailability(error)) return { kind: "fields" };
      throw error;
    }
  };
}

/**
 * Removes what no address of ours has: control characters, of which PostgreSQL stores no NUL and the framework's
 * patterns match no line break. In a path each becomes a space, so that it stays unknown; a query loses NUL.
 */
function withReadableUrl(request: Request): Request {
  const url = new URL(request.url);
  const pathname = url.pathname.replaceAll(/%(?:[01][\da-f]|7f|e2%80%a[89])/gi, "%20");
  const search = url.search.replaceAll("%00", "");
  if (pathname === url.pathname && search === url.search) return request;
  return new Request(Object.assign(url, { pathname, search }), request);
}

/** The framework answers an invalid `Origin` before any middleware runs. As a foreign one it is refused with a page. */
function replaceStrangeOrigin(headers: Headers): void {
  const origin = headers.get("Origin");
  if (origin !== null && origin !== "null" && !URL.canParse(origin)) headers.set("Origin", "https://strange.invalid");
}
