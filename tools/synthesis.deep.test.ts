import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { SAMPLE_RATE, soundNames, synthesise } from "./synthesis.ts";

const media = join(import.meta.dirname, "../server/content/bundled/media");

let fan: Float64Array | undefined;

describe.each(soundNames)("%s", (name) => {
  const sides = synthesise(name);
  const [left, right] = sides;
  if (name === "a-fan") fan = left;

  test("is one of two minutes or, where one would recognise its round, of four, and stays within bounds", () => {
    const seconds = left.length / SAMPLE_RATE;
    const isRecognised = name === "rain-on-a-window-pane" || name === "a-slow-sea";
    expect(seconds).toBeGreaterThanOrEqual(isRecognised ? 240 : 60);
    const peaks = sides.map((side) => side.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
    expect(Math.max(...peaks)).toBeCloseTo(0.5);
  });

  test("is stereo: both ears hear as much, but not the same", () => {
    const [ofLeft, ofRight] = [measure(left, left), measure(right, right)];
    expect(Math.abs(10 * Math.log10(ofLeft / ofRight))).toBeLessThan(0.5);
    expect(measure(left, right) / Math.sqrt(ofLeft * ofRight)).toBeLessThan(0.95);
  });

  test("has no sudden peak: no tenth of a second is much louder than the loudest ten seconds", () => {
    for (const side of sides) {
      const loudest = (seconds: number) => Math.max(...listLoudness(side, seconds));
      expect(20 * Math.log10(loudest(0.1) / loudest(10))).toBeLessThan(9);
    }
  });

  test("leads into its own beginning without a jump", () => {
    for (const side of sides) {
      const steps = side.subarray(1).map((sample, at) => Math.abs(sample - (side[at] ?? 0)));
      const usual = steps.reduce((sum, step) => sum + step, 0) / steps.length;
      expect(Math.abs((side[0] ?? 1) - (side.at(-1) ?? 0))).toBeLessThan(usual);
      expect(Math.max(...steps.subarray(0, 50), ...steps.subarray(-50))).toBeLessThan(2 * usual);
    }
  });

  test("is there as AAC in stereo, under 2.5 MB and as long as its samples", () => {
    const file = readFileSync(join(media, `${name}.m4a`));
    expect(file.subarray(4, 8).toString()).toBe("ftyp");
    expect(file.length).toBeLessThan(2_500_000);
    expect(secondsOfMp4(file)).toBeCloseTo(left.length / SAMPLE_RATE, 1);
    expect(channelsOfMp4(file)).toBe(2);
  });
});

test("the same name gives the same samples", () => {
  expect(synthesise("a-fan")[0].findIndex((sample, at) => sample !== fan?.[at])).toBe(-1);
});

/** How much two sides have in common; of a side with itself, its power. */
function measure(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, sample, at) => sum + sample * (other[at] ?? 0), 0);
}

/** Root mean square of each stretch. */
function listLoudness(samples: Float64Array, seconds: number): number[] {
  const length = seconds * SAMPLE_RATE;
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) => {
    const stretch = samples.subarray(index * length, (index + 1) * length);
    return Math.sqrt(stretch.reduce((sum, sample) => sum + sample ** 2, 0) / length);
  });
}

/** By the movie header (ISO/IEC 14496-12, section 8.2.2, version 0). */
function secondsOfMp4(file: Buffer): number {
  const header = file.indexOf("mvhd") + 4;
  return file.readUInt32BE(header + 16) / file.readUInt32BE(header + 12);
}

/** By the sample entry (ISO/IEC 14496-12, section 12.2.3). */
function channelsOfMp4(file: Buffer): number {
  return file.readUInt16BE(file.indexOf("mp4a") + 20);
}
