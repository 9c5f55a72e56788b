import { promisify } from "node:util";
import { brotliDecompress, gunzip, zstdDecompress } from "node:zlib";
import { expect, test } from "vitest";

import { chooseEncoding, compress, encodings, type Encoding } from "./compression.ts";

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["  gzip ,  br  ", "br"],
  ["GZIP", "gzip"],
  ["br;q=1.0,gzip;q=0.8", "br"],
  ["zstd;q=0.001", "zstd"],
  ["zstd;q=0,br;q=0.000,gzip", "gzip"],
  ["compress, exotic;q=0.9, gzip;q=0.1", "gzip"],
  [",,gzip,,", "gzip"],
])("a browser that accepts %j gets %s", (accepted, encoding) => expect(chooseEncoding(accepted)).toBe(encoding));

test.each([
  undefined,
  "",
  "identity",
  "deflate, compress, exotic",
  "gzip;q=0.0,br;q=0,zstd;q=0.000",
  "gzip;q=nonsense",
  "gzipped",
  "x-br",
  "__proto__, constructor, toString",
])("a browser that accepts %j gets plain bytes", (accepted) => expect(chooseEncoding(accepted)).toBeUndefined());

test("only an available encoding is chosen, in the server's order", () => {
  const accepted = "gzip, br, zstd";
  expect(chooseEncoding(accepted, ["br", "zstd", "gzip"])).toBe("br");
  expect(chooseEncoding(accepted, ["gzip"])).toBe("gzip");
  expect(chooseEncoding("br", ["gzip", "zstd"])).toBeUndefined();
  expect(chooseEncoding(accepted, [])).toBeUndefined();
});

const decompressors: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: promisify(zstdDecompress),
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
};

test.each(encodings)("%s decompresses to the original", async (encoding) => {
  const page = new TextEncoder().encode("<p>Good night, Dormouse — sleep well. 🌙</p>\n".repeat(500));
  const small = await compress(page, encoding);
  expect(small.byteLength).toBeLessThan(page.byteLength / 10);
  expect(new Uint8Array(await decompressors[encoding](small))).toEqual(page);
});

test.each(encodings)("%s compresses a view of a larger buffer correctly", async (encoding) => {
  const whole = new TextEncoder().encode("before|the middle|after");
  const small = await compress(whole.subarray(7, 17), encoding);
  expect((await decompressors[encoding](small)).toString()).toBe("the middle");
});
