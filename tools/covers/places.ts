/** Places: under the sky, in a room, by a window, on a table. */
import { at, box, chance, disc, HEIGHT, ink, line, oval, repeat, rim, round, shape, WIDTH, within } from "./paint.ts";

export function stars(seed: number, count: number, { from = 0, to = 420 } = {}): string {
  const next = chance(seed);
  return repeat(count, () => {
    const size = next();
    return disc(round(next() * WIDTH), round(from + next() * (to - from)), round(0.9 + size * size * 2.2), ink.cream, {
      op: round(0.25 + size * 0.6),
    });
  });
}

export function moon(x: number, y: number, r: number): string {
  const seas = [
    [-0.3, -0.35, 0.26],
    [0.22, -0.28, 0.2],
    [-0.38, 0.2, 0.18],
    [0.1, 0.18, 0.24],
    [0.42, 0.28, 0.13],
    [-0.05, 0.56, 0.14],
  ]
    .map(([dx = 0, dy = 0, size = 0]) =>
      disc(round(x + dx * r), round(y + dy * r), round(size * r), "#c99b58", { op: 0.3 }),
    )
    .join("");
  return disc(x, y, r * 3.4, "halo") + disc(x, y, r, "moon") + seas;
}

/** The part of a disc that another leaves. */
function crescent(x: number, y: number, r: number): string {
  const d = `M${x + r * 0.18},${y - r}A${r},${r} 0 1 0 ${x + r},${y + r * 0.18}A${r * 0.82},${r * 0.82} 0 1 1 ${x + r * 0.18},${y - r}Z`;
  return disc(x, y, r * 3.6, "halo") + shape(d, "moon");
}

export function cloud(x: number, y: number, w: number, op = 0.5): string {
  const d = `M${x - w},${y}C${x - w * 0.6},${y - 14} ${x - w * 0.2},${y - 20} ${x + w * 0.1},${y - 16}C${x + w * 0.5},${y - 18} ${x + w * 0.8},${y - 6} ${x + w},${y}C${x + w * 0.5},${y + 10} ${x - w * 0.5},${y + 10} ${x - w},${y}Z`;
  return shape(d, "#4b6f78", { op, blur: 2 });
}

/** Across the picture, in one line. */
export function hills(y: number, rise: number, fill: string, seed: number): string {
  const next = chance(seed);
  const xs = Array.from({ length: 7 }, (_, index) => -80 + index * 240);
  const ys = xs.map(() => round(y - next() * rise));
  const curve = xs
    .slice(1)
    .map((x, index) => `C${x - 150},${ys[index]} ${x - 90},${ys[index + 1]} ${x},${ys[index + 1]}`)
    .join("");
  return shape(`M-80,${ys[0]}${curve}V${HEIGHT + 20}H-80Z`, fill);
}

/** Along the lower edge, as in the scenes. */
export function meadow(seed: number, y = 690, fill = "#0b141b"): string {
  const next = chance(seed);
  const blades = repeat(120, () => {
    const x = round(next() * WIDTH);
    const height = 20 + next() * 46;
    return `M${x},${HEIGHT + 8}Q${round(x + next() * 8)},${round(y - height / 2)} ${round(x + (next() - 0.5) * 34)},${round(y - height)}`;
  });
  const umbels = repeat(9, (index) => {
    const side = index % 2 === 0 ? next() * 330 : WIDTH - next() * 330;
    const x = round(side);
    const top = round(y - 60 - next() * 90);
    return (
      line(`M${x},${HEIGHT + 8}Q${x + 6},${top + 60} ${x},${top}`, fill, 3.4) +
      repeat(7, (ray) => {
        const tip = round(x - 33 + ray * 11);
        const above = round(top - 17 + Math.abs(ray - 3) * 3);
        return line(`M${x},${top}L${tip},${above}`, fill, 2) + oval(tip, above - 2, 6.5, 3.4, fill);
      })
    );
  });
  return line(blades, fill, 3) + umbels;
}

type Sky = { seed: number; moonAt?: [number, number, number]; crescentAt?: [number, number, number]; sky?: string };

export function nightSky({ seed, moonAt, crescentAt, sky = "night" }: Sky): string {
  return (
    box(0, 0, WIDTH, HEIGHT, sky) +
    stars(seed, 90) +
    (moonAt ? moon(...moonAt) : "") +
    (crescentAt ? crescent(...crescentAt) : "") +
    cloud(250, 190, 190, 0.28) +
    cloud(1050, 250, 210, 0.3)
  );
}

/** Under the night sky, behind the hedgerow. */
export function country(sky: Sky, ground = 470): string {
  return (
    nightSky(sky) +
    hills(ground, 70, "#35585c", sky.seed + 1) +
    hills(ground + 60, 70, "#27474c", sky.seed + 2) +
    hills(ground + 135, 60, "#1a3238", sky.seed + 3) +
    shape(`M0,${ground + 60}H${WIDTH}V${HEIGHT}H0Z`, "fade", { op: 0.6 })
  );
}

export function tree(fill: string, seed: number): string {
  const next = chance(seed);
  const head = repeat(26, () => {
    const angle = next() * Math.PI * 2;
    const far = Math.sqrt(next());
    return disc(
      round(Math.cos(angle) * far * 74),
      round(-150 + Math.sin(angle) * far * 66),
      round(24 + next() * 18),
      fill,
    );
  });
  return shape("M-8,0C-5,-40 -6,-80 -4,-120H6C6,-80 7,-40 12,0Z", fill) + head;
}

/** In the evening; `lit`: where a lamp shines, and how far. */
export function room(lit: [number, number, number], wall = "wall"): string {
  const [x, y, r] = lit;
  return box(0, 0, WIDTH, HEIGHT, wall) + disc(x, y, r, "glow");
}

export function table(y: number): string {
  const grain = repeat(5, (index) => {
    const level = y + 34 + index * 26;
    return line(`M-20,${level}C300,${level - 9} 700,${level + 11} 1300,${level - 3}`, "#14110f", 2, { op: 0.35 });
  });
  return box(-10, y, WIDTH + 20, HEIGHT - y + 10, "board") + grain + rim(`M0,${y + 1}H${WIDTH}`, 3, 0.5);
}

export function floor(y: number): string {
  const boards = repeat(11, (index) => {
    const x = -200 + index * 168;
    return line(`M${x + (640 - x) * 0.22},${y}L${x - (640 - x) * 0.12},${HEIGHT + 10}`, "#0f1316", 3, { op: 0.6 });
  });
  return box(-10, y, WIDTH + 20, HEIGHT, "floor") + boards + box(-10, y - 16, WIDTH + 20, 16, "#16232a");
}

/** About its middle; `view` is drawn as for the whole picture and seen through it. */
export function window(x: number, y: number, w: number, h: number, view: string): string {
  const [l, t] = [x - w / 2, y - h / 2];
  const pane = `M${l},${t}h${w}v${h}h${-w}Z`;
  return (
    box(l - 16, t - 16, w + 32, h + 32, "#10191f", { r: 4 }) +
    within(pane, view) +
    line(`M${x},${t}V${t + h}M${l},${y}H${l + w}`, "#10191f", 12) +
    rim(`M${l - 14},${t + h + 14}V${t - 14}H${l + w + 14}`, 2, 0.22) +
    box(l - 40, t + h + 14, w + 80, 22, "wood", { r: 4 }) +
    rim(`M${l - 38},${t + h + 16}H${l + w + 38}`, 3, 0.55)
  );
}

/** From `x` over the width `w`; `swell` lifts its hem to one side. */
export function curtain(x: number, top: number, w: number, h: number, { cloth = "teal", swell = 0 } = {}): string {
  const bottom = top + h;
  const d = `M${x},${top}H${x + w}C${x + w + swell * 0.3},${top + h * 0.4} ${x + w + swell},${top + h * 0.7} ${x + w + swell},${bottom}Q${x + w / 2 + swell},${bottom + 18} ${x + swell * 0.8},${bottom - 4}C${x + swell * 0.7},${top + h * 0.7} ${x + swell * 0.1},${top + h * 0.4} ${x},${top}Z`;
  const folds = repeat(4, (index) => {
    const fx = round(x + ((index + 0.7) * w) / 4.4);
    return line(
      `M${fx},${top + 6}C${fx + swell * 0.2},${top + h * 0.4} ${fx + swell * 0.9},${top + h * 0.7} ${fx + swell * 0.9},${bottom}`,
      "#0d1a21",
      9,
      { op: 0.34, blur: 2 },
    );
  });
  return shape(d, cloth) + folds;
}

export function rail(x: number, y: number, w: number): string {
  return (
    line(`M${x},${y}H${x + w}`, "#3a2b20", 12) +
    rim(`M${x},${y - 4}H${x + w}`, 2.4, 0.5) +
    disc(x - 6, y, 13, "brass") +
    disc(x + w + 6, y, 13, "brass")
  );
}

export function rain(seed: number, count: number, op = 0.5): string {
  const next = chance(seed);
  const streaks = repeat(count, () => {
    const x = round(next() * (WIDTH + 100));
    const y = round(next() * HEIGHT);
    const length = 14 + next() * 40;
    return `M${x},${y}l${round(-length * 0.22)},${round(length)}`;
  });
  return line(streaks, "#a9c6c2", 2, { op });
}

export function drops(seed: number, count: number): string {
  const next = chance(seed);
  return repeat(count, () => {
    const [x, y, r] = [next() * WIDTH, next() * HEIGHT, 3 + next() * next() * 15].map(round) as [
      number,
      number,
      number,
    ];
    return at(
      x,
      y,
      disc(0, 0, r, "#9cc0bb", { op: 0.34 }) + disc(-r * 0.3, -r * 0.35, r * 0.32, ink.cream, { op: 0.75 }),
    );
  });
}

export function waves(
  x: number,
  y: number,
  count: number,
  { from = 40, step = 34, turn = 0, spread = 70 } = {},
): string {
  return repeat(count, (index) => {
    const r = from + index * step;
    const a = ((turn - spread / 2) * Math.PI) / 180;
    const b = ((turn + spread / 2) * Math.PI) / 180;
    const d = `M${round(x + r * Math.cos(a))},${round(y + r * Math.sin(a))}A${r},${r} 0 0 1 ${round(x + r * Math.cos(b))},${round(y + r * Math.sin(b))}`;
    return line(d, ink.light, 6 - index * 0.7, { op: round(0.85 - index * (0.6 / count)) });
  });
}
