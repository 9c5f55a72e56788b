/**
 * Renders Dormouse's own drawings from their SVG sources.
 *
 *   node tools/render-pictures.ts [scene or cover …]        (from the root of the repository; everything without a name)
 *
 * - scenes/*.svg    to AVIF beside them, 400, 640 and 1280 wide, and to WebP, 640 wide; and at dusk to AVIF in public/dusk
 * - diagrams/*.svg  to WebP in server/content/bundled/media/, with their sizes in pictures.json
 * - the covers of tools/covers, one for each bundled item, to WebP beside them, 400, 640, 800 and 1200 wide
 * - four of them to WebP in pictures/welcome/, by night and at dusk, for the page that visitors see: the media of the
 *   content are for members alone
 * - logo/mark.svg   to the favicons and the app icons in public/, and to the mark of emails
 *
 * Each has a budget in bytes; the best quality within it is used.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import sharp, { type Sharp } from "sharp";

import { covers } from "./covers/covers.ts";
import { toDusk } from "./dusk.ts";

const here = join("app", "components", "pictures");
const media = join("server", "content", "bundled", "media");
const ground = "#0d1420";
const gold = "#f0bf63";
const sceneBudgets = [
  { width: 400, avif: 6000, webp: undefined },
  { width: 640, avif: 12_000, webp: 18_000 },
  { width: 1280, avif: 30_000, webp: undefined },
];
const qualities = [88, 80, 73, 66, 59, 52, 46, 40, 34, 28];

/** With the best quality within `budget` bytes; reports if none is. */
async function writeWithin(path: string, budget: number, encode: (quality: number) => Sharp): Promise<void> {
  let bytes = new Uint8Array();
  for (const quality of qualities) {
    bytes = new Uint8Array(await encode(quality).toBuffer());
    if (bytes.length <= budget) break;
  }
  if (bytes.length > budget) console.warn(`${path}: ${bytes.length} bytes, over its budget of ${budget}`);
  await writeFile(path, bytes);
}

async function listDrawings(folder: string): Promise<string[]> {
  return (await readdir(join(here, folder))).filter((file) => file.endsWith(".svg")).toSorted();
}

async function renderScene(file: string): Promise<void> {
  const scenesFolder = join(here, "scenes");
  const night = await readFile(join(scenesFolder, file), "utf8");
  const lights = [
    { folder: scenesFolder, drawn: night, isNight: true },
    { folder: join("public", "dusk"), drawn: toDusk(night), isNight: false },
  ];
  for (const { folder, drawn, isNight } of lights) {
    for (const { width, avif, webp } of sceneBudgets) {
      const pixels = await sharp(Buffer.from(drawn)).resize(width).flatten({ background: ground }).png().toBuffer();
      const target = join(folder, `${basename(file, ".svg")}-${width}`);
      await writeWithin(`${target}.avif`, avif, (quality) => sharp(pixels).avif({ quality, effort: 5 }));
      if (webp && isNight)
        await writeWithin(`${target}.webp`, webp, (quality) => sharp(pixels).webp({ quality, effort: 6 }));
    }
  }
}

type PictureSizes = Record<string, { width: number; height: number; widths?: number[]; ground?: number }>;

async function renderDiagrams(): Promise<PictureSizes> {
  const sizes: PictureSizes = {};
  for (const file of await listDrawings("diagrams")) {
    const pixels = await sharp(join(here, "diagrams", file))
      .png()
      .toBuffer();
    const { width, height } = await sharp(pixels).metadata();
    const name = `${basename(file, ".svg")}.webp`;
    sizes[name] = { width, height };
    await writeWithin(join(media, name), 60_000, (quality) => sharp(pixels).webp({ quality, effort: 6 }));
  }
  return sizes;
}

const coverBudgets = [
  { width: 400, webp: 10_000 },
  { width: 640, webp: 18_000 },
  { width: 800, webp: 24_000 },
  { width: 1200, webp: 42_000 },
];

async function renderCovers(): Promise<PictureSizes> {
  const sizes: PictureSizes = {};
  const grounds = await readGrounds();
  for (const [name, draw] of Object.entries(covers)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const drawn = await sharp(Buffer.from(draw())).flatten({ background: ground }).png().toBuffer();
    for (const { width, webp } of coverBudgets) {
      const pixels = await sharp(drawn).resize(width).png().toBuffer();
      const path = join(media, width === 1200 ? `${name}.webp` : `${name}-${width}.webp`);
      await writeWithin(path, webp, (quality) => sharp(pixels).webp({ quality, effort: 6 }));
    }
    const widths = coverBudgets.map(({ width }) => width);
    sizes[`${name}.webp`] = { width: 1200, height: 675, widths, ground: findGround(await readColours(drawn), grounds) };
  }
  return sizes;
}

/** By section. Drawn for visitors, who need no file of an item. */
const welcomePictures = {
  watch: "an-old-television",
  listen: "a-window-in-the-rain",
  read: "a-sleep-diary",
  learn: "a-dial-of-day-and-night",
};

/** Twice as wide as a picture on the widest screen (`app/routes/door/signup/welcome.module.css`). */
const welcomeSize = { width: 240, height: 180 };

async function renderWelcome(): Promise<void> {
  for (const [section, cover] of Object.entries(welcomePictures)) {
    const night = covers[cover]?.() ?? "";
    for (const [light, drawn] of Object.entries({ "": night, "-dusk": toDusk(night) })) {
      const pixels = await sharp(Buffer.from(drawn))
        .flatten({ background: ground })
        .resize(welcomeSize)
        .png()
        .toBuffer();
      const path = join(here, "welcome", `${section}${light}.webp`);
      await writeWithin(path, 4000, (quality) => sharp(pixels).webp({ quality, effort: 6 }));
    }
  }
}

type Colour = [red: number, green: number, blue: number];
/** The mean colours of the sides, upper and lower half. */
type Colours = [upper: Colour, lower: Colour];

function toColour(hex: string): Colour {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Colour;
}

/** From `picture.css`: one shows before a picture is loaded. */
async function readGrounds(): Promise<Colours[]> {
  const sheet = await readFile(join(here, "..", "picture.css"), "utf8");
  const pairs = [...sheet.matchAll(/linear-gradient\((#\w{6}), (#\w{6})\)/g)];
  return pairs.map(([, upper = "", lower = ""]) => [toColour(upper), toColour(lower)]);
}

/** Only of the sides: objects in the middle would make them all the same brown. */
async function readColours(drawn: Buffer): Promise<Colours> {
  const { width, height } = await sharp(drawn).metadata();
  const side = { top: 0, width: Math.round(width * 0.15), height };
  const sides = [0, width - side.width].map((left) =>
    sharp(drawn)
      .extract({ left, ...side })
      .removeAlpha()
      .resize(1, 2, { fit: "fill", kernel: "cubic" })
      .raw()
      .toBuffer(),
  );
  const [first, second] = await Promise.all(sides);
  const means = Array.from({ length: 6 }, (_, index) => ((first?.[index] ?? 0) + (second?.[index] ?? 0)) / 2);
  return [means.slice(0, 3) as Colour, means.slice(3) as Colour];
}

function findGround(colours: Colours, grounds: Colours[]): number {
  const far = (each: Colours) =>
    each.flat().reduce((sum, value, index) => sum + (value - (colours.flat()[index] ?? 0)) ** 2, 0);
  return grounds.indexOf(grounds.toSorted((a, b) => far(a) - far(b))[0] ?? colours);
}

async function renderIcons(): Promise<void> {
  const mark = (await readFile(join(here, "logo", "mark.svg"), "utf8")).match(/<path[^>]*>/g)?.join("") ?? "";
  await writeFile(join("public", "favicon.svg"), drawIcon(mark, 0.84, 11));
  await writeFile(join("public", "apple-touch-icon.png"), await toPng(drawIcon(mark, 0.7, 0), 180));
  for (const size of [192, 512]) {
    await writeFile(join("public", `icon-${size}.png`), await toPng(drawIcon(mark, 0.6, 0), size));
  }
  await writeFile(join("server", "platform", "email", "mark.png"), await toPng(drawIcon(mark, 0.84, 11), 64, 16));
  await writeFile(join("public", "favicon.ico"), toIco(await toPng(drawIcon(mark, 0.9, 9), 32)));
}

/** `part` of a dark square with corners of `radius` (of 48). */
function drawIcon(mark: string, part: number, radius: number): string {
  const square = `<rect width="48" height="48" rx="${radius}" fill="${ground}"/>`;
  const place = `translate(24 24) scale(${part}) translate(-24 -24.3)`;
  const body = `<g transform="${place}" fill="${gold}" fill-rule="evenodd">${mark}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${square}${body}</svg>\n`;
}

async function toPng(svg: string, size: number, colours = 256): Promise<Uint8Array> {
  const icon = sharp(Buffer.from(svg), { density: 1200 }).resize(size, size);
  return icon.png({ palette: true, colours, effort: 10 }).toBuffer();
}

/** With one PNG of 32 by 32. */
function toIco(png: Uint8Array): Uint8Array {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(png.length, 14);
  return Buffer.concat([head, png]);
}

const wanted = process.argv.slice(2);
const sizesFile = join(media, "pictures.json");
const scenes = await listDrawings("scenes");
await Promise.all(
  scenes.filter((file) => wanted.length === 0 || wanted.includes(basename(file, ".svg"))).map(renderScene),
);
if (wanted.length === 0) {
  await renderIcons();
  await renderWelcome();
}
const known = wanted.length === 0 ? await renderDiagrams() : JSON.parse(await readFile(sizesFile, "utf8"));
await writeFile(sizesFile, `${JSON.stringify({ ...known, ...(await renderCovers()) }, null, 2)}\n`);
