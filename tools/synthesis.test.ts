import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { SAMPLE_RATE, soundNames, synthesise } from "./synthesis.ts";

const media = join(import.meta.dirname, "../server/content/bundled/media");

describe.each(soundNames)("%s", (name) => {
  const samples = synthesise(name);
  const steps = samples.subarray(1).map((sample, at) => Math.abs(sample - (samples[at] ?? 0)));

  test("lasts one to two minutes and stays within bounds", () => {
    const seconds = samples.length / SAMPLE_RATE;
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThanOrEqual(120);
    expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeCloseTo(0.5);
  });

  test("has no sudden peak: no tenth of a second is much louder than the loudest ten seconds", () => {
    const loudest = (seconds: number) => Math.max(...listLoudness(samples, seconds));
    expect(20 * Math.log10(loudest(0.1) / loudest(10))).toBeLessThan(9);
  });

  test("leads into its own beginning without a jump", () => {
    const usual = steps.reduce((sum, step) => sum + step, 0) / steps.length;
    expect(Math.abs((samples[0] ?? 1) - (samples.at(-1) ?? 0))).toBeLessThan(usual);
    expect(Math.max(...steps.subarray(0, 50), ...steps.subarray(-50))).toBeLessThan(2 * usual);
  });

  test("is there as Opus and as AAC, each under 700 kB and as long as its samples", () => {
    const opus = readFileSync(join(media, `${name}.opus`));
    const m4a = readFileSync(join(media, `${name}.m4a`));
    expect(opus.subarray(0, 4).toString()).toBe("OggS");
    expect(opus.subarray(28, 36).toString()).toBe("OpusHead");
    expect(m4a.subarray(4, 8).toString()).toBe("ftyp");
    for (const { length } of [opus, m4a]) expect(length).toBeLessThan(700_000);
    expect(secondsOfOpus(opus)).toBeCloseTo(samples.length / SAMPLE_RATE, 1);
    expect(secondsOfMp4(m4a)).toBeCloseTo(samples.length / SAMPLE_RATE, 1);
  });
});

test("the same name gives the same samples", () => {
  const digest = () => createHash("sha256").update(synthesise("brown-noise")).digest("hex");
  expect(digest()).toBe(digest());
});

/** Root mean square of each stretch. */
function listLoudness(samples: Float64Array, seconds: number): number[] {
  const length = seconds * SAMPLE_RATE;
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) => {
    const stretch = samples.subarray(index * length, (index + 1) * length);
    return Math.sqrt(stretch.reduce((sum, sample) => sum + sample ** 2, 0) / length);
  });
}

/** By the last page's granule position (RFC 7845, section 4), less the pre-skip. */
function secondsOfOpus(file: Buffer): number {
  const last = file.lastIndexOf("OggS");
  return (Number(file.readBigInt64LE(last + 6)) - file.readUInt16LE(38)) / SAMPLE_RATE;
}

/** By the movie header (ISO/IEC 14496-12, section 8.2.2, version 0). */
function secondsOfMp4(file: Buffer): number {
  const header = file.indexOf("mvhd") + 4;
  return file.readUInt32BE(header + 16) / file.readUInt32BE(header + 12);
}
