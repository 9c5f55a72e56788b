/** The name of a browser that does not identify itself. */
export const UNKNOWN_DEVICE = "A browser";

/** Real headers are half as long. */
const MAX_LENGTH = 512;

/** The first match counts: nearly all browsers also claim to be those further down. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|OPiOS|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:DuckDuckGo|Ddg)\//, "DuckDuckGo"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bFB(?:AN|AV)\b/, "Facebook"],
  [/\bInstagram\b/, "Instagram"],
  [/\bGSA\//, "The Google app"],
  [/\b(?:Firefox|FxiOS|Focus)\//, "Firefox"],
  [/(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
  [/\b(?:MSIE |Trident\/)/, "Internet Explorer"],
];

const systems: [RegExp, string][] = [
  [/\bWindows Phone\b/, "Windows Phone"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\biPod\b/, "iPod"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "Chromebook"],
  [/\bWindows\b/, "Windows"],
  [/\b(?:Macintosh|Mac OS X)\b/, "Mac"],
  [/\b(?:Linux|X11)\b/, "Linux"],
];

/**
 * A browser by its `User-Agent`, as its owner would call it: "Firefox on Android". The answer has only words of ours, so that no part
 * of the header is stored or shown. An iPad that asks for desktop pages claims to be a Mac.
 */
export function describeDevice(userAgent = ""): string {
  const text = userAgent.slice(0, MAX_LENGTH);
  const browser = findName(browsers, text) ?? UNKNOWN_DEVICE;
  const system = findName(systems, text);
  return system ? `${browser} on ${system}` : browser;
}

function findName(names: [RegExp, string][], text: string): string | undefined {
  return names.find(([sign]) => sign.test(text))?.[1];
}
