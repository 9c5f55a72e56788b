import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";

import { chooseEncoding, type Encoding } from "./compression.ts";
import { suffixes } from "./compression.ts";

export type StaticFiles = (path: string, request: IncomingMessage, response: ServerResponse) => boolean;

const contentTypes: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
  ".png": "image/png",
  ".avif": "image/avif",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

type StaticFile = {
  contentType: string;
  cacheControl: string;
  etag: string;
  plain: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
};

/** The smallest first: compression at build time costs nothing. */
const preference: Encoding[] = ["br", "zstd", "gzip"];

/** Serves the client build from memory, with the forms that `precompress` made. Only what is in the folder exists. */
export function createStaticFiles(folder: string): StaticFiles {
  const files = loadFiles(folder);
  return (path, request, response) => {
    const file = files.get(path);
    if (!file || (request.method !== "GET" && request.method !== "HEAD")) return false;
    response.setHeader("Cache-Control", file.cacheControl);
    response.setHeader("ETag", file.etag);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Vary", "Accept-Encoding");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    if (isKnown(file.etag, request.headers["if-none-match"])) {
      response.writeHead(304).end();
      return true;
    }
    const acceptable = preference.filter((encoding) => file.encoded[encoding] !== undefined);
    const encoding = chooseEncoding(request.headers["accept-encoding"]?.toString(), acceptable);
    const body = (encoding && file.encoded[encoding]) ?? file.plain;
    if (encoding) response.setHeader("Content-Encoding", encoding);
    response.writeHead(200, { "Content-Type": file.contentType, "Content-Length": body.byteLength });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

/** RFC 9110, section 13.1.2. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === "*" || opaqueTag(tag) === opaqueTag(etag));
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, "");
}

function loadFiles(folder: string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = new Map<string, StaticFile>();
  for (const name of names) {
    const contentType = contentTypes[extname(name)];
    if (!contentType || /(?:^|\/)\./.test(name)) continue;
    const plain = readFileSync(join(folder, name));
    files.set(name, {
      contentType,
      cacheControl: chooseCacheControl(name),
      // Weak: the encoded forms share it.
      etag: `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
      plain,
      encoded: loadEncoded(folder, name, names),
    });
  }
  return files;
}

/** Script outside the assets has the same name in each deployment, so browsers must revalidate it. */
function chooseCacheControl(name: string): string {
  if (name.startsWith("assets/")) return "public, max-age=31536000, immutable";
  // Their names never change, and an old one harms nobody.
  if (name.startsWith("dusk/")) return "public, max-age=604800";
  return name.endsWith(".js") ? "no-cache" : "public, max-age=3600";
}

function loadEncoded(folder: string, name: string, names: string[]): StaticFile["encoded"] {
  const encoded: StaticFile["encoded"] = {};
  for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
    if (names.includes(name + suffix)) encoded[encoding] = readFileSync(join(folder, name + suffix));
  }
  return encoded;
}
