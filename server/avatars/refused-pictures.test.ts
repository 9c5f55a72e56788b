import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { expectPlainWebp, openAvatarApp, type AvatarApp } from "../../tests/helpers/avatar-app.ts";
import { area, deflatedZeros, photo, png, pngChunk, svg } from "../../tests/helpers/pictures.ts";
import { PICTURE_MAX_BYTES } from "./rules.ts";

let avatars: AvatarApp["avatars"];
let close: AvatarApp["close"];

beforeAll(async () => {
  ({ avatars, close } = await openAvatarApp());
});

afterAll(() => close());

/** A file cut off in its middle. */
async function half(file: Promise<Buffer>): Promise<Buffer> {
  const bytes = await file;
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2));
}

describe("what is refused, each with its reason", () => {
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ["an empty file", "too-small", () => Buffer.alloc(0)],
    ["a file of 5 MB and a byte", "too-big", () => Buffer.alloc(PICTURE_MAX_BYTES + 1)],
    ["a file of one byte", "unsupported", () => Buffer.of(0xff)],
    ["a text", "unsupported", () => Buffer.from("Good night.")],
    ["a page that is called a picture", "unsupported", () => Buffer.from("<!doctype html><script>alert(1)</script>")],
    [
      "a PDF",
      "unsupported",
      () => Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"),
    ],
    ["a TIFF", "unsupported", () => area(60, 40).tiff().toBuffer()],
    [
      "a BMP",
      "unsupported",
      () => Buffer.from("424d3a0000000000000036000000280000000100000001000000010018000000000004000000", "hex"),
    ],
    [
      "a photo of a telephone (HEIC)",
      "unsupported",
      async () => toHeic(await area(60, 40).avif({ effort: 0 }).toBuffer()),
    ],
    ["half a JPEG", "unreadable", () => half(photo(600, 400).jpeg().toBuffer())],
    ["half a progressive JPEG", "unreadable", () => half(photo(600, 400).jpeg({ progressive: true }).toBuffer())],
    ["half a PNG", "unreadable", () => half(photo(600, 400).png().toBuffer())],
    ["half a GIF", "unreadable", () => half(photo(600, 400).gif().toBuffer())],
    ["half a WebP", "unreadable", () => half(photo(600, 400).webp().toBuffer())],
    ["half an AVIF", "unreadable", () => half(photo(600, 400).avif({ effort: 0 }).toBuffer())],
    ["half an SVG", "unreadable", () => half(Promise.resolve(svg("<g/>".repeat(20))))],
    ["a JPEG's first bytes", "unreadable", () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ["a PNG without pixels", "unreadable", () => png({ width: 0, height: 10 }, pngChunk("IDAT", deflatedZeros(11)))],
    ["a PNG without data", "unreadable", () => png({ width: 10, height: 10 })],
    ["a PNG of an unknown kind", "unreadable", () => png({ width: 10, height: 10, colourType: 9 })],
    ["a GIF without a picture", "unreadable", () => Buffer.from("GIF89a\x0a\0\x0a\0\0\0\0;", "latin1")],
    [
      "a PNG that says 40,000 by 40,000",
      "too-many-pixels",
      () => png({ width: 40_000, height: 40_000 }, pngChunk("IDAT", deflatedZeros(1000))),
    ],
    [
      "a PNG that says 2 to the 31st",
      "unreadable",
      () => png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, pngChunk("IDAT", deflatedZeros(1000))),
    ],
    [
      "a GIF that says 65,535 by 65,535",
      "too-many-pixels",
      async () => withGifSize(await area(6, 4).gif().toBuffer(), 65_535),
    ],
    [
      "a JPEG that says 65,000 by 65,000",
      "too-many-pixels",
      async () => withJpegSize(await area(6, 4).jpeg().toBuffer(), 65_000),
    ],
    ["an SVG of 40,000 by 40,000", "too-many-pixels", () => svg("<g/>", 'width="40000" height="40000"')],
    ["an SVG of 8,000 by 8,000", "too-many-pixels", () => svg("<g/>", 'width="8000" height="8000"')],
  ])("%s: %s is why", async (_name, reason, make) => {
    const result = await avatars.draw(await make());
    expect(result.ok ? "drawn" : result.reason).toBe(reason);
  });

  test("a PNG that fits into a file and not into memory", { timeout: 120_000 }, async () => {
    const [width, height] = [7200, 7200];
    // 16 bits, four channels and seven passes: all of it must be held at once.
    const header = { width, height, bitDepth: 16, colourType: 6, isInterlaced: true };
    const file = png(header, pngChunk("IDAT", deflatedZeros(width * height * 8 + height * 8)));
    expect(file.byteLength).toBeLessThan(PICTURE_MAX_BYTES);
    expect(await avatars.draw(file)).toEqual({ ok: false, reason: "too-many-pixels" });
  });

  test("any bytes behind a right beginning are refused or drawn, and nothing fails", { timeout: 240_000 }, async () => {
    const samples = await Promise.all([
      photo(40, 30).jpeg().toBuffer(),
      photo(40, 30).png().toBuffer(),
      photo(40, 30).gif().toBuffer(),
      photo(40, 30).webp().toBuffer(),
      photo(40, 30).avif({ effort: 0 }).toBuffer(),
      Promise.resolve(
        svg('<linearGradient id="a"><stop/></linearGradient><rect width="9" height="9" fill="url(#a)"/>'),
      ),
    ]);
    const slip = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), bytes: fc.uint8Array({ maxLength: 9 }) });
    const damaged = fc.tuple(fc.constantFrom(...samples), fc.array(slip, { minLength: 1, maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(damaged, async ([sample, slips]) => {
        const file = Buffer.from(sample);
        for (const { at, bytes } of slips)
          file.set(bytes.subarray(0, file.byteLength), Math.floor(at * (file.byteLength - bytes.byteLength)));
        const result = await avatars.draw(file);
        if (result.ok) expectPlainWebp(result.picture.bytes);
        else expect(["unreadable", "unsupported", "too-many-pixels"]).toContain(result.reason);
      }),
      { numRuns: 40 },
    );
  });

  test("random bytes are refused", () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), async (bytes) => {
        expect(await avatars.draw(bytes)).toEqual({ ok: false, reason: "unsupported" });
      }),
    ));
});

/** What a telephone would call it; nobody here can read what is in one. */
function toHeic(avif: Buffer): Buffer {
  return Buffer.from(avif.toString("latin1").replaceAll("avif", "heic").replaceAll("av01", "hvc1"), "latin1");
}

function withGifSize(gif: Buffer, size: number): Buffer {
  const at = gif.indexOf(",\0\0\0\0", 0, "latin1");
  for (const place of [6, 8, at + 5, at + 7]) gif.writeUInt16LE(size, place);
  return gif;
}

function withJpegSize(jpeg: Buffer, size: number): Buffer {
  const START_OF_FRAME = Buffer.from([0xff, 0xc0]);
  const at = jpeg.indexOf(START_OF_FRAME);
  for (const place of [at + 5, at + 7]) jpeg.writeUInt16BE(size, place);
  return jpeg;
}
