import type { MiddlewareFunction, RouterContextProvider } from "react-router";

import { forms } from "../../../server/refusals.ts";
import { readSessionToken } from "../cookies.ts";
import { stripBase } from "../paths.ts";
import { requireServices } from "./guards.ts";

type SentForm = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/**
 * Refuses a form that another site's page sends in a member's name (ASVS 3.5.1,
 * `docs/decisions/0014-forms-that-say-nothing.md`). The only such check: the framework's own, which knows only `Origin`
 * and answers without a page, is switched off in `react-router.config.ts`.
 */
export const csrfMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForServers(stripBase(url.pathname))) return;
  const sender = readSender(request, url);
  if (sender === "own page") return;
  if (sender === "unknown" && !(await hasSession({ request, url, context }))) return;
  throw refuseSender(sender, { request, context });
};

/** For the desk and a company's page, which accept no form of an unknown sender, with or without a session. */
export const knownSenderMiddleware: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (request.method === "GET" || request.method === "HEAD") return;
  const sender = readSender(request, url);
  if (sender !== "own page") throw refuseSender(sender, { request, context });
};

function refuseSender(sender: keyof typeof sentences, { request, context }: Omit<SentForm, "url">): Response {
  requireServices(context).log.warn({ method: request.method, sender }, "a form of another site was refused");
  return new Response(sentences[sender], { status: 403 });
}

const sentences = { "another site": forms["from-another-site"], unknown: forms["from-nowhere"] };

/**
 * Browsers name a form's origin in `Sec-Fetch-Site` (to https and localhost) and in `Origin`. Each that is sent must be
 * ours; unknown and joined values are not. A browser that hides addresses sends `Origin: null`; then `Sec-Fetch-Site`,
 * which no page can set, decides. Text browsers send neither, but mostly a `Referer`.
 */
function readSender(request: Request, url: URL): "own page" | keyof typeof sentences {
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  const referer = request.headers.get("Referer");
  if (site !== null || origin !== null) {
    const isHidden = origin === null || (origin === "null" && site === "same-origin");
    const isOurs = (site === null || site === "same-origin") && (isHidden || origin === url.origin);
    return isOurs ? "own page" : "another site";
  }
  if (referer === null) return "unknown";
  // An address has no space; with one, several headers were joined.
  const isOurs = !/\s/.test(referer) && URL.parse(referer)?.origin === url.origin;
  return isOurs ? "own page" : "another site";
}

/** Only then can another site gain by sending the form. */
async function hasSession({ request, url, context }: SentForm): Promise<boolean> {
  const token = readSessionToken(request, url);
  return token !== undefined && (await requireServices(context).sessions.find(token)) !== undefined;
}

/** Routes for other servers: a signature, a secret or a token gives a right there, and no cookie does. */
function isForServers(path: string): boolean {
  return path.startsWith("/webhooks/") || path === "/newsletter" || isApiPath(path);
}

/** Without the base. The API needs the key and tokens; cookies mean nothing there. */
function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}
