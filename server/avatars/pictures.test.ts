import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openAvatarApp, type AvatarApp } from "../../tests/helpers/avatar-app.ts";
import { area, BLUE, GREEN, isNear, lookAt, photo, quarters, RED, svg, YELLOW } from "../../tests/helpers/pictures.ts";
import { PICTURE_MAX_BYTES } from "./rules.ts";

let avatars: AvatarApp["avatars"];
let drawn: AvatarApp["drawn"];
let close: AvatarApp["close"];

beforeAll(async () => {
  ({ avatars, drawn, close } = await openAvatarApp());
});

afterAll(() => close());

describe("what people send", () => {
  test.each<[string, () => Promise<Buffer>]>([
    ["JPEG", () => area(300, 200).jpeg().toBuffer()],
    ["progressive JPEG", () => area(300, 200).jpeg({ progressive: true }).toBuffer()],
    ["grey JPEG", () => area(300, 200, [120, 120, 120]).greyscale().jpeg().toBuffer()],
    ["JPEG for printers (CMYK)", () => area(300, 200).toColourspace("cmyk").jpeg().toBuffer()],
    ["PNG", () => area(300, 200).png().toBuffer()],
    ["interlaced PNG", () => area(300, 200).png({ progressive: true }).toBuffer()],
    ["PNG of few colours", () => area(300, 200).png({ palette: true }).toBuffer()],
    ["PNG of 16 bits", () => area(300, 200).toColourspace("rgb16").png().toBuffer()],
    ["GIF", () => area(300, 200).gif().toBuffer()],
    ["WebP", () => area(300, 200).webp().toBuffer()],
    ["lossless WebP", () => area(300, 200).webp({ lossless: true }).toBuffer()],
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
    ["1600 by 400", "800 by 200"],
    ["400 by 800", "200 by 400"],
    ["3000 by 10", "800 by 3"],
    ["10 by 3000", "1 by 400"],
    ["40000 by 1", "800 by 1"],
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

  test("what one could see through stays so", async () => {
    const pane = await area(40, 40).ensureAlpha(0.5).png().toBuffer();
    const { channels } = await sharp((await drawn(pane)).bytes).metadata();
    expect(channels).toBe(4);
  });

  test("of what moves the first picture is kept", async () => {
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
    [2, GREEN, RED],
    [3, YELLOW, BLUE],
    [4, BLUE, YELLOW],
    [5, RED, BLUE],
    [6, BLUE, RED],
    [7, YELLOW, GREEN],
    [8, GREEN, YELLOW],
  ])("a photo that was held another way (EXIF %i) stands upright", async (orientation, topLeft, topRight) => {
    for (const format of ["jpeg", "png", "webp"] as const) {
      const file = await quarters(80, 40).withMetadata({ orientation }).toFormat(format).toBuffer();
      const look = await lookAt((await drawn(file)).bytes);
      expect([look.width, look.height]).toEqual(orientation < 5 ? [80, 40] : [40, 80]);
      expect(isNear(look.at(0.25, 0.25), topLeft)).toBe(true);
      expect(isNear(look.at(0.75, 0.25), topRight)).toBe(true);
    }
  });

  test("where a photo was taken, with what and by whom is gone", async () => {
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
