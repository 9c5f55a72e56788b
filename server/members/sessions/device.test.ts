import * as fc from "fast-check";
import { expect, test } from "vitest";

import { describeDevice } from "./sessions.ts";

const GECKO = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";
const IPHONE = `(iPhone; CPU iPhone OS 18_1 like Mac OS X) ${GECKO}`;
const ANDROID = "(Linux; Android 10; K)";
const WINDOWS = "(Windows NT 10.0; Win64; x64)";
const MAC = "(Macintosh; Intel Mac OS X 10_15_7)";
const PHONE = "(Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950)";

test.each([
  ["Chrome on Windows", `${WINDOWS} ${CHROME} Safari/537.36`],
  ["Edge on Windows", `${WINDOWS} ${CHROME} Safari/537.36 Edg/142.0.0.0`],
  ["Opera on Windows", `${WINDOWS} ${CHROME} Safari/537.36 OPR/124.0.0.0`],
  ["Internet Explorer on Windows", "(Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko"],
  ["Safari on iPhone", `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ["The Google app on iPhone", `${IPHONE} GSA/392.0.830 Mobile/15E148 Safari/604.1`],
  ["Facebook on iPhone", `${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/488.0.0.70.105;FBDV/iPhone14,7]`],
  ["A browser on iPhone", `${IPHONE} Mobile/15E148`],
  ["Chrome on Android", `${ANDROID} ${CHROME} Mobile Safari/537.36`],
  ["Samsung Internet on Android", `${ANDROID} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`],
  ["DuckDuckGo on Android", `${ANDROID} Version/4.0 Chrome/142.0 Mobile DuckDuckGo/5 Safari/537.36`],
  ["Safari on Mac", `${MAC} ${GECKO} Version/18.1 Safari/605.1.15`],
  ["Vivaldi on Linux", `(X11; Linux x86_64) ${CHROME} Safari/537.36 Vivaldi/7.6`],
  ["Chrome on Linux", "(X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/142.0.0.0 Safari/537.36"],
  ["Chrome on Chromebook", `(X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`],
  ["Edge on Windows Phone", `${PHONE} ${CHROME} Mobile Safari/537.36 Edge/15.15063`],
])("%s is told by %s", (device, words) => expect(describeDevice(`Mozilla/5.0 ${words}`)).toBe(device));

test.each([
  ["A browser", "curl/8.5.0"],
  ["A browser", ""],
  ["A browser", undefined],
  ["Firefox", "Firefox/1.0"],
])("%s is told by %s alone", (device, userAgent) => expect(describeDevice(userAgent)).toBe(device));

test("whatever a browser says of itself, nothing of it is repeated", () => {
  const signs = ["Firefox/", "Edg/", "Android", "iPhone", "<script>", "Version/9 ", "Safari/", "\r\n", "%s"];
  const marks = fc.constantFrom(...signs);
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

test("only the beginning of a very long user agent is read", () => {
  expect(describeDevice(`${"x".repeat(1_000_000)} Firefox/1.0`)).toBe("A browser");
  expect(describeDevice("Version/1 ".repeat(100_000))).toBe("A browser");
});
