/**
 * Renders Dormouse's own drawings from their SVG sources.
 *
 *   node app/ui/pictures/render.ts        (from the root of the repository)
 *
 * - scenes/*.svg    to AVIF and WebP beside them, 640 and 1280 wide
 * - diagrams/*.svg  to WebP in server/content/bundled/media/, with their sizes in pictures.json
 * - logo/mark.svg   to the favicons and the app icons in public/
 *
 * Each has a budget in bytes; the best quality within it is used.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import sharp from "sharp";

const here = join("app", "ui", "pictures");
const media = join("server", "content", "bundled", "media");
const ground = "#0d1420";
const gold = "#f0bf63";
const qualities = [88, 80, 73, 66, 59, 52, 46, 40, 34, 28];

/** Encodes with the best quality that stays within `budget` bytes, and says so if none does. */
async function fit(name: string, budget: number, encode: (quality: number) => Promise<Buffer>): Promise<Buffer> {
  let out = Buffer.alloc(0);
  for (const quality of qualities) if ((out = await encode(quality)).length <= budget) return out;
  console.warn(`${name}: ${out.length} bytes, over its budget of ${budget}`);
  return out;
}

const svgs = async (folder: string) => (await readdir(folder)).filter((file) => file.endsWith(".svg")).sort();

async function scene(file: string): Promise<void> {
  for (const [width, avif, webp] of [
    [640, 12_000, 18_000],
    [1280, 30_000, 45_000],
  ] as const) {
    const name = `${file.slice(0, -".svg".length)}-${width}`;
    const picture = sharp(await sharp(file).resize(width).flatten({ background: ground }).png().toBuffer());
    await writeFile(
      `${name}.avif`,
      await fit(name, avif, (quality) => picture.clone().avif({ quality, effort: 5 }).toBuffer()),
    );
    await writeFile(
      `${name}.webp`,
      await fit(name, webp, (quality) => picture.clone().webp({ quality, effort: 6 }).toBuffer()),
    );
  }
}

async function diagrams(): Promise<void> {
  const sizes: Record<string, { width: number; height: number }> = {};
  for (const file of await svgs(join(here, "diagrams"))) {
    const name = `${basename(file, ".svg")}.webp`;
    const picture = sharp(
      await sharp(join(here, "diagrams", file))
        .png()
        .toBuffer(),
    );
    const { width, height } = await picture.metadata();
    await writeFile(
      join(media, name),
      await fit(name, 60_000, (quality) => picture.clone().webp({ quality, effort: 6 }).toBuffer()),
    );
    sizes[name] = { width, height };
  }
  await writeFile(join(media, "pictures.json"), `${JSON.stringify(sizes, null, 2)}\n`);
}

async function icons(): Promise<void> {
  const mark = (await readFile(join(here, "logo", "mark.svg"), "utf8")).match(/<path[^>]*>/g)?.join("") ?? "";
  /** The mark in gold, taking `part` of a dark square with corners of `radius` (of 48). */
  const icon = (part: number, radius: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="${radius}" fill="${ground}"/>` +
    `<g transform="translate(24 24) scale(${part}) translate(-24 -24.300)" fill="${gold}" fill-rule="evenodd">${mark}</g></svg>\n`;
  const png = (svg: string, size: number) =>
    sharp(Buffer.from(svg), { density: 1200 }).resize(size, size).png({ palette: true, effort: 10 }).toBuffer();
  await writeFile(join("public", "favicon.svg"), icon(0.84, 11));
  await writeFile(join("public", "apple-touch-icon.png"), await png(icon(0.7, 0), 180));
  for (const size of [192, 512]) await writeFile(join("public", `icon-${size}.png`), await png(icon(0.6, 0), size));
  const small = await png(icon(0.9, 9), 32);
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(small.length, 14);
  await writeFile(join("public", "favicon.ico"), Buffer.concat([head, small]));
}

await Promise.all((await svgs(join(here, "scenes"))).map((file) => scene(join(here, "scenes", file))));
await diagrams();
await icons();
