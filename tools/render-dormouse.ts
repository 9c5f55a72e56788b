/**
 * Draws the sleeping dormouse of empty screens as a small SVG, in colours that are seen in both schemes.
 *
 *   node tools/render-dormouse.ts        (from the root of the repository)
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

type Point = [x: number, y: number];

const coat = "#cf9645";
const light = "#e6bd7c";
const shade = "#a06c2b";
const dark = "#4b3117";
const leaf = "#6f9a7c";
const vein = "#4d7559";

/** Along the back and under the nose. */
const tail: [Point, Point, Point, Point] = [
  [112, 62],
  [110, 90],
  [70, 94],
  [40, 84],
];

const HAIRS = 36;
const HAIR_LENGTH = 9;

/** With the curve's direction there. */
function follow([a, b, c, d]: typeof tail, t: number): { at: Point; turn: number } {
  const rest = 1 - t;
  const mix = (axis: 0 | 1) =>
    rest ** 3 * a[axis] + 3 * rest ** 2 * t * b[axis] + 3 * rest * t ** 2 * c[axis] + t ** 3 * d[axis];
  const slope = (axis: 0 | 1) =>
    3 * rest ** 2 * (b[axis] - a[axis]) + 6 * rest * t * (c[axis] - b[axis]) + 3 * t ** 2 * (d[axis] - c[axis]);
  return { at: [mix(0), mix(1)], turn: Math.atan2(slope(1), slope(0)) };
}

/** On both sides of the tail, longer towards its end. */
function drawHairs(): string {
  const strokes = Array.from({ length: HAIRS }, (_, index) => {
    const { at, turn } = follow(tail, (index + 1) / HAIRS);
    const side = index % 2 === 0 ? 1 : -1;
    const length = HAIR_LENGTH * (0.7 + (0.5 * index) / HAIRS);
    const [x, y] = [at[0] + Math.cos(turn + side * 0.62) * length, at[1] + Math.sin(turn + side * 0.62) * length];
    return `M${round(at[0])} ${round(at[1])}L${round(x)} ${round(y)}`;
  });
  return strokes.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** With one vein. */
function drawLeaf([x, y]: Point, [toX, toY]: Point, bend: number): string {
  const [midX, midY] = [(x + toX) / 2, (y + toY) / 2];
  const edge = (by: number) => `${round(midX)} ${round(midY + by)}`;
  const outline = `M${x} ${y}Q${edge(-bend)} ${toX} ${toY}Q${edge(bend)} ${x} ${y}Z`;
  return `<path d="${outline}" fill="${leaf}"/><path d="M${x} ${y}L${toX} ${toY}" stroke="${vein}"/>`;
}

const [[startX, startY], ...controls] = tail;
const tailPath = `M${startX} ${startY}C${controls.map((point) => point.join(" ")).join(" ")}`;

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 18 160 90" fill="none" stroke-linecap="round">
${drawLeaf([84, 92], [10, 88], 13)}${drawLeaf([76, 93], [152, 86], 14)}${drawLeaf([70, 96], [122, 100], 8)}
<path d="M47 55C49 32 70 22 89 26C110 30 119 50 115 68C112 82 98 88 80 88C60 88 46 78 47 55Z" fill="${coat}"/>
<path d="M74 30C94 29 109 44 109 62" stroke="${light}" stroke-width="2" opacity=".5"/>
<path d="M60 48C73 49 80 59 77 70" stroke="${shade}" stroke-width="2.500"/>
<path d="M32 72C33 56 45 47 59 48C72 49 79 59 76 70C73 80 62 83 51 81C42 79 34 78 32 72Z" fill="${coat}"/>
<path d="M33 73C38 66 48 67 54 74C58 79 54 82 49 81C42 79 34 78 33 73Z" fill="${light}"/>
<ellipse cx="67" cy="48" rx="8" ry="9" fill="${coat}" stroke="${shade}" stroke-width="1.500"/>
<ellipse cx="66.500" cy="49" rx="4.500" ry="5.500" fill="${shade}"/>
<path d="M44 62.500Q49 67 55 63" stroke="${dark}" stroke-width="2"/>
<circle cx="33" cy="71.500" r="2.600" fill="${dark}"/>
<path d="M40 73L25 68M40 75L24 75" stroke="${light}" stroke-width=".8"/>
<path d="${tailPath}" stroke="${shade}" stroke-width="8"/><path d="${drawHairs()}" stroke="${shade}" stroke-width="2.200"/>
<path d="${tailPath}" stroke="${light}" stroke-width="1.500" opacity=".55"/>
</svg>
`;

await writeFile(join("app", "components", "pictures", "dormouse", "asleep.svg"), drawing.replaceAll(/(\.\d)00/g, "$1"));
