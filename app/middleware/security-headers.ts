import { randomBytes } from "node:crypto";
import type { MiddlewareFunction } from "react-router";

import { nonceContext } from "../context.ts";

/** The only hosts that a page may ever frame, and only after Play. */
const playerHosts = "https://www.youtube-nocookie.com https://player.vimeo.com";

/**
 * A nonce for our own inline scripts, and the headers of every answer. Anything may be a member's, so it is
 * `private, no-store` unless its route says otherwise, as it may of the policy. The dev server needs inline styles, so it gets no policy.
 */
export const securityHeadersMiddleware: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  const nonce = randomBytes(16).toString("base64");
  context.set(nonceContext, nonce);
  const response = await next();
  const { headers } = response;
  if (import.meta.env.PROD && !headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  }
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  // With `no-referrer` browsers send `Origin: null` on plain form posts, which the origin check must refuse.
  headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (url.protocol === "https:") headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  return response;
};

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `frame-src ${playerHosts}`,
  ].join("; ");
}
