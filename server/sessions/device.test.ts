import * as fc from "fast-check";
import { expect, test } from "vitest";

import { describeDevice } from "./device.ts";

const MOZILLA = "Mozilla/5.0";
const KHTML = "(KHTML, like Gecko)";
const IPHONE = `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 ${KHTML}`;
const ANDROID = `${MOZILLA} (Linux; Android 10; K) AppleWebKit/537.36 ${KHTML} Chrome/142.0.0.0 Mobile Safari/537.36`;
const WINDOWS = `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${KHTML} Chrome/142.0.0.0 Safari/537.36`;

test.each([
  ["Chrome on Windows", WINDOWS],
  ["Edge on Windows", `${WINDOWS} Edg/142.0.0.0`],
  [
    "Edge on Windows",
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${KHTML} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`,
  ],
  ["Opera on Windows", `${WINDOWS} OPR/124.0.0.0`],
  ["Firefox on Windows", `${MOZILLA} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`],
  ["Internet Explorer on Windows", `${MOZILLA} (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko`],
  ["Safari on iPhone", `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ["Chrome on iPhone", `${IPHONE} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`],
  ["Firefox on iPhone", `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ["Edge on iPhone", `${IPHONE} Version/18.0 EdgiOS/142.0.0.0 Mobile/15E148 Safari/604.1`],
  ["The Google app on iPhone", `${IPHONE} GSA/392.0.830 Mobile/15E148 Safari/604.1`],
  ["Facebook on iPhone", `${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/488.0.0.70.105;FBDV/iPhone14,7]`],
  ["A browser on iPhone", `${IPHONE} Mobile/15E148`],
  [
    "Safari on iPad",
    `${MOZILLA} (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 ${KHTML} Version/16.6 Mobile/15E148 Safari/604.1`,
  ],
  ["Chrome on Android", ANDROID],
  ["Firefox on Android", `${MOZILLA} (Android 14; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0`],
  [
    "Samsung Internet on Android",
    `${MOZILLA} (Linux; Android 10; K) AppleWebKit/537.36 ${KHTML} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  [
    "DuckDuckGo on Android",
    `${MOZILLA} (Linux; Android 14) AppleWebKit/537.36 ${KHTML} Version/4.0 Chrome/142.0 Mobile DuckDuckGo/5 Safari/537.36`,
  ],
  ["Opera on Android", `${ANDROID} OPR/92.0.0.0`],
  [
    "Safari on Mac",
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 ${KHTML} Version/18.1 Safari/605.1.15`,
  ],
  [
    "Chrome on Mac",
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 ${KHTML} Chrome/142.0.0.0 Safari/537.36`,
  ],
  ["Firefox on Mac", `${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0`],
  [
    "Vivaldi on Linux",
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 ${KHTML} Chrome/142.0.0.0 Safari/537.36 Vivaldi/7.6`,
  ],
  ["Firefox on Linux", `${MOZILLA} (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`],
  [
    "Chrome on Linux",
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 ${KHTML} HeadlessChrome/142.0.0.0 Safari/537.36`,
  ],
  [
    "Chrome on Chromebook",
    `${MOZILLA} (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 ${KHTML} Chrome/142.0.0.0 Safari/537.36`,
  ],
  [
    "Edge on Windows Phone",
    `${MOZILLA} (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 ${KHTML} Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063`,
  ],
  ["A browser", "curl/8.5.0"],
  ["A browser", "node"],
  ["A browser", ""],
  ["A browser", undefined],
  ["Firefox", "Firefox/1.0"],
])("%s is told by %s", (device, userAgent) => expect(describeDevice(userAgent)).toBe(device));

test("whatever a browser says of itself, nothing of it is repeated", () => {
  const marks = fc.constantFrom(
    "Firefox/",
    "Edg/",
    "Android",
    "iPhone",
    "<script>",
    "Version/9 ",
    "Safari/",
    "\r\n",
    "%s",
  );
  const words = fc.array(fc.oneof(marks, fc.string()), { maxLength: 30 }).map((parts) => parts.join(" "));
  fc.assert(
    fc.property(words, (userAgent) => {
      expect(describeDevice(userAgent)).toMatch(
        /^(?:A browser|The Google app|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)(?: on [A-Za-z ]+)?$/,
      );
      expect(describeDevice(userAgent).length).toBeLessThanOrEqual(60);
    }),
  );
});

test("one that talks for ever is heard for a moment", () => {
  expect(describeDevice(`${"x".repeat(1_000_000)} Firefox/1.0`)).toBe("A browser");
  expect(describeDevice("Version/1 ".repeat(100_000))).toBe("A browser");
});
