import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Where a request comes from and where it believes it is: through proxies that are trusted, or as the socket says. */
export type Origin = { address: string; protocol: "http:" | "https:"; host: string };

export type FindOrigin = (request: IncomingMessage) => Origin;

/**
 * Reads `X-Forwarded-For` and `X-Forwarded-Proto` only when the peer is one of `trustedProxies`, and from the right:
 * the last address that no trusted proxy added is the visitor's, whatever they wrote before it (ASVS 4.1.3).
 * `publicOrigin`, where it is set, is the address of every request.
 */
export function createFindOrigin(trustedProxies: string[], publicOrigin: string | undefined): FindOrigin {
  const trusted = toBlockList(trustedProxies);
  const fixed = publicOrigin === undefined ? undefined : new URL(publicOrigin);
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? "");
    const isBehindProxy = isTrusted(trusted, peer);
    const hops = isBehindProxy ? listOf(request.headers["x-forwarded-for"]).map(plainAddress) : [];
    const isHttps = isBehindProxy && listOf(request.headers["x-forwarded-proto"]).at(-1) === "https";
    return {
      address: findVisitor(hops, trusted) ?? peer,
      protocol: fixed ? (fixed.protocol as Origin["protocol"]) : isHttps ? "https:" : "http:",
      host: fixed?.host ?? request.headers.host ?? "localhost",
    };
  };
}

/** The last hop that no trusted proxy is; the first of all if they all are. Nothing before an unreadable hop can be trusted. */
function findVisitor(hops: string[], trusted: BlockList): string | undefined {
  const readable = hops.slice(hops.findLastIndex((hop) => isIP(hop) === 0) + 1);
  return readable.findLast((hop) => !isTrusted(trusted, hop)) ?? readable[0];
}

function toBlockList(peers: string[]): BlockList {
  const list = new BlockList();
  for (const peer of peers.flatMap((each) => (each === "loopback" ? ["127.0.0.0/8", "::1"] : [each]))) {
    const [address = "", prefix] = peer.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

function isTrusted(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** The address alone, without the port and brackets that some proxies add; IPv4 as itself, also where the socket speaks IPv6. */
function plainAddress(text: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return address.replace(/^::ffff:(?=[\d.]+$)/i, "");
}

function listOf(header: string | string[] | undefined): string[] {
  return (Array.isArray(header) ? header.join(",") : (header ?? ""))
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
