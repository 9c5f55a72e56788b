import type { MiddlewareFunction } from "react-router";

import { isAwayFault } from "../../server/database/rules.ts";
import type { Log } from "../../server/log.ts";
import { forms } from "../../server/refusals.ts";
import { readScheme, type Scheme } from "../cookies.ts";
import { href, stripBase } from "../paths.ts";
import { colorSchemes } from "../scheme.ts";
import { problemOf, type ProblemText } from "../ui/problem.tsx";
import { requireServices } from "./guards.ts";
import { writeFaultContext } from "./write-faults.ts";

/**
 * A route without a page answers a fault or a refused form with a line for programs. A browser that sent it a form without script
 * gets the sentence that every other page has for it. There are no styles: whatever failed, this must not.
 */
export const faultPageMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  try {
    const response = await next();
    if (isForPrograms(stripBase(url.pathname))) return response;
    const type = response.headers.get("Content-Type") ?? "";
    if (context.get(writeFaultContext) && !type.startsWith("text/html"))
      return faultPage(request, 503, forms.ours["cannot-save"]);
    if (!type.startsWith("text/plain")) return response;
    // The sentence is one of ours, never a visitor's.
    if (response.status === 403) return faultPage(request, 403, await response.text());
    return response.status === 500 ? faultPage(request, 500) : response;
  } catch (error) {
    // Redirects and refusals are thrown too; routes with a page have met their faults before this.
    if (!(error instanceof Error) || isForPrograms(stripBase(url.pathname))) throw error;
    logRequestFault(requireServices(context).log, request, error);
    return faultPage(request, 500);
  }
};

/** Logs a failed request; only a warning while the database is away, because that has an error line of its own once it has lasted. */
export function logRequestFault(log: Log, { method }: Request, error: unknown): void {
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
