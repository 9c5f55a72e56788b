/** Samples a second. Opus works at this rate. */
export const SAMPLE_RATE = 48_000;

/** From -1 to 1 by seed (Mulberry32). */
export function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** The left or the right ear. */
export type Side = 0 | 1;
export type Stereo = [left: Float64Array, right: Float64Array];

/** Partly the same in both ears: wide by headphones, and nothing is lost where a phone plays both as one. */
export function createSideNoise(seed: number, side: Side): () => number {
  const [shared, own] = [createNoise(seed), createNoise(seed + 1000 * (side + 1))];
  return () => 0.6 * shared() + 0.8 * own();
}

/** How much of a source one ear hears, at equal power. `pan`: from -1, left, to 1, right. */
export function hear(pan: number, side: Side): number {
  const angle = ((pan + 1) * Math.PI) / 4;
  return Math.SQRT2 * (side === 0 ? Math.cos(angle) : Math.sin(angle));
}

type Filter = (sample: number) => number;

/** Of second order (Robert Bristow-Johnson's Audio EQ Cookbook). */
export function createFilter(pass: "low" | "high", hertz: number, quality = Math.SQRT1_2): Filter {
  const angle = (2 * Math.PI * hertz) / SAMPLE_RATE;
  const cosine = Math.cos(angle);
  const alpha = Math.sin(angle) / (2 * quality);
  const outer = (pass === "low" ? 1 - cosine : 1 + cosine) / 2 / (1 + alpha);
  const inner = pass === "low" ? 2 * outer : -2 * outer;
  const [feedback1, feedback2] = [(-2 * cosine) / (1 + alpha), (1 - alpha) / (1 + alpha)];
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return (sample) => {
    const out = outer * (sample + in2) + inner * in1 - feedback1 * out1 - feedback2 * out2;
    [in2, in1, out2, out1] = [in1, sample, out1, out];
    return out;
  };
}

export function chain(...filters: Filter[]): Filter {
  return (sample) => {
    let value = sample;
    for (const filter of filters) value = filter(value);
    return value;
  };
}

/** 6 dB less with each octave: the sum of white noise, pulled back to zero. */
export function createBrownNoise(seed: number, side: Side): () => number {
  const noise = createSideNoise(seed, side);
  const cut = createFilter("high", 25);
  let level = 0;
  return () => {
    level = level * 0.9985 + noise() * 0.04;
    return cut(level);
  };
}

const CROSSFADE_SECONDS = 4;

/** `seconds` of an endless sound as a loop: the rest fades out over the beginning, at equal power. */
export function loopNoise(seconds: number, next: () => number): Float64Array {
  const loop = new Float64Array(seconds * SAMPLE_RATE);
  for (let at = 0; at < loop.length; at += 1) loop[at] = next();
  const fade = CROSSFADE_SECONDS * SAMPLE_RATE;
  for (let at = 0; at < fade; at += 1) {
    const angle = ((at / fade) * Math.PI) / 2;
    loop[at] = (loop[at] ?? 0) * Math.sin(angle) + next() * Math.cos(angle);
  }
  return loop;
}

/** Levels are computed so many samples apart, and linear between. */
const LEVEL_STEP = 48;

/** `levelAt` gets the seconds since the loop's beginning. */
export function shape(loop: Float64Array, levelAt: (seconds: number) => number): Float64Array {
  const shaped = new Float64Array(loop.length);
  let next = levelAt(0);
  for (let from = 0; from < loop.length; from += LEVEL_STEP) {
    const level = next;
    next = levelAt((from + LEVEL_STEP) / SAMPLE_RATE);
    for (let at = 0; at < LEVEL_STEP; at += 1)
      shaped[from + at] = (loop[from + at] ?? 0) * (level + ((next - level) * at) / LEVEL_STEP);
  }
  return shaped;
}

export function mix(...loops: Float64Array[]): Float64Array {
  const mixed = new Float64Array(loops[0]?.length ?? 0);
  for (const loop of loops) for (let at = 0; at < mixed.length; at += 1) mixed[at] = (mixed[at] ?? 0) + (loop[at] ?? 0);
  return mixed;
}

/** In seconds. */
type Stroke = { start: number; seconds: number };

/** A part beyond the loop's end continues at its beginning. */
export function strike(loop: Float64Array, { start, seconds }: Stroke, sampleAt: (seconds: number) => number): void {
  const from = Math.floor(start * SAMPLE_RATE);
  for (let at = 0; at < seconds * SAMPLE_RATE; at += 1) {
    const place = (from + at) % loop.length;
    loop[place] = (loop[place] ?? 0) + sampleAt(at / SAMPLE_RATE);
  }
}

/** From 0 to 1 and back once a `period`. */
export const swell = (seconds: number, period: number) => (1 - Math.cos((2 * Math.PI * seconds) / period)) / 2;
