import { renderToStaticMarkup } from "react-dom/server";

import { Problem, toProblem, type ProblemText } from "../components/problem.tsx";
import type { AnswerRefusal } from "../../server/platform/http/http-server.ts";
import { readScheme } from "./cookies.ts";
import { secureUnrouted } from "./middleware/security-headers.ts";
import { href, stripBase } from "./paths.ts";
import { colorSchemes } from "./scheme.ts";

/**
 * Answers refusals outside of every route: by a page where the request accepts HTML, else by the sentence. `styles`: the addresses of the
 * style sheets.
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

/** The same answer; a page in its place where a route without one has refused a request that accepts HTML with a line for programs. */
export async function toRefusalPage(request: Request, response: Response, styles: string[]): Promise<Response> {
  const { status } = response;
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
  const accepts = readAccepts(request);
  if (status < 400 || isPage || accepts === "none" || isReport(request)) return response;
  const text = request.method === "HEAD" ? "" : await response.clone().text();
  const given = parse(text);
  // Script of ours reads these, and accepts anything.
  if (accepts === "any" && typeof given === "object" && !(given && "title" in given)) return response;
  const problem = toProblem(status, status === 500 ? undefined : { data: findSentence(given) });
  const headers = new Headers(response.headers);
  for (const name of ["Content-Length", "Content-Disposition", "ETag"]) headers.delete(name);
  for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
  const body = request.method === "HEAD" ? null : renderPage(problem, { request, styles });
  return new Response(body, { status, headers });
}

/**
 * How welcome a page is (RFC 9110, section 12.5.1): by name, as anything, which is also what a client accepts that does not say, or not at
 * all. Where programs ask, anything is no page. A request with the key of the API is a program's, although some send the same headers as browsers.
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

/** The sentence of an answer for programs: a text, or in one of our objects; there is none of ours in the framework's. */
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

/** The page of a problem as the root's `ErrorBoundary` shows it, but with no script and nothing to load, so that little of it can fail. */
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
