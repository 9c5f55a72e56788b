/** The pictures of recordings that no film shares, by file name. */
import { at, box, chance, disc, ink, line, oval, picture, repeat, rim, round, shape } from "./paint.ts";
import { floor, hills, meadow, nightSky, room } from "./places.ts";

/** Five lanterns along a path, each lower than the one before, and the last is out. */
function lanternsGoOut(): string {
  const lanterns = [1, 0.75, 0.5, 0.25, 0].map((lit, index) => {
    const [x, y, size] = [150 + index * 236, 600 - index * 46, 1 - index * 0.13];
    const body =
      line("M-40,-150Q0,-220 40,-150", "#8a6a3c", 9) +
      shape("M-54,-150H54L44,-128H-44Z", "brass") +
      box(-46, -128, 92, 112, lit > 0 ? "#f3cf85" : "#16232c", { op: 0.25 + 0.75 * Math.max(lit, 0.3) }) +
      (lit > 0
        ? shape("M0,-84C22,-52 18,-26 0,-24C-18,-26 -22,-52 0,-84Z", "sun", { op: 0.4 + 0.6 * lit })
        : line("M0,-30v-14M0,-60q-14,-26 4,-52", "#8f8768", 5, { op: 0.6 })) +
      box(-58, -16, 116, 20, "brass", { r: 6 }) +
      line("M-46,-128V-16M46,-128V-16M0,-128V-16", "#5d4025", 5, { op: 0.7 }) +
      rim("M-50,-148H50", 3, 0.6);
    return (
      (lit > 0
        ? disc(x, y - 70 * size, round(330 * size * (0.4 + 0.6 * lit)), "glow", { op: 0.35 + 0.65 * lit })
        : "") + at(x, y, oval(0, 6, 74, 12, "#0a0f14", { op: 0.6, blur: 5 }) + body, { scale: round(size * 10) / 10 })
    );
  });
  return picture(
    nightSky({ seed: 901, crescentAt: [1100, 110, 40] }),
    hills(380, 60, "#223f49", 902),
    shape("M0,560C400,520 900,420 1280,370V720H0Z", "#14252d"),
    ...lanterns,
    meadow(903),
  );
}

function woodFire(): string {
  const next = chance(911);
  const flame = (x: number, h: number, w: number, fill: string, op = 1) =>
    shape(
      `M${x - w},540C${x - w * 1.3},${540 - h * 0.4} ${x - w * 0.2},${540 - h * 0.5} ${x},${540 - h}C${x + w * 0.3},${540 - h * 0.6} ${x + w * 1.3},${540 - h * 0.4} ${x + w},540Z`,
      fill,
      { op },
    );
  const brick = repeat(7, (row) =>
    repeat(9, (column) =>
      box(40 + column * 140 - (row % 2) * 70, 60 + row * 84, 132, 76, row % 2 === column % 2 ? "#2f3f42" : "#293a3e", {
        r: 6,
      }),
    ),
  );
  const embers = repeat(26, () =>
    disc(round(430 + next() * 420), round(536 + next() * 30), round(5 + next() * 9), next() > 0.5 ? "sun" : "clay"),
  );
  const log = (x: number, y: number, turn: number) =>
    at(
      x,
      y,
      box(-170, -26, 340, 56, "#2a1d15", { r: 26 }) +
        line("M-140,-10H120M-120,12H140", "#5a3428", 5, { op: 0.7 }) +
        oval(166, 2, 18, 28, "fur") +
        rim("M-150,-24H140", 4, 0.7),
      { turn },
    );
  return picture(
    room([640, 460, 760]),
    brick,
    box(320, 190, 640, 400, "#0c1116", { r: 20 }),
    disc(640, 500, 420, "glow"),
    flame(560, 190, 60, "clay", 0.85),
    flame(720, 160, 56, "clay", 0.85),
    flame(640, 240, 80, "ochre", 0.9),
    flame(610, 150, 44, "sun", 0.9),
    flame(680, 126, 38, "sun", 0.9),
    log(590, 546, 6),
    log(700, 540, -9),
    embers,
    floor(612),
    box(250, 150, 780, 44, "wood", { r: 6 }),
    rim("M254,152H1026", 4, 0.7),
    box(270, 588, 740, 36, "#3a4a4c", { r: 6 }),
    rim("M272,590H1008", 3, 0.5),
    shape("M420,640H860L980,740H300Z", "ray", { op: 0.5 }),
    line("M1090,600V300M1090,300q-26,-18 0,-44q26,26 0,44", "#14110f", 13),
    shape("M1060,600h60l-8,-54h-44Z", ink.bark),
  );
}

export const soundCovers: Record<string, () => string> = {
  "lanterns-go-out": lanternsGoOut,
  "a-wood-fire": woodFire,
};
