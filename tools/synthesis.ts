import {
  chain,
  createBrownNoise,
  createFilter,
  createNoise,
  createSideNoise,
  hear,
  loopNoise,
  mix,
  SAMPLE_RATE,
  shape,
  type Side,
  type Stereo,
  strike,
  swell,
} from "./waveforms.ts";

/** Rain that swells and eases, drops on the glass, and some from the gutter. */
function makeRain(seconds: number, side: Side): Float64Array {
  const noise = createSideNoise(101, side);
  const rush = chain(createFilter("high", 300, 0.5), createFilter("low", 2000, 0.5), createFilter("low", 6000));
  const body = createBrownNoise(102, side);
  const gust = (at: number) => 0.72 + 0.2 * swell(at, seconds / 2) + 0.08 * swell(at, seconds / 7);
  const rain = shape(
    loopNoise(seconds, () => rush(noise()) + 0.25 * body()),
    gust,
  );
  const chance = createNoise(103);
  const [even, ofOne] = [() => (chance() + 1) / 2, 2 * Math.PI];
  for (let drop = 0; drop < seconds * 22; drop += 1) {
    const [start, hertz, decay] = [even() * seconds, 1100 + 1900 * even() ** 2, 0.004 + 0.012 * even()];
    const loudness = 0.07 * even() ** 2 * gust(start) * hear(0.9 * chance(), side);
    // A hard beginning would be a click.
    strike(
      rain,
      { start, seconds: 8 * decay },
      (t) => loudness * Math.sin(ofOne * hertz * t) * (t / decay) * Math.exp(1 - t / decay),
    );
  }
  for (let drop = 0; drop < seconds * 0.6; drop += 1) {
    const [start, hertz] = [even() * seconds, 420 + 260 * even()];
    const loudness = (0.05 + 0.05 * even()) * hear(0.5, side);
    strike(
      rain,
      { start, seconds: 0.3 },
      (t) => loudness * Math.sin(ofOne * hertz * t) * (t / 0.03) * Math.exp(1 - t / 0.03),
    );
  }
  return rain;
}

type Wave = { peak: number; strength: number; pan: number };

/** About one every eleven seconds, all different. `peak`: the second at which it breaks. */
function listWaves(seconds: number): Wave[] {
  const chance = createNoise(204);
  const waves: Wave[] = [];
  for (let peak = 6; peak < seconds - 6; peak += 11 + 2 * chance())
    waves.push({ peak, strength: 0.8 + 0.2 * chance(), pan: chance() });
  return waves;
}

/** Waves that come in slowly, break softly and draw back over sand. */
function makeSea(seconds: number, side: Side): Float64Array {
  const waves = listWaves(seconds);
  /** `rise` seconds to the top of a wave and `fall` seconds down. */
  const level = (at: number, rise: number, fall: number) =>
    waves.reduce((sum, { peak, strength, pan }) => {
      // A wave runs along the beach: it comes to one ear before the other.
      const here = peak + 0.6 * pan * (side - 0.5);
      // The nearest repetition of this wave, because a loop has no beginning.
      const away = ((at - here + 1.5 * seconds) % seconds) - seconds / 2;
      return (
        sum +
        strength *
          hear(0.4 * pan, side) *
          (away < 0 ? Math.exp(-((away / rise) ** 2)) : Math.exp(-((away / fall) ** 2)))
      );
    }, 0);
  const deep = createBrownNoise(201, side);
  const depth = chain(createFilter("high", 90), createFilter("low", 260));
  const [washNoise, foamNoise] = [createSideNoise(202, side), createSideNoise(203, side)];
  const wash = chain(createFilter("high", 180, 0.5), createFilter("low", 900, 0.5), createFilter("low", 2400));
  const foam = chain(createFilter("high", 900, 0.5), createFilter("low", 2600, 0.5), createFilter("low", 5000));
  return mix(
    shape(
      loopNoise(seconds, () => depth(deep())),
      (at) => 0.25 + 0.5 * level(at, 3.5, 4),
    ),
    shape(
      loopNoise(seconds, () => wash(washNoise())),
      (at) => 0.06 + 0.85 * level(at, 2.4, 3),
    ),
    shape(
      loopNoise(seconds, () => foam(foamNoise())),
      (at) => 0.02 + 0.22 * level(at - 1.4, 1.6, 3.4),
    ),
  );
}

function makeBrownNoise(seconds: number, side: Side): Float64Array {
  const noise = createBrownNoise(301, side);
  const soften = chain(createFilter("high", 80), createFilter("low", 1800, 0.5));
  return loopNoise(seconds, () => soften(noise()));
}

/** Moved air, and the beat of blades. */
function makeFan(seconds: number, side: Side): Float64Array {
  const [air, hiss] = [createBrownNoise(401, side), createSideNoise(402, side)];
  const [soften, thin] = [
    chain(createFilter("high", 110), createFilter("low", 1000, 0.5)),
    chain(createFilter("high", 300, 0.5), createFilter("low", 1500, 0.5), createFilter("low", 4000)),
  ];
  const rush = loopNoise(seconds, () => soften(air()) + 0.18 * thin(hiss()));
  // A whole number of turns in the loop, so that its seam breaks no wave.
  const turn = (hertz: number, at: number) => Math.sin((2 * Math.PI * Math.round(hertz * seconds) * at) / seconds);
  const blades = rush.map((_, index) => {
    // The ears are a hand's breadth apart.
    const at = index / SAMPLE_RATE + side * 0.0004;
    return 0.05 * turn(92, at) + 0.025 * turn(184, at) + 0.012 * turn(277, at);
  });
  return mix(
    shape(rush, (at) => 0.92 + 0.05 * turn(0.45, at)),
    shape(blades, (at) => 0.75 + 0.25 * turn(0.9, at)),
  );
}

/** Seconds of a breath in, and of the breath out. */
const breath = { in: 4, out: 6 };

/** Air that rises and brightens, then falls for longer, with a low tone. */
function makeBreath(seconds: number, side: Side): Float64Array {
  const period = breath.in + breath.out;
  /** How full the lungs are: from 0, empty, to 1, full. */
  const fullness = (at: number) => {
    const within = at % period;
    const share = within < breath.in ? within / breath.in : 1 - (within - breath.in) / breath.out;
    return swell(share, 2);
  };
  const [low, high] = [createSideNoise(501, side), createSideNoise(502, side)];
  const dark = chain(createFilter("high", 120, 0.5), createFilter("low", 420, 0.5), createFilter("low", 1400));
  const bright = chain(createFilter("high", 500, 0.5), createFilter("low", 1300, 0.5), createFilter("low", 3000));
  let phase = 0;
  const tone = Float64Array.from({ length: seconds * SAMPLE_RATE }, (_, index) => {
    const full = fullness(index / SAMPLE_RATE);
    phase += (2 * Math.PI * (110 + 55 * full)) / SAMPLE_RATE;
    return full * (0.09 * Math.sin(phase) + 0.03 * Math.sin(2 * phase));
  });
  return mix(
    shape(
      loopNoise(seconds, () => dark(low())),
      (at) => fullness(at) ** 0.8,
    ),
    shape(
      loopNoise(seconds, () => bright(high())),
      (at) => 0.45 * fullness(at) ** 2,
    ),
    tone,
  );
}

/** In hertz, for the body's parts from forehead to feet: a falling pentatonic scale on A. */
const scale = [440, 369.99, 329.63, 277.18, 246.94, 220, 184.997, 164.81, 138.59, 123.47, 110, 92.5];

/** Twelve falling tones, each dying away before the next. */
function makeBodyScan(seconds: number, side: Side): Float64Array {
  const each = seconds / scale.length;
  const detuned = side === 0 ? -0.3 : 0.3;
  const loop = new Float64Array(seconds * SAMPLE_RATE);
  for (const [index, hertz] of scale.entries()) {
    const partials = [1, 2, 3].map((partial) => ({ partial, loudness: [1, 0.35, 0.08][partial - 1] ?? 0 }));
    strike(loop, { start: index * each + 0.5, seconds: each }, (t) => {
      const level = (1 - Math.exp(-t / 0.5)) * Math.exp(-t / 2.8) * Math.min(1, (each - t) / 2);
      const tone = partials.reduce(
        (sum, { partial, loudness }) =>
          // A second voice three tenths of a hertz away, above in one ear and below in the other, makes the tone breathe.
          sum +
          loudness *
            (Math.sin(2 * Math.PI * hertz * partial * t) +
              0.5 * Math.sin(2 * Math.PI * (hertz + detuned) * partial * t)),
        0,
      );
      return 0.2 * level * tone;
    });
  }
  return loop;
}

/** Chords on A, in hertz: each tone is also in the next chord, so that nothing jumps. */
const chords = [
  [110, 164.81, 220, 277.18],
  [110, 146.83, 220, 293.66],
  [92.5, 164.81, 220, 277.18],
  [82.41, 123.47, 164.81, 246.94],
];

/** Of the four voices from the lowest: how loud, from which side, and by which share of the time it is gone. */
const voices = [
  { loudness: 1, pan: 0, goneAt: 1 },
  { loudness: 0.7, pan: -0.5, goneAt: 0.87 },
  { loudness: 0.6, pan: 0.5, goneAt: 0.7 },
  { loudness: 0.36, pan: -0.2, goneAt: 0.5 },
];
const CHORD_SECONDS = 20;

/**
 * Slow chords over dark air. They lose their voices from the top, and the last tenth sinks into silence: what fades by
 * itself is no loop.
 */
function makeWindDown(seconds: number, side: Side): Float64Array {
  const sound = new Float64Array(seconds * SAMPLE_RATE);
  const long = 1.6 * CHORD_SECONDS;
  for (let start = 0; start < seconds - CHORD_SECONDS; start += CHORD_SECONDS) {
    const chord = chords[(start / CHORD_SECONDS) % chords.length] ?? [];
    for (const [index, { loudness, pan, goneAt }] of voices.entries()) {
      const level = 0.16 * loudness * hear(pan, side) * Math.max(0, 1 - start / seconds / goneAt);
      const turn = 2 * Math.PI * (chord[index] ?? 0);
      if (level === 0) continue;
      strike(
        sound,
        { start, seconds: Math.min(long, seconds - start) },
        (t) => level * swell(t, long) * (Math.sin(turn * t) + 0.12 * Math.sin(2 * turn * t)),
      );
    }
  }
  const air = createBrownNoise(701, side);
  const soften = chain(createFilter("high", 90), createFilter("low", 320, 0.5), createFilter("low", 700));
  // In place: twenty minutes are half a gigabyte a side.
  for (let index = 0; index < sound.length; index += 1) {
    const at = index / SAMPLE_RATE;
    const fade = Math.min(1, (10 * (seconds - at)) / seconds) ** 1.5 * Math.min(1, at / 6);
    const breeze = (0.55 + 0.25 * swell(at, 24)) * soften(air());
    sound[index] = ((sound[index] ?? 0) + breeze) * fade * 10 ** ((-0.3 * at) / seconds);
  }
  return sound;
}

/** A wood fire that has burned down: a soft rush, embers that tick, and now and then a log that settles. */
function makeFire(seconds: number, side: Side): Float64Array {
  const [draught, flame] = [createBrownNoise(801, side), createSideNoise(802, side)];
  const [deep, soft] = [
    chain(createFilter("high", 70), createFilter("low", 420, 0.5)),
    chain(createFilter("high", 250, 0.5), createFilter("low", 1100, 0.5), createFilter("low", 3000)),
  ];
  const fire = shape(
    loopNoise(seconds, () => deep(draught()) + 0.07 * soft(flame())),
    (at) => 0.7 + 0.2 * swell(at, seconds / 9) + 0.1 * swell(at, seconds / 31),
  );
  const chance = createNoise(803);
  const even = () => (chance() + 1) / 2;
  const ticks = createSideNoise(804, 0);
  const grain = Float64Array.from({ length: SAMPLE_RATE }, () => ticks());
  for (let ember = 0; ember < seconds * 5; ember += 1) {
    // Embers tick in flurries.
    const start = (((Math.floor(even() * (seconds / 3)) * 3 + even() ** 2 * 3) % seconds) + seconds) % seconds;
    const [decay, from, hertz] = [
      0.0012 + 0.004 * even() ** 2,
      Math.floor(even() * SAMPLE_RATE * 0.9),
      700 + 1500 * even(),
    ];
    const loudness = (0.02 + 0.1 * even() ** 4) * hear(0.6 * chance(), side);
    strike(fire, { start, seconds: 10 * decay }, (t) => {
      const noise = grain[from + Math.floor(t * SAMPLE_RATE)] ?? 0;
      return loudness * (t / decay) * Math.exp(1 - t / decay) * (0.4 * noise + 0.6 * Math.sin(2 * Math.PI * hertz * t));
    });
  }
  for (let log = 0; log < seconds / 40; log += 1) {
    const [start, hertz] = [(log + 0.2 + 0.6 * even()) * 40, 90 + 40 * even()];
    const loudness = 0.1 * hear(0.3 * chance(), side);
    strike(
      fire,
      { start, seconds: 0.6 },
      (t) => loudness * Math.sin(2 * Math.PI * hertz * t * (1 - 0.3 * t)) * (t / 0.05) * Math.exp(1 - t / 0.05),
    );
  }
  return fire;
}

const QUIET_WINDOW = SAMPLE_RATE / 4;

/** Rotates both loops alike so that their seam is where both are quiet. */
function seamWhereQuiet(loops: Stereo): Stereo {
  const [{ length }] = loops;
  const squares = (from: number) => {
    let sum = 0;
    for (const loop of loops)
      for (let at = 0; at < QUIET_WINDOW; at += 1) sum += (loop[(from + at) % length] ?? 0) ** 2;
    return sum;
  };
  const windows = Array.from({ length: Math.floor(length / QUIET_WINDOW) }, (_, index) => index * QUIET_WINDOW);
  const [quietest = 0] = windows.map((from) => [from, squares(from)] as const).toSorted((a, b) => a[1] - b[1])[0] ?? [];
  const seam = quietest + QUIET_WINDOW / 2;
  return mapBoth(loops, (loop) => loop.map((_, at) => loop[(seam + at) % length] ?? 0));
}

const SOFT_END_SECONDS = 0.01;

/**
 * Ends in a hundredth of a second of silence: browsers may pause that long between rounds, and codecs begin slightly
 * late.
 */
function softenEnds(loop: Float64Array): Float64Array {
  const last = loop.length - 1;
  const length = SOFT_END_SECONDS * SAMPLE_RATE;
  return loop.map((sample, at) => sample * swell(Math.min(at, last - at, length) / length, 2));
}

const PEAK = 0.5;

/** The loudest sample of both becomes `PEAK`. */
function normalise(loops: Stereo): Stereo {
  let peak = 0;
  for (const loop of loops) for (const sample of loop) peak = Math.max(peak, Math.abs(sample));
  return mapBoth(loops, (loop) => loop.map((sample) => (sample / peak) * PEAK));
}

function mapBoth([left, right]: Stereo, change: (loop: Float64Array) => Float64Array): Stereo {
  return [change(left), change(right)];
}

type Recipe = { seconds: number; make: (seconds: number, side: Side) => Float64Array; isLoop?: boolean };

/**
 * By file name: how long a round takes, and its maker. Rain, sea and fire are long, because one recognises a drop, a
 * wave or a crack. A sound that is no loop fades out by its own samples.
 */
const sounds = {
  "rain-on-a-window-pane": { seconds: 252, make: makeRain },
  "a-slow-sea": { seconds: 252, make: makeSea },
  "brown-noise": { seconds: 90, make: makeBrownNoise },
  "a-fan": { seconds: 80, make: makeFan },
  "breathing-in-four-out-six": { seconds: 100, make: makeBreath },
  "a-body-scan-in-tones": { seconds: 96, make: makeBodyScan },
  "twenty-minutes-to-the-dark": { seconds: 1200, make: makeWindDown, isLoop: false },
  "a-wood-fire": { seconds: 244, make: makeFire },
} satisfies Record<string, Recipe>;

export type SoundName = keyof typeof sounds;

export const soundNames = Object.keys(sounds) as SoundName[];

export function isLoop(name: SoundName): boolean {
  const { isLoop: loops = true }: Recipe = sounds[name];
  return loops;
}

/** Left and right, from -0.5 to 0.5, beginning and ending with zero; deterministic. `seconds`: for a test, shorter. */
export function synthesise(name: SoundName, seconds = sounds[name].seconds): Stereo {
  const { make } = sounds[name];
  const made: Stereo = [make(seconds, 0), make(seconds, 1)];
  return normalise(mapBoth(isLoop(name) ? seamWhereQuiet(made) : made, softenEnds));
}
