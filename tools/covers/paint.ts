/** Each function returns a piece of SVG, in a frame of 1280 by 720. */

export const WIDTH = 1280;
export const HEIGHT = 720;

export const ink = {
  night: "#0d1420",
  dark: "#111a22",
  shadow: "#172530",
  slate: "#24424a",
  teal: "#35575a",
  mist: "#55807c",
  moss: "#5f8069",
  leaf: "#1c3b3d",
  bark: "#2a221b",
  wood: "#6b4a2b",
  oak: "#8a6a3c",
  gold: "#f0bf63",
  light: "#ffd98a",
  amber: "#d99a4a",
  clay: "#b0664a",
  rose: "#c98a72",
  cream: "#ece2c4",
  linen: "#c9bb94",
  stone: "#8f8768",
};

type Stops = [offset: number, colour: string, opacity?: number][];

function stops(list: Stops): string {
  return list
    .map(([offset, colour, opacity = 1]) => {
      const see = opacity === 1 ? "" : ` stop-opacity="${opacity}"`;
      return `<stop offset="${offset}" stop-color="${colour}"${see}/>`;
    })
    .join("");
}

type Direction = [x1: number, y1: number, x2: number, y2: number];

function linear(id: string, list: Stops, [x1, y1, x2, y2]: Direction = [0, 0, 0, 1]): string {
  return `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops(list)}</linearGradient>`;
}

function radial(id: string, list: Stops, place = ""): string {
  return `<radialGradient id="${id}"${place}>${stops(list)}</radialGradient>`;
}

function blur(id: string, deviation: number): string {
  return `<filter id="${id}" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;
}

const diagonal: Direction = [0, 0, 1, 0.8];

/** As `url(#name)`. */
const materials = [
  linear("night", [
    [0, "#0d1420"],
    [0.4, "#17273a"],
    [0.75, "#264755"],
    [1, "#3d6264"],
  ]),
  linear("dawn", [
    [0, "#1a2c40"],
    [0.45, "#3f6069"],
    [0.78, "#a08a64"],
    [1, "#e3b26b"],
  ]),
  linear("wall", [
    [0, "#15232c"],
    [0.6, "#213840"],
    [1, "#294548"],
  ]),
  linear("board", [
    [0, "#7d5933"],
    [0.25, "#4b3725"],
    [1, "#171717"],
  ]),
  linear("floor", [
    [0, "#41362a"],
    [1, "#14181b"],
  ]),
  linear("wood", [
    [0, "#8a6138"],
    [1, "#3a2b20"],
  ]),
  linear(
    "woodside",
    [
      [0, "#8f6539"],
      [0.5, "#6b4a2b"],
      [1, "#2b231d"],
    ],
    [0, 0, 1, 0],
  ),
  linear(
    "cream",
    [
      [0, "#f0e6c9"],
      [0.55, "#cbbd96"],
      [1, "#7d7a69"],
    ],
    diagonal,
  ),
  linear("linen", [
    [0, "#dccfa8"],
    [1, "#8f8768"],
  ]),
  linear(
    "teal",
    [
      [0, "#4d8086"],
      [0.5, "#2f5962"],
      [1, "#1b343f"],
    ],
    diagonal,
  ),
  linear("deep", [
    [0, "#2f5560"],
    [1, "#15262f"],
  ]),
  linear(
    "moss",
    [
      [0, "#7da286"],
      [0.5, "#4f7562"],
      [1, "#28443d"],
    ],
    diagonal,
  ),
  linear(
    "ochre",
    [
      [0, "#e3ae63"],
      [0.5, "#b27d3f"],
      [1, "#5d4025"],
    ],
    diagonal,
  ),
  linear(
    "clay",
    [
      [0, "#d18a66"],
      [0.5, "#a55f45"],
      [1, "#5a3428"],
    ],
    diagonal,
  ),
  linear(
    "brass",
    [
      [0, "#ffe2a0"],
      [0.45, "#dba954"],
      [1, "#80592b"],
    ],
    diagonal,
  ),
  linear(
    "steel",
    [
      [0, "#b5c6c1"],
      [0.5, "#6f8a8a"],
      [1, "#2f464e"],
    ],
    diagonal,
  ),
  linear(
    "skin",
    [
      [0, "#e2b48a"],
      [0.6, "#b5805c"],
      [1, "#6e4a3a"],
    ],
    diagonal,
  ),
  linear(
    "fur",
    [
      [0, "#d9a45c"],
      [0.6, "#a87440"],
      [1, "#5f4228"],
    ],
    diagonal,
  ),
  linear(
    "glass",
    [
      [0, "#cfe3da", 0.42],
      [0.5, "#7fa9a5", 0.16],
      [1, "#cfe3da", 0.3],
    ],
    [0, 0, 1, 0],
  ),
  linear("water", [
    [0, "#7fb0ad", 0.75],
    [1, "#2f5a63", 0.8],
  ]),
  linear("sea", [
    [0, "#3d6668"],
    [0.35, "#1d3a44"],
    [1, "#0c1520"],
  ]),
  linear(
    "shade",
    [
      [0, "#e8b865"],
      [0.5, "#ffdf98"],
      [1, "#e9ba68"],
    ],
    [0, 0, 1, 0],
  ),
  linear(
    "beam",
    [
      [0, "#ffd98a", 0.6],
      [1, "#ffd98a", 0],
    ],
    [0, 0, 1, 0],
  ),
  linear("ray", [
    [0, "#ffd98a", 0.62],
    [1, "#ffd98a", 0.04],
  ]),
  linear("fade", [
    [0, "#0d1420", 0],
    [1, "#0d1420", 0.85],
  ]),
  radial("glow", [
    [0, "#ffdf98", 0.75],
    [0.2, "#f6c972", 0.42],
    [0.45, "#d99a4a", 0.17],
    [0.75, "#d99a4a", 0.045],
    [1, "#d99a4a", 0],
  ]),
  radial("halo", [
    [0, "#f6d592", 0.55],
    [0.3, "#c9a862", 0.2],
    [0.6, "#6f9488", 0.07],
    [1, "#4a7272", 0],
  ]),
  radial(
    "moon",
    [
      [0, "#f3e9cb"],
      [0.55, "#f2d9a0"],
      [0.85, "#eac37a"],
      [1, "#dcac62"],
    ],
    ' cx=".44" cy=".42" r=".6"',
  ),
  radial("sun", [
    [0, "#fff0c4"],
    [0.6, "#f7cd7c"],
    [1, "#eba955"],
  ]),
  radial(
    "corner",
    [
      [0, "#070c14", 0],
      [0.62, "#070c14", 0],
      [1, "#070c14", 0.62],
    ],
    ' cx=".5" cy=".48" r=".78"',
  ),
  blur("b2", 2),
  blur("b5", 5),
  blur("b12", 12),
  blur("b30", 30),
].join("");

type Extra = { op?: number; blur?: 2 | 5 | 12 | 30; turn?: string };

function attributes({ op, blur: deviation, turn }: Extra): string {
  return [
    op === undefined ? "" : ` opacity="${op}"`,
    deviation === undefined ? "" : ` filter="url(#b${deviation})"`,
    turn === undefined ? "" : ` transform="${turn}"`,
  ].join("");
}

/** A colour, or a material by its name. */
function toPaint(colour: string): string {
  return colour.startsWith("#") || colour === "none" ? colour : `url(#${colour})`;
}

export function shape(d: string, fill: string, extra: Extra = {}): string {
  return `<path d="${d}" fill="${toPaint(fill)}"${attributes(extra)}/>`;
}

export function line(d: string, stroke: string, width: number, extra: Extra = {}): string {
  const ends = ' stroke-linecap="round" stroke-linejoin="round"';
  return `<path d="${d}" fill="none" stroke="${toPaint(stroke)}" stroke-width="${width}"${ends}${attributes(extra)}/>`;
}

export function oval(cx: number, cy: number, rx: number, ry: number, fill: string, extra: Extra = {}): string {
  return `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${toPaint(fill)}"${attributes(extra)}/>`;
}

export function disc(cx: number, cy: number, r: number, fill: string, extra: Extra = {}): string {
  return oval(cx, cy, r, r, fill, extra);
}

export function ring(cx: number, cy: number, r: number, stroke: string, width: number, extra: Extra = {}): string {
  return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="none" stroke="${toPaint(stroke)}" stroke-width="${width}"${attributes(extra)}/>`;
}

export function box(
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  extra: Extra & { r?: number } = {},
): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${extra.r ?? 0}" fill="${toPaint(fill)}"${attributes(extra)}/>`;
}

/** Light of a lamp or the moon on an edge. */
export function rim(d: string, width = 3, op = 0.65): string {
  return line(d, ink.light, width, { op });
}

/** About the origin. */
export function at(x: number, y: number, drawn: string, { scale = 1, flip = false, turn = 0 } = {}): string {
  const size = scale === 1 && !flip ? "" : ` scale(${flip ? -scale : scale} ${scale})`;
  const angle = turn === 0 ? "" : ` rotate(${turn})`;
  return `<g transform="translate(${x} ${y})${angle}${size}">${drawn}</g>`;
}

let clips = 0;

/** Clips by a shape. */
export function within(d: string, drawn: string): string {
  clips += 1;
  return `<clipPath id="c${clips}"><path d="${d}"/></clipPath><g clip-path="url(#c${clips})">${drawn}</g>`;
}

/** Deterministic, between 0 and 1. */
export function chance(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a_2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
}

export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

/** Angles begin at the top and grow clockwise. */
export function onCircle(angle: number, r: number, [cx, cy]: [number, number] = [0, 0]): [number, number] {
  const radians = ((angle - 90) * Math.PI) / 180;
  return [round(cx + r * Math.cos(radians)), round(cy + r * Math.sin(radians))];
}

export function pointOnCircle(angle: number, r: number, centre: [number, number] = [0, 0]): string {
  return onCircle(angle, r, centre).join(",");
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** With darker corners. */
export function picture(...drawn: string[]): string {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`;
  const corners = box(0, 0, WIDTH, HEIGHT, "corner");
  return `${open}<defs>${materials}</defs>${drawn.join("")}${corners}</svg>`;
}
