import {
  createContext,
  data,
  type LoaderFunction,
  type MiddlewareFunction,
  type RouterContextProvider,
  type ServerBuild,
} from "react-router";

import { isAwayFault, isWriteFault } from "../../server/database/rules.ts";
import type { Log } from "../../server/log.ts";
import { forms } from "../../server/refusals.ts";
import { servicesContext } from "../context.ts";
import { readScheme, type Scheme } from "../cookies.ts";
import { href, stripBase } from "../paths.ts";
import { colorSchemes } from "../scheme.ts";
import { problemOf, type ProblemText } from "../components/problem.tsx";
import { requireServices } from "./guards.ts";

/** Whether the database could not write for this request. */
const writeFaultContext = createContext(false);

/**
 * A route without a page answers a fault or a refused form with a line for programs. A browser that sent it a form without script
 * gets a page with our sentence instead. It has no styles, so that nothing of it can fail.
 */
export const faultPageMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  try {
    const response = await next();
    if (isForPrograms(stripBase(url.pathname))) return response;
    const type = response.headers.get("Content-Type") ?? "";
    if (context.get(writeFaultContext) && !type.startsWith("text/html"))
      return faultPage(request, 503, forms.ours["cannot-save"]);
    if (!type.startsWith("text/plain")) return response;
    // The text is one of our sentences, never a visitor's: it goes into the page as it is.
    if (response.status === 403) return faultPage(request, 403, await response.text());
    return response.status === 500 ? faultPage(request, 500) : response;
  } catch (error) {
    // Redirects and refusals are thrown too; the faults of routes with a page never get here.
    if (!(error instanceof Error) || isForPrograms(stripBase(url.pathname))) throw error;
    logRequestFault(requireServices(context).log, request, error);
    return faultPage(request, 500);
  }
};

/**
 * Logs a failed request, unless its browser has left: a page that closes breaks off what it sends. A database that is away is a warning:
 * it has an error line of its own once it lasts.
 */
export function logRequestFault(log: Log, { method, signal }: Request, error: unknown): void {
  if (signal.aborted) return;
  if (isAwayFault(error)) log.warn({ error, method }, "a request failed: the database is away");
  else log.error({ error, method }, "a request failed");
}

function faultPage(request: Request, status: 403 | 500 | 503, said?: string): Response {
  const problem = problemOf(status, said === undefined ? undefined : { data: said });
  return new Response(page(problem, readScheme(request)), {
    status,
    headers: {
      ...(status === 503 && { "Retry-After": "60" }),
      "Content-Type": "text/html; charset=utf-8",
    },
  });
}

function isForPrograms(path: string): boolean {
  return path.endsWith(".data") || /^\/(?:api|webhooks|media|avatars)\/|^\/(?:healthz|readyz)$/.test(path);
}

function page({ title, sentence }: ProblemText, scheme: Scheme | undefined): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${colorSchemes[scheme ?? "system"]}"><title>${title}</title>`;
  const main = `<main><h1>${title}</h1><p>${sentence}</p><p><a href="${href("/")}">Go to the dashboard</a></p></main>`;
  return `<!doctype html><html lang="en-GB"><head>${head}</head><body>${main}</body></html>\n`;
}

/**
 * Forms and pages answer 503 with a sentence, not 500, while the database cannot write: that passes. Loaders and actions are wrapped,
 * because the framework turns what they throw into a page before any middleware sees it.
 */
export function answerWriteFaults(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: answer(loader) }),
      ...(action && { action: answer(action) }),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild["routes"] };
}

function answer(work: LoaderFunction): LoaderFunction {
  return async (args) => {
    try {
      return await work(args);
    } catch (error) {
      if (!isWriteFault(error)) throw error;
      const { request, context } = args;
      // Read-only by its type, but it is this request's own.
      (context as RouterContextProvider).set(writeFaultContext, true);
      context.get(servicesContext)?.log.error({ error, method: request.method }, "the database cannot write");
      throw data(forms.ours["cannot-save"], { status: 503, headers: { "Retry-After": "60" } });
    }
  };
}
