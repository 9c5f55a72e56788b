/**
 * Makes the recordings that come with the product.
 *
 *   node tools/render-sounds.ts [name …]        (from the root of the repository; all of them without a name)
 *
 * Needs ffmpeg, Debian's package of this name. Building, running and testing do not: what this writes to
 * server/content/bundled/media/ is part of the repository.
 *
 * NAME.mp3: one round of a loop in stereo at -30 LUFS, or the whole of what is no loop. Every engine plays MP3; WebKit
 * on Linux has no AAC without further packages.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isLoop, type SoundName, soundNames, synthesise } from "./synthesis.ts";
import { SAMPLE_RATE } from "./waveforms.ts";

const LOUDNESS_LUFS = -30;
const BIT_RATE = "76k";
/** For twenty minutes within `MAX_BYTES`: enough for tones and air below 1 kHz. */
const LONG_BIT_RATE = "16k";
const LONG_SAMPLE_RATE = "16000";
const MAX_BYTES = 2_500_000;

const media = join("server", "content", "bundled", "media");
const bare = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"];
const codec = ["-c:a", "libmp3lame", "-compression_level", "0", "-id3v2_version", "0"];
const loopCodec = [...codec, "-abr", "1", "-b:a", BIT_RATE];
const longCodec = [...codec, "-b:a", LONG_BIT_RATE, "-ar", LONG_SAMPLE_RATE];

async function renderSound(name: SoundName, folder: string): Promise<void> {
  const samples = join(folder, `${name}.f32`);
  const [left, right] = synthesise(name);
  const interleaved = new Float32Array(2 * left.length);
  for (const [at, sample] of left.entries()) interleaved.set([sample, right[at] ?? 0], 2 * at);
  await writeFile(samples, interleaved);
  const input = ["-f", "f32le", "-ar", `${SAMPLE_RATE}`, "-ac", "2", "-i", samples];
  const path = join(media, `${name}.mp3`);
  const settings = isLoop(name) ? loopCodec : longCodec;
  // A recording that fades out is measured by its beginning, which is as loud as the others.
  const measured = isLoop(name) ? [] : ["-t", "180"];
  let gain = LOUDNESS_LUFS - measureLoudness([...measured, ...input]);
  // The codec changes the loudness slightly, which the second pass corrects.
  for (const _ of [1, 2]) {
    execFileSync("ffmpeg", ["-v", "error", "-y", ...input, "-af", `volume=${gain}dB`, ...settings, ...bare, path]);
    gain += LOUDNESS_LUFS - measureLoudness([...measured, "-i", path]);
  }
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes`);
  const loudness = measureLoudness([...measured, "-i", path]).toFixed(1);
  console.log(`${path}: ${Math.round(size / 1000)} kB, ${loudness} LUFS, ${describeSeam(path)}`);
}

/** EBU R 128, in LUFS. */
function measureLoudness(input: string[]): number {
  const { stderr } = spawnSync("ffmpeg", [...input, "-af", "ebur128=framelog=verbose", "-f", "null", "-"], {
    encoding: "utf8",
  });
  return Number(/I:\s+(-?[\d.]+) LUFS\s+Threshold/.exec(stderr)?.[1]);
}

/** The jump from the last sample to the first, against the usual step. */
function describeSeam(path: string): string {
  const maxBuffer = 256_000_000;
  const bytes = execFileSync(
    "ffmpeg",
    ["-v", "error", "-i", path, "-f", "f32le", "-ac", "1", "-ar", `${SAMPLE_RATE}`, "-"],
    { maxBuffer },
  );
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
