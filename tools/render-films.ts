/**
 * Draws the films of the bundled videos and webinars from the pictures on their cards, the night scenes and their transcripts.
 *
 *   node tools/render-films.ts [name …]        (from the root of the repository; all films without a name)
 *
 * Needs ffmpeg and Chromium, Debian's packages of these names. Building, running and testing need neither: what this writes
 * to server/content/bundled/media/ is part of the repository.
 *
 * - NAME.mp4 (H.264) and NAME.webm (VP9): slow views of scenes, with the title and one line of each paragraph on cards
 * - NAME.vtt: the transcript as captions, timed to the film
 *
 * The times in the transcript of an item become those of its film.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chromium, type Page } from "@playwright/test";

import { DISSOLVE_SECONDS, END_SECONDS, FPS, TITLE_SECONDS } from "./film-pictures.ts";
import { drawCards, drawScene, encode, h264, viewScenes, vp9 } from "./film-pictures.ts";
import { readFilm, countSeconds, shorten, time, toCaptions, writeTimes, type Film } from "./film-words.ts";

/** After the picture on its card. */
const scenesOfFilms: Record<string, string[]> = {
  "cant-sleep-leave-the-bed-for-a-while": ["attic-lamp", "hedgerow-nest"],
  "waking-in-the-night-without-looking-at-the-clock": ["owl-on-a-bough", "sleeping-village"],
  "setting-the-temperature-of-a-bedroom": ["attic-lamp"],
  "cooling-down-before-bed": ["quiet-sea"],
  "snoring-and-the-way-you-lie": ["sleeping-village", "hedgerow-nest"],
  "what-happens-at-a-sleep-apnoea-clinic": ["attic-lamp", "sleeping-village"],
  "fitting-a-cpap-mask": ["attic-lamp"],
  "menopause-and-broken-sleep": ["quiet-sea", "hedgerow-nest"],
  "a-cool-down-for-hot-flushes": ["rain-on-a-window"],
  "shift-work-a-darker-bedroom-by-day": ["sleeping-village", "attic-lamp"],
  "a-body-scan-lying-down": ["tent-and-stars", "hedgerow-nest"],
  "falling-asleep-an-evening-with-questions": ["attic-lamp", "sleeping-village"],
  "waking-in-the-night-five-patterns": ["quiet-sea", "lighthouse"],
  "temperature-light-and-noise": ["rain-on-a-window"],
  "snoring-and-sleep-apnoea": ["hedgerow-nest", "moon-over-hills"],
  "menopause-and-sleep": ["moon-over-hills"],
  "shift-work-without-losing-your-days-off": ["lighthouse"],
  "sleep-rules-you-may-let-go-of": ["tent-and-stars"],
  "worry-racing-thoughts-and-the-hour-before-bed": ["attic-lamp"],
};

const MAX_SECONDS = 100;
const SCENE_SECONDS = 45;

const bundled = join("server", "content", "bundled");
const media = join(bundled, "media");

async function listFilms(): Promise<Film[]> {
  const folders = ["videos", "webinars"].map((name) => join(bundled, name));
  const paths = (
    await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((f) => join(folder, f))))
  ).flat();
  const films = await Promise.all(paths.map(async (path) => readFilm(path, await readFile(path, "utf8"))));
  return films.filter((film) => film !== undefined);
}

async function drawFilm(film: Film, page: Page): Promise<void> {
  const scenes = [...(film.picture ? [film.picture] : []), ...(scenesOfFilms[film.name] ?? [])];
  const size = film.isPortrait ? { width: 360, height: 640 } : { width: 640, height: 360 };
  await page.setViewportSize(size);
  const folder = await mkdtemp(join(tmpdir(), "film-"));
  const drawing = { page, folder, size };
  const shortened = shorten(film.paragraphs, MAX_SECONDS - TITLE_SECONDS - END_SECONDS);
  const spokenUntil = TITLE_SECONDS + countSeconds(shortened);
  const paragraphs = time(shortened, { start: TITLE_SECONDS, end: spokenUntil });
  const seconds = Math.ceil(spokenUntil + END_SECONDS);
  const shown = scenes.slice(0, Math.max(1, Math.round(seconds / SCENE_SECONDS)));
  const each = (seconds + DISSOLVE_SECONDS * (shown.length - 1)) / shown.length + 0.5;

  const views = await Promise.all(shown.map((scene) => drawScene(scene, drawing, each)));
  const pictures = views.flatMap(({ path }) => ["-loop", "1", "-framerate", `${FPS}`, "-t", `${each}`, "-i", path]);
  const list = await drawCards(drawing, film, paragraphs);
  const filter = `${viewScenes(views, each, size)};
    [${views.length}:v]fps=${FPS},format=yuva420p[cards];
    [scenes][cards]overlay=eof_action=pass,fade=in:st=0:d=1,fade=out:st=${seconds - 2}:d=2,format=yuv420p`;
  const master = join(folder, "master.mkv");
  const input = [...pictures, "-f", "concat", "-safe", "0", "-i", list, "-filter_complex", filter, "-t", `${seconds}`];
  const lossless = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", master];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...input, ...lossless], { stdio: "inherit" });

  await encode(["-i", master], join(media, `${film.name}.mp4`), [30, 35].map(h264));
  await encode(["-i", master], join(media, `${film.name}.webm`), [42, 50].map(vp9));
  await writeFile(join(media, `${film.name}.vtt`), toCaptions(paragraphs));
  await writeTimes(film.path, paragraphs);
  await rm(folder, { recursive: true });
}

/** An animated film exists already: it only gets the other format and captions. */
async function completeFilm(film: Film): Promise<void> {
  const source = join(media, `${film.name}.mp4`);
  const probe = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", source];
  const seconds = Number(execFileSync("ffprobe", probe, { encoding: "utf8" }));
  const smaller = ["-i", source, "-vf", `scale=${film.isPortrait ? "360:-2" : "640:-2"}`];
  await encode(smaller, join(media, `${film.name}.webm`), [36, 40, 44, 48, 52].map(vp9));
  const shortened = shorten(film.paragraphs, seconds - 2);
  const paragraphs = time(shortened, { start: 1, end: Math.min(1 + countSeconds(shortened) * 1.2, seconds - 1) });
  await writeFile(join(media, `${film.name}.vtt`), toCaptions(paragraphs));
}

const wanted = process.argv.slice(2);
const executablePath = existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : chromium.executablePath();
await using browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const film of await listFilms()) {
  if (wanted.length > 0 && !wanted.includes(film.name)) continue;
  if (film.name in scenesOfFilms) await drawFilm(film, page);
  else await completeFilm(film);
  console.log(`${basename(film.path)}: ${film.name}`);
}
