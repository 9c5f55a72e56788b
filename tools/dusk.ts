/**
 * Draws a night an hour after sunset, for the light scheme: a night would be a black block on its page.
 *
 * Skies turn from lavender to peach. All other colours keep their hue, and change by their place in OKLab
 * (https://bottosson.github.io/posts/oklab): darkness loses most of its depth, and light stays as it is.
 */

type Stops = [offset: number, colour: string][];
type Lab = [lightness: number, a: number, b: number];

/** From the zenith to the horizon. */
const duskSky: Stops = [
  [0, "#8d99bf"],
  [0.4, "#bcaec8"],
  [0.7, "#ecc2b6"],
  [1, "#fbdfb4"],
];

/** From the horizon to the shore. */
const duskSea: Stops = [
  [0, "#d3b7b4"],
  [0.25, "#a3a1b3"],
  [1, "#5f7690"],
];

/** By the names of their gradients, in the scenes and in the covers. */
const skies = new Set(["sky", "sk", "out", "night"]);

/** The darker corners of a picture, likewise. */
const corners = new Set(["vig", "corner"]);

/** The share of the corners' shadow that stays. */
const CORNER = 0.3;

/** Clouds, which have the filter `cld`, take the light of the horizon. */
const CLOUD = "#f6cfc0";

/** An SVG with all colours as `#rrggbb`. */
export function toDusk(svg: string): string {
  return svg
    .replaceAll(/#[\da-f]{6}\b/gi, (colour) => toHex(soften(toLab(colour))))
    .replaceAll(/fill="#\w{6}"(?= [^>]*"url\(#cld\)")/g, `fill="${CLOUD}"`)
    .replaceAll(/<(\w+Gradient) id="(\w+)".*?<\/\1>/g, (drawn: string, _: string, id: string) => {
      if (skies.has(id)) return paintSky(drawn, duskSky);
      if (id === "sea") return paintSky(drawn, duskSea);
      return corners.has(id) ? fade(drawn) : drawn;
    });
}

function paintSky(gradient: string, stops: Stops): string {
  return gradient.replaceAll(
    /offset="([\d.]+)" stop-color="#\w{6}"/g,
    (_, offset: string) => `offset="${offset}" stop-color="${mix(stops, Number(offset))}"`,
  );
}

function fade(gradient: string): string {
  return gradient.replaceAll(/stop-opacity="([\d.]+)"/g, (_, opacity: string) => {
    return `stop-opacity="${(Number(opacity) * CORNER).toFixed(3)}"`;
  });
}

function mix(stops: Stops, offset: number): string {
  const after = Math.max(
    1,
    stops.findIndex(([at]) => at >= offset),
  );
  const [[from, upper], [to, lower]] = [stops[after - 1], stops[after]] as Stops as [Stops[0], Stops[1]];
  const share = (offset - from) / (to - from);
  const [start, end] = [toLab(upper), toLab(lower)];
  return toHex(start.map((value, index) => value + ((end[index] ?? 0) - value) * share) as Lab);
}

/** The lightness of a night's darkest and of its brightest colours. */
const [DARKEST, BRIGHTEST] = [0.13, 0.86];

function soften([lightness, a, b]: Lab): Lab {
  const depth = Math.min(1, Math.max(0, (BRIGHTEST - lightness) / (BRIGHTEST - DARKEST)));
  const isCool = b < 0.02;
  const chroma = 1 + depth * (isCool ? 0.4 : 0.15);
  // In the last evening light blue has some rose, and green some gold.
  const [rose, gold] = isCool ? [0.014 * depth, a < -0.01 ? 0.026 * depth : 0] : [0, 0];
  return [lightness + depth * (isCool ? 0.41 : 0.25), a * chroma + rose, b * chroma + gold];
}

function toLab(hex: string): Lab {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
  const m = Math.cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
  const s = Math.cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
  return [
    0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
    1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
    0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
  ];
}

function toHex([lightness, a, b]: Lab): string {
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3;
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3;
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3;
  const linear = [
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ];
  const bytes = linear.map((value) => {
    const curved = value <= 0.003_130_8 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, curved)) * 255);
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
