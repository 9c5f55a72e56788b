import { randomBytes } from "node:crypto";
import type { MiddlewareFunction } from "react-router";

import { nonceContext } from "../context.ts";

/** The only hosts that a page may ever frame, and only after Play. */
const playerHosts = "https://www.youtube-nocookie.com https://player.vimeo.com";

/**
 * A nonce for our own inline scripts, and the headers of every answer. Anything that may be a member's is
 * `private, no-store` unless its route says otherwise. The dev server needs inline styles, so it gets no policy.
 */
export const securityHeadersMiddleware: MiddlewareFunction<Response> = async ({ context, request }, next) => {
  const nonce = randomBytes(16).toString("base64");
  context.set(nonceContext, nonce);
  const { headers, ...response } = await nextWithHeaders(next);
  if (import.meta.env.PROD) headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(self)");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (request.url.startsWith("https:")) {
    headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  }
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  return response.response;
};

/** The answer with headers that may be changed (those of `Response.redirect()` may not). */
async function nextWithHeaders(next: () => Promise<Response>) {
  const response = await next();
  return { response, headers: response.headers };
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `frame-src ${playerHosts}`,
  ].join("; ");
}
