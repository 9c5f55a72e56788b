import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { isLoop, soundNames, synthesise } from "./synthesis.ts";
import { SAMPLE_RATE } from "./waveforms.ts";

const media = join(import.meta.dirname, "../server/content/bundled/media");

let fan: Float64Array | undefined;

describe.each(soundNames.filter(isLoop))("%s", (name) => {
  const sides = synthesise(name);
  const [left, right] = sides;
  if (name === "a-fan") fan = left;

  test("is one of two minutes or, where one would recognise its round, of four, and stays within bounds", () => {
    const seconds = left.length / SAMPLE_RATE;
    const isRecognised = ["rain-on-a-window-pane", "a-slow-sea", "a-wood-fire"].includes(name);
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

  test("is there as MP3 in stereo, under 2.5 MB and as long as its samples", () => {
    const file = readFileSync(join(media, `${name}.mp3`));
    expect(file.length).toBeLessThan(2_500_000);
    const { seconds, isStereo } = readMp3(file);
    expect(seconds).toBeCloseTo(left.length / SAMPLE_RATE, 1);
    expect(isStereo).toBe(true);
  });
});

describe("what fades by itself", () => {
  const [sides, seconds] = [synthesise("twenty-minutes-to-the-dark", 200), 200];

  test("becomes quieter from its beginning on, and ends in silence, in both ears alike", () => {
    for (const side of sides) {
      const [, first = 0, second = 0, third = 0, fourth = 0, last = 1] = listLoudness(side, seconds / 6);
      expect([first, second, third, fourth, last]).toEqual(
        [first, second, third, fourth, last].toSorted((a, b) => b - a),
      );
      expect(20 * Math.log10(last / first)).toBeLessThan(-8);
      expect(Math.max(...side.subarray(-SAMPLE_RATE / 10).map(Math.abs))).toBeLessThan(0.001);
    }
    const [left, right] = sides;
    expect(Math.abs(10 * Math.log10(measure(left, left) / measure(right, right)))).toBeLessThan(0.5);
  });

  test("is there as MP3 in stereo, under 2.5 MB and twenty minutes long", () => {
    const file = readFileSync(join(media, "twenty-minutes-to-the-dark.mp3"));
    expect(file.length).toBeLessThan(2_500_000);
    const { seconds: long, isStereo } = readMp3(file);
    expect(long).toBeCloseTo(1200, 1);
    expect(isStereo).toBe(true);
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

/** By the first frame's header (ISO/IEC 11172-3, section 2.4.2.3; 13818-3 halves rate and frame) and the tag of LAME in it. */
function readMp3(file: Buffer) {
  const tag = Math.max(file.indexOf("Xing"), file.indexOf("Info"));
  const frames = file.readUInt32BE(tag + 8);
  const isFull = ((file.readUInt8(1) >> 3) & 1) === 1;
  // 12 bits each of samples that the decoder leaves out at the beginning and at the end.
  const padding = file.readUIntBE(tag + 141, 3);
  const samples = frames * (isFull ? 1152 : 576) - (padding >> 12) - (padding & 0xfff);
  const rate = ([44_100, 48_000, 32_000][(file.readUInt8(2) >> 2) & 3] ?? 0) / (isFull ? 1 : 2);
  return { seconds: samples / rate, isStereo: file.readUInt8(3) >> 6 !== 3 };
}
