import * as fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type App, openApp } from "../../../tests/helpers/app.ts";
import { hasManyCases } from "../../../tests/helpers/many-cases.ts";
import {
  area,
  BLUE,
  deflatedZeros,
  GREEN,
  isNear,
  listWebpChunks,
  lookAt,
  photo,
  png,
  pngChunk,
  quarters,
  RED,
  svg,
  withChunk,
  YELLOW,
} from "../../../tests/helpers/pictures.ts";
import type { Avatars, Picture } from "./avatars.ts";
import { PICTURE_MAX_BYTES } from "./limits.ts";

let app: App;
let avatars: Avatars;

beforeAll(async () => {
  app = await openApp();
  ({ avatars } = app.services);
});

afterAll(() => app[Symbol.asyncDispose]());

/** Redraws a file, and checks that it is plain WebP within its limits. */
async function drawn(bytes: Uint8Array): Promise<Picture> {
  const result = await avatars.draw(bytes);
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
  expectPlainWebp(result.picture.bytes);
  return result.picture;
}

function expectPlainWebp(bytes: Uint8Array): void {
  expect(Buffer.from(bytes).toString("latin1", 0, 12)).toMatch(/^RIFF[^]{4}WEBP$/);
  // No EXIF, XMP or ICCP, no frames, and nothing behind the end.
  for (const name of listWebpChunks(bytes)) expect(["VP8 ", "VP8L", "VP8X", "ALPH"]).toContain(name);
  expect(Buffer.from(bytes).readUInt32LE(4) + 8).toBe(bytes.byteLength);
}

describe("accepted pictures", () => {
  test.each<[string, () => Promise<Buffer>]>([
    ["JPEG", () => area(300, 200).jpeg().toBuffer()],
    ["grey JPEG", () => area(300, 200, [120, 120, 120]).greyscale().jpeg().toBuffer()],
    ["JPEG for printers (CMYK)", () => area(300, 200).toColourspace("cmyk").jpeg().toBuffer()],
    ["PNG", () => area(300, 200).png().toBuffer()],
    ["PNG of 16 bits", () => area(300, 200).toColourspace("rgb16").png().toBuffer()],
    ["GIF", () => area(300, 200).gif().toBuffer()],
    ["WebP", () => area(300, 200).webp().toBuffer()],
    ["AVIF", () => area(300, 200).avif({ effort: 0 }).toBuffer()],
    ["SVG", async () => svg('<rect width="100%" height="100%" fill="#dc141e"/>', 'width="300" height="200"')],
  ])("a %s becomes WebP and keeps its colour", async (name, make) => {
    const look = await lookAt((await drawn(await make())).bytes);
    expect(look).toMatchObject({ format: "webp", pages: 1 });
    expect(look.width / look.height).toBeCloseTo(1.5);
    const colour = name.startsWith("grey") ? ([120, 120, 120] as const) : RED;
    expect(isNear(look.at(0.5, 0.5), [...colour], 60)).toBe(true);
  });

  test.each([
    ["800 by 400", "800 by 400"],
    ["801 by 400", "800 by 400"],
    ["400 by 800", "200 by 400"],
    ["3000 by 10", "800 by 3"],
    ["1 by 1", "1 by 1"],
    ["90 by 60", "90 by 60"],
  ])("%s becomes %s: it fits, and nothing is made larger", async (from, to) => {
    const [width = 0, height = 0] = from.split(" by ").map(Number);
    const look = await lookAt((await drawn(await area(width, height).png().toBuffer())).bytes);
    expect(`${look.width} by ${look.height}`).toBe(to);
  });

  test("a drawing, which has no size of its own, fills the frame", async () => {
    const icon = svg('<rect width="12" height="24" fill="#dc141e"/>', 'width="24" height="24"');
    const look = await lookAt((await drawn(icon)).bytes);
    expect([look.width, look.height]).toEqual([400, 400]);
    // Drawn at this size, not stretched: the edge is a line.
    expect(isNear(look.at(0.49, 0.5), RED)).toBe(true);
    expect(isNear(look.at(0.51, 0.5), RED)).toBe(false);
  });

  test("transparency stays", async () => {
    const pane = await area(40, 40).ensureAlpha(0.5).png().toBuffer();
    const { channels } = await sharp((await drawn(pane)).bytes).metadata();
    expect(channels).toBe(4);
  });

  test("the first frame of an animation is kept", async () => {
    const frames = await Promise.all([RED, BLUE, GREEN].map((colour) => area(60, 40, colour).png().toBuffer()));
    const moving = sharp(frames, { join: { animated: true } });
    for (const file of [await moving.clone().gif().toBuffer(), await moving.clone().webp().toBuffer()]) {
      expect((await lookAt(file)).pages).toBe(3);
      const look = await lookAt((await drawn(file)).bytes);
      expect(look).toMatchObject({ width: 60, height: 40, pages: 1 });
      expect(isNear(look.at(0.5, 0.5), RED)).toBe(true);
    }
  });

  test.each([
    [1, RED, GREEN],
    [3, YELLOW, BLUE],
    [6, BLUE, RED],
    [8, GREEN, YELLOW],
  ])("a rotated photo (EXIF %i) is turned upright", async (orientation, topLeft, topRight) => {
    for (const format of ["jpeg", "png", "webp"] as const) {
      const file = await quarters(80, 40).withMetadata({ orientation }).toFormat(format).toBuffer();
      const look = await lookAt((await drawn(file)).bytes);
      expect([look.width, look.height]).toEqual(orientation < 5 ? [80, 40] : [40, 80]);
      expect(isNear(look.at(0.25, 0.25), topLeft)).toBe(true);
      expect(isNear(look.at(0.75, 0.25), topRight)).toBe(true);
    }
  });

  test("the metadata of a photo (place, camera, author) is removed", async () => {
    const exif = {
      IFD0: { Artist: "Ada Lovell", Make: "Dormouse Camera" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    };
    const file = await area(60, 40).withExif(exif).withIccProfile("p3").jpeg().toBuffer();
    expect(file.includes("Ada Lovell")).toBe(true);
    expect((await sharp(file).metadata()).icc).toBeDefined();
    const { bytes } = await drawn(file);
    expect(Buffer.from(bytes).includes("Ada Lovell")).toBe(false);
    const { exif: exifLeft, icc, xmp } = await sharp(bytes).metadata();
    expect([exifLeft, icc, xmp]).toEqual([undefined, undefined, undefined]);
  });

  test("the same file gives the same picture under the same name", async () => {
    const file = await photo(900, 700).jpeg().toBuffer();
    const [once, again] = await Promise.all([drawn(file), drawn(file)]);
    expect(again).toEqual(once);
    expect(once.hash).toMatch(/^[\da-f]{64}$/);
    expect((await drawn(await area(90, 70).jpeg().toBuffer())).hash).not.toBe(once.hash);
  });

  test("five megabytes are taken, and not a byte more", async () => {
    const small = await area(60, 40).png().toBuffer();
    const full = Buffer.concat([small, Buffer.alloc(PICTURE_MAX_BYTES - small.byteLength)]);
    expect((await drawn(full)).hash).toBe((await drawn(small)).hash);
    expect(await avatars.draw(Buffer.concat([full, Buffer.of(0)]))).toEqual({ ok: false, reason: "too-big" });
  });

  test("a photo of 48 megapixels is taken", { timeout: 120_000 }, async () => {
    const file = await area(8064, 6048, BLUE).jpeg().toBuffer();
    const look = await lookAt((await drawn(file)).bytes);
    expect([look.width, look.height]).toEqual([533, 400]);
  });
});

async function half(file: Promise<Buffer>): Promise<Buffer> {
  const bytes = await file;
  return bytes.subarray(0, Math.floor(bytes.byteLength / 2));
}

describe("refused pictures", () => {
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ["an empty file", "too-small", () => Buffer.alloc(0)],
    ["a text", "unsupported", () => Buffer.from("Good night.")],
    [
      "a photo of a telephone (HEIC)",
      "unsupported",
      async () => toHeic(await area(60, 40).avif({ effort: 0 }).toBuffer()),
    ],
    ["half a JPEG", "unreadable", () => half(photo(600, 400).jpeg().toBuffer())],
    ["half a PNG", "unreadable", () => half(photo(600, 400).png().toBuffer())],
    ["half an AVIF", "unreadable", () => half(photo(600, 400).avif({ effort: 0 }).toBuffer())],
    ["half an SVG", "unreadable", () => half(Promise.resolve(svg("<g/>".repeat(20))))],
    ["a PNG without pixels", "unreadable", () => png({ width: 0, height: 10 }, pngChunk("IDAT", deflatedZeros(11)))],
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
      "a JPEG that says 65,000 by 65,000",
      "too-many-pixels",
      async () => withJpegSize(await area(6, 4).jpeg().toBuffer(), 65_000),
    ],
    ["an SVG of 8,000 by 8,000", "too-many-pixels", () => svg("<g/>", 'width="8000" height="8000"')],
  ])("%s: %s is why", async (_name, reason, make) => {
    const result = await avatars.draw(await make());
    expect(result.ok ? "drawn" : result.reason).toBe(reason);
  });

  test("a PNG that fits into a file and not into memory", { timeout: 120_000 }, async () => {
    const [width, height] = [7200, 7200];
    // 16 bits, four channels and seven passes: all of it must be in memory at once.
    const header = { width, height, bitDepth: 16, colourType: 6, isInterlaced: true };
    const file = png(header, pngChunk("IDAT", deflatedZeros(width * height * 8 + height * 8)));
    expect(file.byteLength).toBeLessThan(PICTURE_MAX_BYTES);
    expect(await avatars.draw(file)).toEqual({ ok: false, reason: "too-many-pixels" });
  });

  test("any bytes behind a valid signature are refused or drawn, without a fault", { timeout: 240_000 }, async () => {
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
      { numRuns: hasManyCases ? 40 : 12 },
    );
  });
});

function toHeic(avif: Buffer): Buffer {
  return Buffer.from(avif.toString("latin1").replaceAll("avif", "heic").replaceAll("av01", "hvc1"), "latin1");
}

function withJpegSize(jpeg: Buffer, size: number): Buffer {
  const START_OF_FRAME = Buffer.from([0xff, 0xc0]);
  const at = jpeg.indexOf(START_OF_FRAME);
  for (const place of [at + 5, at + 7]) jpeg.writeUInt16BE(size, place);
  return jpeg;
}

describe("files with more than a picture", () => {
  const huge = pngChunk("zTXt", Buffer.concat([Buffer.from("EVIL\0\0"), deflatedZeros(200_000_000)]));

  test.each<[string, () => Promise<Buffer>]>([
    [
      "a script behind a GIF",
      async () => Buffer.concat([await area(60, 40).gif().toBuffer(), Buffer.from("/*EVIL*/alert(1)")]),
    ],
    ["200 MB in a PNG's comment", async () => withChunk(await area(60, 40).png().toBuffer(), huge)],
    [
      "a program in a JPEG's comment",
      async () => withComment(await area(60, 40).jpeg().toBuffer(), "<?php EVIL(); ?>"),
    ],
  ])("%s", async (_name, make) => {
    const file = await make();
    expect(file.includes("EVIL")).toBe(true);
    const { bytes } = await drawn(file);
    expect(Buffer.from(bytes).includes("EVIL")).toBe(false);
    expect(isNear((await lookAt(bytes)).at(0.5, 0.5), RED)).toBe(true);
  });
});

function withComment(jpeg: Buffer, comment: string): Buffer {
  const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, Buffer.from(comment), jpeg.subarray(2)]);
}
