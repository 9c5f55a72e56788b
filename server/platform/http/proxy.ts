import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

import { createAddressCheck } from "../addresses.ts";

/** A request's origin: from trusted proxies, or from the socket. */
export type Origin = { address: string; protocol: "http:" | "https:"; host: string };

export type FindOrigin = (request: IncomingMessage) => Origin;

/**
 * Reads `X-Forwarded-For` and `X-Forwarded-Proto` only when the peer is one of `trustedProxies`, and from the right:
 * the visitor is the last address that no trusted proxy added, whatever they sent (ASVS 4.1.3). `publicOrigin`
 * overrides it.
 */
export function createFindOrigin(trustedProxies: string[], publicOrigin: string | undefined): FindOrigin {
  const isTrusted = createAddressCheck(trustedProxies);
  const fixed = publicOrigin === undefined ? undefined : new URL(publicOrigin);
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? "");
    const isBehindProxy = isTrusted(peer);
    const hops = isBehindProxy ? readList(request.headers["x-forwarded-for"]).map(plainAddress) : [];
    const isHttps = isBehindProxy && readList(request.headers["x-forwarded-proto"]).at(-1) === "https";
    return {
      address: findClient(hops, isTrusted) ?? peer,
      protocol: fixed ? (fixed.protocol as Origin["protocol"]) : isHttps ? "https:" : "http:",
      host: fixed?.host ?? request.headers.host ?? "localhost",
    };
  };
}

/** The last hop that is no trusted proxy, or the first if all are. Hops before an unreadable one are not trusted. */
function findClient(hops: string[], isTrusted: (address: string) => boolean): string | undefined {
  const readable = hops.slice(hops.findLastIndex((hop) => isIP(hop) === 0) + 1);
  return readable.findLast((hop) => !isTrusted(hop)) ?? readable[0];
}

/** Without the port and brackets that some proxies add; IPv4 as itself, even where the socket speaks IPv6. */
function plainAddress(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}

function readList(header: string | string[] | undefined): string[] {
  return (Array.isArray(header) ? header.join(",") : (header ?? ""))
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
