import type { MiddlewareFunction } from "react-router";

import { readScheme, type Scheme } from "../cookies.ts";
import { href, stripBase } from "../paths.ts";
import { colorSchemes } from "../scheme.ts";
import { problemOf } from "../ui/problem.tsx";
import { requireRooms } from "./guards.ts";
import { CANNOT_SAVE, writeFaultContext } from "./write-faults.ts";

/**
 * A route without a page answers a fault with a line for programs. Who sent it a form without script gets the sentence that every
 * other page has for it. There are no styles: whatever failed, this must not.
 */
export const faultPageMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }, next) => {
  try {
    const response = await next();
    if (isForPrograms(stripBase(url.pathname))) return response;
    const type = response.headers.get("Content-Type") ?? "";
    if (context.get(writeFaultContext) && !type.startsWith("text/html")) return faultPage(request, 503);
    return response.status === 500 && type === "text/plain" ? faultPage(request) : response;
  } catch (error) {
    // Redirects and refusals are thrown too; routes with a page have met their faults before this.
    if (!(error instanceof Error) || isForPrograms(stripBase(url.pathname))) throw error;
    requireRooms(context).log.error({ error, method: request.method }, "a request failed");
    return faultPage(request);
  }
};

function faultPage(request: Request, status: 500 | 503 = 500): Response {
  return new Response(page(readScheme(request), status), {
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

function page(scheme: Scheme | undefined, status: 500 | 503): string {
  const { title, sentence } = problemOf(status, status === 503 ? { data: CANNOT_SAVE } : undefined);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${colorSchemes[scheme ?? "system"]}"><title>${title}</title>`;
  const main = `<main><h1>${title}</h1><p>${sentence}</p><p><a href="${href("/")}">Go to the dashboard</a></p></main>`;
  return `<!doctype html><html lang="en-GB"><head>${head}</head><body>${main}</body></html>\n`;
}
