import { randomBytes } from "node:crypto";
import { createContext, type MiddlewareFunction } from "react-router";

import type { CardScript } from "../../../server/money/payments/card-gateway.ts";
import { nonceContext, servicesContext } from "../context.ts";

/** Set by the loader of a page with a gateway's card fields: its policy allows the gateway's script. */
export const cardScriptContext = createContext<CardScript | null>(null);

/** Set by the loader of the one document that we frame: the desk's preview of an item. */
export const isFramedContext = createContext(false);

/** The only other origins that a page may frame, and only after Play. */
const playerHosts = "https://www.youtube-nocookie.com https://player.vimeo.com";

/**
 * A nonce for our inline scripts, and every answer's headers. Any answer may be about a member, so it is `private,
 * no-store` unless its route sets something else, as for the policy. The dev server needs inline styles, so it gets no
 * policy.
 */
export const securityHeadersMiddleware: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  const nonce = createNonce();
  context.set(nonceContext, nonce);
  const response = await next();
  putSecurityHeaders(response, {
    url,
    nonce,
    cardScript: context.get(cardScriptContext),
    isFramed: context.get(isFramedContext),
    mediaOrigin: context.get(servicesContext)?.mediaStore?.origin,
  });
  return response;
};

const NONCE_BYTES = 16;
/** Drawn for 256 pages at once: the system takes about as long over sixteen bytes. */
let randomness = Buffer.alloc(0);

function createNonce(): string {
  if (randomness.length === 0) randomness = randomBytes(256 * NONCE_BYTES);
  const nonce = randomness.toString("base64", 0, NONCE_BYTES);
  randomness = randomness.subarray(NONCE_BYTES);
  return nonce;
}

type Page = {
  url: URL;
  nonce: string;
  cardScript?: CardScript | null;
  isFramed?: boolean;
  /** The host of films, recordings and pictures, if another. */
  mediaOrigin?: string | undefined;
};

function putSecurityHeaders(
  { status, headers }: Response,
  { url, nonce, cardScript = null, isFramed = false, mediaOrigin }: Page,
): void {
  if (import.meta.env.PROD && !headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", contentSecurityPolicy({ nonce, cardScript, isFramed }));
  }
  if (mediaOrigin !== undefined) admitMedia(headers, mediaOrigin);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", isFramed ? "SAMEORIGIN" : "DENY");
  // With `no-referrer` browsers send `Origin: null` on plain form posts, which over plain http the origin check must
  // refuse.
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (url.protocol === "https:") headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  // A proxy's error page lacks it: the service worker then shows a stored page, or that we do not answer.
  if (status >= 500) headers.set("X-Dormouse", "error");
  if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", "60");
}

/**
 * For answers outside the middleware: the framework's to a method that no route takes, and those of the HTTP server.
 */
export function secureUnrouted(response: Response, url: URL): Response {
  if (isRouted(response)) return response;
  putSecurityHeaders(response, { url, nonce: createNonce() });
  return response;
}

export function isRouted({ headers }: Response): boolean {
  return headers.has("X-Content-Type-Options");
}

/** Allows the host of media wherever a policy allows ours. */
function admitMedia(headers: Headers, origin: string): void {
  const policy = headers.get("Content-Security-Policy") ?? "";
  const own = policy.replaceAll(/(?:img|media)-src 'self'/g, `$& ${origin}`);
  const isDefault = own === policy && policy.startsWith("default-src 'self'");
  const added = isDefault ? `; img-src 'self' ${origin}; media-src 'self' ${origin}` : "";
  if (policy) headers.set("Content-Security-Policy", own + added);
}

/**
 * One policy for every page: a navigation by script stays in the document, and so in the policy, of the page before.
 * Only the payment step allows more, and is always its own document (`own-document.ts`).
 */
function contentSecurityPolicy({
  nonce,
  cardScript,
  isFramed,
}: Required<Pick<Page, "nonce" | "cardScript" | "isFramed">>): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${cardScript ? ` ${cardScript.scripts}` : ""}`,
    ...(cardScript ? [`connect-src 'self' ${cardScript.calls}`] : []),
    "style-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Chromium checks every redirect after a form against this, so no form redirects to another site, such as a bank's
    // page.
    "form-action 'self'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    `frame-src ${cardScript?.frames ?? `'self' ${playerHosts}`}`,
  ].join("; ");
}
