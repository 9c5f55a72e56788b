/**
 * Makes the recordings that come with the product.
 *
 *   node tools/render-sounds.ts [name …]        (from the root of the repository; all of them without a name)
 *
 * Needs ffmpeg, Debian's package of this name. Building, running and testing do not: what this writes to
 * server/content/bundled/media/ is part of the repository.
 *
 * - NAME.opus (Opus in Ogg) and NAME.m4a (AAC, for Safari): one round of a loop, 80 to 100 seconds, mono, at -30 LUFS
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SAMPLE_RATE, type SoundName, soundNames, synthesise } from "./synthesis.ts";

const LOUDNESS_LUFS = -30;
const MAX_BYTES = 700_000;

const media = join("server", "content", "bundled", "media");
const bare = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"];
const formats = {
  opus: ["-c:a", "libopus", "-application", "audio"],
  m4a: ["-c:a", "aac", "-movflags", "+faststart"],
};
/** Opus takes more than it is given for pure tones. */
const bitRates = ["52k", "36k", "24k"];

async function renderSound(name: SoundName, folder: string): Promise<void> {
  const samples = join(folder, `${name}.f32`);
  await writeFile(samples, Float32Array.from(synthesise(name)));
  const input = ["-f", "f32le", "-ar", `${SAMPLE_RATE}`, "-ac", "1", "-i", samples];
  const gain = LOUDNESS_LUFS - measureLoudness(input);
  for (const [ending, codec] of Object.entries(formats)) {
    const path = join(media, `${name}.${ending}`);
    const encoding = ["-v", "error", "-y", ...input, "-af", `volume=${gain}dB`, ...codec, ...bare];
    const size = await encode(encoding, path);
    const loudness = measureLoudness(["-i", path]).toFixed(1);
    console.log(`${path}: ${Math.round(size / 1000)} kB, ${loudness} LUFS, ${describeSeam(path)}`);
  }
}

/** With the best quality below the limit; answers the bytes. */
async function encode(encoding: string[], path: string): Promise<number> {
  for (const rate of bitRates) {
    execFileSync("ffmpeg", [...encoding, "-b:a", rate, path]);
    const { size } = await stat(path);
    if (size <= MAX_BYTES) return size;
  }
  throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
}

/** EBU R 128, in LUFS. */
function measureLoudness(input: string[]): number {
  const { stderr } = spawnSync("ffmpeg", [...input, "-af", "ebur128", "-f", "null", "-"], { encoding: "utf8" });
  return Number(/I:\s+(-?[\d.]+) LUFS\s+Threshold/.exec(stderr)?.[1]);
}

/** The jump from the last sample to the first, against the usual step. */
function describeSeam(path: string): string {
  const maxBuffer = 64_000_000;
  const bytes = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-ac", "1", "-"], { maxBuffer });
  const decoded = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let squares = 0;
  for (let at = 1; at < decoded.length; at += 1) squares += ((decoded[at] ?? 0) - (decoded[at - 1] ?? 0)) ** 2;
  const usual = Math.sqrt(squares / decoded.length);
  const jump = Math.abs((decoded[0] ?? 0) - (decoded.at(-1) ?? 0));
  return `${(decoded.length / SAMPLE_RATE).toFixed(2)} s, seam ${(jump / usual).toFixed(2)} of a usual step`;
}

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "sound-"));
for (const name of soundNames) if (wanted.length === 0 || wanted.includes(name)) await renderSound(name, folder);
await rm(folder, { recursive: true });
