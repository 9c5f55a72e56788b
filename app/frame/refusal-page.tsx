import { renderToStaticMarkup } from "react-dom/server";

import { Problem, toProblem, type ProblemText } from "../components/problem.tsx";
import type { AnswerRefusal } from "../../server/platform/http/http-server.ts";
import { readScheme } from "./cookies.ts";
import { secureUnrouted } from "./middleware/security-headers.ts";
import { href, stripBase } from "./paths.ts";
import { colorSchemes } from "./scheme.ts";

/**
 * Answers refusals outside of routes: a page where the request accepts HTML, else the sentence. `styles`: addresses of
 * the style sheets.
 */
export function createAnswerRefusal(styles: string[]): AnswerRefusal {
  return (request, { status, text }) => {
    const problem = { ...toProblem(status, text?.sentence ? { data: text.sentence } : undefined), ...text };
    const isPage = readAccepts(request) !== "none";
    const words = text?.sentence && !text.title ? text.sentence : `${problem.title}. ${problem.sentence}`;
    const body = isPage ? renderPage(problem, { request, styles }) : `${words}\n`;
    const response = new Response(body, { status, headers: isPage ? pageHeaders : plainHeaders });
    return secureUnrouted(response, new URL(request.url));
  };
}

/** Replaces a route's answer for programs by a page, where the request accepts HTML. */
export async function toRefusalPage(request: Request, response: Response, styles: string[]): Promise<Response> {
  const { status } = response;
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
  const accepts = readAccepts(request);
  if (status < 400 || isPage || accepts === "none" || isReport(request)) return response;
  const text = request.method === "HEAD" ? "" : await response.clone().text();
  const given = parse(text);
  // Our script reads these, and accepts anything.
  if (accepts === "any" && typeof given === "object" && !(given && "title" in given)) return response;
  const problem = toProblem(status, status === 500 ? undefined : { data: findSentence(given) });
  const headers = new Headers(response.headers);
  for (const name of ["Content-Length", "Content-Disposition", "ETag"]) headers.delete(name);
  for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
  const body = request.method === "HEAD" ? null : renderPage(problem, { request, styles });
  return new Response(body, { status, headers });
}

/**
 * Whether the client accepts a page (RFC 9110, section 12.5.1): by name, as anything (also without the header), or not. For
 * programs "anything" is no page. A request with the API's key is a program's, whatever headers it sends.
 */
function readAccepts({ headers, url }: Request): "page" | "any" | "none" {
  const { pathname } = new URL(url);
  if (pathname.endsWith(".data") || headers.has("X-Api-Key")) return "none";
  const ranges = (headers.get("Accept") ?? "*/*")
    .split(",")
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(part));
  if (ranges.some((part) => /^\s*text\/(?:html|\*)\s*(?:;|$)/i.test(part))) return "page";
  if (/^\/(?:api|webhooks|media|avatars|healthz|readyz)(?:\/|$)/.test(stripBase(pathname))) return "none";
  return ranges.some((part) => /^\s*\*\/\*/.test(part)) ? "any" : "none";
}

/** The report of `/readyz` is no refusal, although its status is 503. */
function isReport({ method, url }: Request): boolean {
  return method === "GET" && /^\/readyz\/?$/i.test(stripBase(new URL(url).pathname));
}

type RefusalBody = string | { title?: unknown; data?: { message?: unknown }; problem?: unknown } | null;

function parse(body: string): RefusalBody {
  try {
    return JSON.parse(body) as RefusalBody;
  } catch {
    return body.trim();
  }
}

/** A text, or a field of one of our objects; the framework's answers have none. */
function findSentence(body: RefusalBody): unknown {
  if (typeof body !== "object" || body === null || "title" in body) return body;
  const { data, problem } = body;
  if (typeof problem === "object" && problem !== null && "sentence" in problem) return problem.sentence;
  return data?.message ?? problem;
}

const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; object-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "Cache-Control": "no-store",
};
const plainHeaders = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

/** Like the root's `ErrorBoundary`, without script or resources, so that little of it can fail. */
function renderPage(problem: ProblemText, { request, styles }: { request: Request; styles: string[] }): string {
  const scheme = readScheme(request) ?? "system";
  const page = renderToStaticMarkup(
    <html lang="en-GB" data-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={colorSchemes[scheme]} />
        <link rel="icon" href={href("/favicon.svg")} type="image/svg+xml" />
        {styles.map((each) => (
          <link key={each} rel="stylesheet" href={each} />
        ))}
      </head>
      <body>
        <Problem {...problem} />
      </body>
    </html>,
  );
  return `<!doctype html>${page}\n`;
}
