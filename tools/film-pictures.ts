import { execFileSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";

import { covers } from "./covers/covers.ts";
import { chooseLine, type Film, type Paragraph } from "./film-words.ts";

/** Frames a second; a view moves one pixel a frame. */
export const FPS = 5;
const FADE_STEPS = 3;
const MAX_BYTES = 1_000_000;
export const TITLE_SECONDS = 5;
export const END_SECONDS = 3;
export const DISSOLVE_SECONDS = 3;

type Size = { width: number; height: number };
export type Drawing = { page: Page; folder: string; size: Size };

async function fontFace(family: string, file: string): Promise<string> {
  const bytes = await readFile(join("node_modules", file));
  return `@font-face { font-family: ${family}; src: url(data:font/woff2;base64,${bytes.toString("base64")}); font-weight: 100 900 }`;
}

/** The night scheme's text on a soft dark ground. */
async function cardStyle(): Promise<string> {
  return `${await fontFace("fraunces", "@fontsource/fraunces/files/fraunces-latin-500-normal.woff2")}
    ${await fontFace("figtree", "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2")}
    * { margin: 0; box-sizing: border-box }
    body { height: 100vh; display: grid; place-content: center; padding: 0 9vw 8vh; text-align: center; color: #ece6d8;
      background: radial-gradient(ellipse 75% 60% at 50% 46%, rgb(9 14 23 / 82%), rgb(9 14 23 / 60%) 55%, transparent) }
    p { font: 400 max(5.6vmin, 4.1vw)/1.4 fraunces; text-wrap: balance }
    h1 { font: 500 max(7vmin, 5.2vw)/1.25 fraunces; text-wrap: balance }
    h1 + p { margin-top: 1em; font: 500 max(4vmin, 2.6vw) figtree; color: #f0bf63 }`;
}

/** In steps from nothing to full. */
async function drawCard({ page, folder, size }: Drawing, name: string, html: string): Promise<string[]> {
  await page.setContent(`<style>${await cardStyle()}</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  const card = await page.screenshot({ omitBackground: true });
  const steps = Array.from({ length: FADE_STEPS }, (_, step) => join(folder, `${name}-${step}.png`));
  await Promise.all(
    steps.map((path, step) => {
      const alpha = Math.round((255 * (step + 1)) / FADE_STEPS);
      const veil = { create: { ...size, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: alpha / 255 } } };
      return sharp(card)
        .ensureAlpha()
        .composite([{ input: veil, blend: "dest-in" }])
        .png()
        .toFile(path);
    }),
  );
  return steps;
}

/** As a list for ffmpeg. */
export async function drawCards(drawing: Drawing, film: Film, paragraphs: Paragraph[]): Promise<string> {
  const empty = join(drawing.folder, "empty.png");
  await sharp({ create: { ...drawing.size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toFile(empty);
  const cards = [
    { html: `<h1>${film.title}</h1><p>${film.author}</p>`, start: 0.5, end: TITLE_SECONDS - 0.4 },
    ...paragraphs.map(({ sentences, start, end }) => ({ html: `<p>${chooseLine(sentences)}</p>`, start, end })),
  ];
  const lines: string[] = [];
  let now = 0;
  const show = (path: string, seconds: number) => {
    lines.push(`file '${path}'`, `duration ${seconds.toFixed(2)}`);
    now += seconds;
  };
  for (const [index, { html, start, end }] of cards.entries()) {
    const steps = await drawCard(drawing, `card-${index}`, html);
    if (start - now > 0.01) show(empty, start - now);
    for (const step of steps) show(step, 1 / FPS);
    show(steps.at(-1) ?? empty, end - now - FADE_STEPS / FPS);
    for (const step of steps.toReversed()) show(step, 1 / FPS);
  }
  show(empty, END_SECONDS + 2);
  const list = join(drawing.folder, "cards.txt");
  await writeFile(list, `${lines.join("\n")}\n`);
  return list;
}

type View = { path: string; width: number; height: number };

/** Larger than the film, so that a view can move over it; dimmed as pictures are at night. */
export async function drawScene(name: string, { folder, size }: Drawing, seconds: number): Promise<View> {
  const travel = Math.ceil(seconds * FPS);
  const path = join(folder, `${name}.png`);
  const cover = covers[name];
  const source = cover ? Buffer.from(cover()) : join("app", "components", "pictures", "scenes", `${name}.svg`);
  const { width, height } = await sharp(source, { density: 110 })
    .resize({ width: size.width + travel, height: size.height, fit: "outside" })
    .flatten({ background: "#0d1420" })
    .modulate({ brightness: 0.85 })
    .png()
    .toFile(path);
  return { path, width, height };
}

/** A filter that ends in `[scenes]`: views move one pixel a frame, without flicker, and dissolve into each other. */
export function viewScenes(views: View[], each: number, { width, height }: Size): string {
  const travel = Math.ceil(each * FPS);
  const crops = views.map((view, index) => {
    const start = Math.floor((view.width - width - travel) / 2);
    const x = index % 2 === 0 ? `${start}+n` : `${start + travel}-n`;
    const y = Math.floor((view.height - height) * 0.6);
    return `[${index}:v]format=yuv444p,crop=${width}:${height}:'${x}':${y},format=yuv420p[view${index}]`;
  });
  const dissolves = views.slice(1).map((_, index) => {
    const offset = (index + 1) * (each - DISSOLVE_SECONDS);
    const before = index === 0 ? "view0" : `mix${index - 1}`;
    return `[${before}][view${index + 1}]xfade=duration=${DISSOLVE_SECONDS}:offset=${offset.toFixed(2)}[mix${index}]`;
  });
  return [...crops, ...dissolves, `[${views.length === 1 ? "view0" : `mix${views.length - 2}`}]null[scenes]`].join(";");
}

const bare = ["-an", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"];
export const h264 = (crf: number) =>
  ["-c:v", "libx264", "-preset", "veryfast", "-crf", `${crf}`, "-g", "100", "-pix_fmt", "yuv420p"].concat(bare, [
    "-movflags",
    "+faststart",
  ]);
export const vp9 = (crf: number) =>
  [
    "-c:v",
    "libvpx-vp9",
    "-b:v",
    "0",
    "-crf",
    `${crf}`,
    "-deadline",
    "realtime",
    "-cpu-used",
    "8",
    "-row-mt",
    "1",
  ].concat(["-g", "100", "-pix_fmt", "yuv420p"], bare);

/** With the best quality that stays below the limit. */
export async function encode(input: string[], path: string, qualities: string[][]): Promise<void> {
  for (const quality of qualities) {
    execFileSync("ffmpeg", ["-v", "error", "-y", ...input, ...quality, path], { stdio: "inherit" });
    if ((await stat(path)).size < MAX_BYTES) return;
  }
  throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
}
