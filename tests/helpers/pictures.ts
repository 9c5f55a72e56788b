import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

export type Rgb = [red: number, green: number, blue: number];

export const RED: Rgb = [220, 20, 30];
export const GREEN: Rgb = [20, 160, 40];
export const BLUE: Rgb = [20, 40, 200];
export const YELLOW: Rgb = [230, 220, 40];

/** A plain area, to encode by `.png()` and the like. */
export function area(width: number, height: number, colour: Rgb = RED): Sharp {
  return sharp({ create: { width, height, channels: 3, background: toCss(colour) } });
}

/** Red and green above, blue and yellow below. */
export function quarters(width: number, height: number): Sharp {
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  const quarter = ([r, g, b]: Rgb, left: number, top: number) => ({
    input: { create: { width: halfWidth, height: halfHeight, channels: 3 as const, background: { r, g, b } } },
    left,
    top,
  });
  return area(width, height).composite([
    quarter(RED, 0, 0),
    quarter(GREEN, halfWidth, 0),
    quarter(BLUE, 0, halfHeight),
    quarter(YELLOW, halfWidth, halfHeight),
  ]);
}

/** With detail everywhere, so that its file is large. */
export function photo(width: number, height: number): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: toCss(GREEN),
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });
}

export function svg(body: string, attributes = 'width="80" height="40"'): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  );
}

type PngHeader = { width: number; height: number; bitDepth?: number; colourType?: number; isInterlaced?: boolean };

/** A header and `chunks`, valid or not. */
export function png(header: PngHeader, ...chunks: Buffer[]): Buffer {
  const { width, height, bitDepth = 8, colourType = 0, isInterlaced = false } = header;
  const first = Buffer.alloc(13);
  first.writeUInt32BE(width, 0);
  first.writeUInt32BE(height, 4);
  first.set([bitDepth, colourType, 0, 0, Number(isInterlaced)], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, pngChunk("IHDR", first), ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
}

export function pngChunk(name: string, bytes: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), bytes]);
  const chunk = Buffer.alloc(named.byteLength + 8);
  chunk.writeUInt32BE(bytes.byteLength, 0);
  chunk.set(named, 4);
  chunk.writeUInt32BE(crc32(named), named.byteLength + 4);
  return chunk;
}

/** Deflated to a thousandth. */
export function deflatedZeros(count: number): Buffer {
  return deflateSync(Buffer.alloc(count), { level: 1 });
}

/** Adds a chunk after the header. */
export function withChunk(picture: Buffer, chunk: Buffer): Buffer {
  const END_OF_HEADER = 33;
  return Buffer.concat([picture.subarray(0, END_OF_HEADER), chunk, picture.subarray(END_OF_HEADER)]);
}

export type Look = { format: string | undefined; width: number; height: number; pages: number; at: Pixel };
type Pixel = (x: number, y: number) => Rgb;

/** Places are parts of width and height. */
export async function lookAt(bytes: Uint8Array): Promise<Look> {
  const { format, pages = 1 } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at: Pixel = (x, y) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const [red = 0, green = red, blue = red] = data.subarray(start, start + info.channels);
    return [red, green, blue];
  };
  return { format, width: info.width, height: info.height, pages, at };
}

export function listWebpChunks(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  const names: string[] = [];
  for (let at = 12; at < file.byteLength;) {
    names.push(file.toString("latin1", at, at + 4));
    const size = file.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return names;
}

/** Lossy formats change a colour a little. */
export function isNear(a: Rgb, b: Rgb, distance = 40): boolean {
  return a.every((value, index) => Math.abs(value - (b[index] ?? 0)) <= distance);
}

function toCss([r, g, b]: Rgb): { r: number; g: number; b: number } {
  return { r, g, b };
}
