import { data, type MiddlewareFunction, type RouterContextProvider, type ServerBuild } from "react-router";

import { findUnavailability, levelOfFault } from "../../../server/platform/database/faults.ts";
import { readTrace } from "../../../server/platform/http/trace.ts";
import type { Log } from "../../../server/platform/log.ts";
import { forms } from "../../../server/refusals.ts";
import { servicesContext } from "../context.ts";

const away = { title: "We can't do that just now", sentence: forms["database-away"] };

/** By kind of database fault. */
export const unavailable = {
  away,
  busy: away,
  "cannot-write": { title: "We can't save anything just now", sentence: forms["cannot-save"] },
};

/**
 * A closed page aborts its requests, which is no fault. A database that is away is a warning: it logs its own error
 * once it lasts.
 */
export function logRequestFault(log: Log, { headers, method, signal }: Request, error: unknown): void {
  if (signal.aborted) return;
  log[levelOfFault(error)]({ ...readTrace(headers.get("traceparent")), error, method }, "a request failed");
}

/**
 * Answers 503 with a sentence, not 500, while the database is away, busy or cannot write, because that passes. Wraps
 * everything in a route, because the framework turns errors into a page before any middleware sees them.
 */
export function answerUnavailable(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action, middleware } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: answer(loader) }),
      ...(action && { action: answer(action) }),
      ...(middleware && { middleware: middleware.map((each) => answer(each as MiddlewareFunction)) }),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild["routes"] };
}

type Args = { request: Request; context: Readonly<RouterContextProvider> };

function answer<Given extends [Args, ...unknown[]], Answer>(work: (...given: Given) => Answer) {
  return async (...given: Given): Promise<Awaited<Answer>> => {
    try {
      return await work(...given);
    } catch (error) {
      const [{ request, context }] = given;
      const kind = findUnavailability(error);
      if (!kind) throw error;
      const services = context.get(servicesContext);
      if (services) logRequestFault(services.log, request, error);
      throw data(unavailable[kind], { status: 503, headers: { "Retry-After": "60" } });
    }
  };
}
