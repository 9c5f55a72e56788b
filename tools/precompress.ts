import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

import { type Encoding, suffixes } from "../server/platform/http/compression.ts";

const compressible = new Set([".js", ".css", ".svg", ".txt", ".webmanifest"]);

const compressors: Record<Encoding, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Adds the smallest Brotli, zstd and gzip forms of each text file of a client build. */
export function precompress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!compressible.has(extname(name))) continue;
    const bytes = readFileSync(join(folder, name));
    for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
      writeFileSync(join(folder, name + suffix), compressors[encoding](bytes));
    }
  }
}

if (import.meta.main) precompress(join(process.env.BUILD_DIR || "build", "client"));
