import { createContext, data, type LoaderFunction, type RouterContextProvider, type ServerBuild } from "react-router";

import { isWriteFault } from "../../server/database/rules.ts";
import { forms } from "../../server/refusals.ts";
import { servicesContext } from "../context.ts";

/** Set once a request has met a database that cannot write. */
export const writeFaultContext = createContext(false);

/**
 * A database that cannot write is a fault that passes: its forms and pages answer 503 with a sentence, not 500. Loaders and actions
 * are wrapped, because the framework has turned what they throw into a page before any middleware sees it.
 */
export function tellWriteFaults(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: tell(loader) }),
      ...(action && { action: tell(action) }),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild["routes"] };
}

function tell(work: LoaderFunction): LoaderFunction {
  return async (args) => {
    try {
      return await work(args);
    } catch (error) {
      if (!isWriteFault(error)) throw error;
      const { request, context } = args;
      // It is the request's own: the framework hands it over to be read only.
      (context as RouterContextProvider).set(writeFaultContext, true);
      context.get(servicesContext)?.log.error({ error, method: request.method }, "the database cannot write");
      throw data(forms.ours["cannot-save"], { status: 503, headers: { "Retry-After": "60" } });
    }
  };
}
