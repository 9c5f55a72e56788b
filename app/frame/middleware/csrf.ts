import type { MiddlewareFunction, RouterContextProvider } from "react-router";

import { forms } from "../../../server/refusals.ts";
import { readSessionToken } from "../cookies.ts";
import { stripBase } from "../paths.ts";
import { requireServices } from "./guards.ts";

type SentForm = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/**
 * Refuses a form that another site's page sends in a member's name (ASVS 3.5.1, `docs/decisions/0014-forms-that-say-nothing.md`). It is the only such
 * check: the framework's own, which knows `Origin` alone and answers without a page, is switched off in `react-router.config.ts`.
 */
export const csrfMiddleware: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForServers(stripBase(url.pathname))) return;
  const sender = readSender(request, url);
  if (sender === "own page") return;
  if (sender === "unknown" && !(await hasSession({ request, url, context }))) return;
  throw refuseSender(sender, { request, context });
};

/** For the desk and the page of a company: they take no form of a sender who is not known, with a session or without. */
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

type Sender = "own page" | keyof typeof sentences;

/**
 * Browsers say where a form comes from in `Sec-Fetch-Site` (to https and localhost) and in `Origin`. Each that is sent must name us: an
 * unknown value, or one that several headers were joined to, does not. A browser that hides its pages' addresses sends `Origin: null`,
 * from ours too; then `Sec-Fetch-Site`, which no page can set, decides. Text browsers send neither, but mostly a `Referer`.
 */
function readSender(request: Request, url: URL): Sender {
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  const referer = request.headers.get("Referer");
  if (site !== null || origin !== null) {
    const isHidden = origin === null || (origin === "null" && site === "same-origin");
    const isOurs = (site === null || site === "same-origin") && (isHidden || origin === url.origin);
    return isOurs ? "own page" : "another site";
  }
  if (referer === null) return "unknown";
  // An address has no space; where there is one, several headers became one.
  const isOurs = !/\s/.test(referer) && URL.parse(referer)?.origin === url.origin;
  return isOurs ? "own page" : "another site";
}

/** Whether the request can act for a member: only then does another site gain by sending it. */
async function hasSession({ request, url, context }: SentForm): Promise<boolean> {
  const token = readSessionToken(request, url);
  return token !== undefined && (await requireServices(context).sessions.find(token)) !== undefined;
}

/** Routes for other servers: there a signature, a secret or the token in the address gives a right, and no cookie does. */
function isForServers(path: string): boolean {
  return path.startsWith("/webhooks/") || path === "/newsletter" || isApiPath(path);
}

/** Whether a path, without the base, is of the API for other servers: cookies mean nothing there, the key and tokens do. */
function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}
