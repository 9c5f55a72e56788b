import { expect, test } from "vitest";

import { takeScriptHints } from "./script-hints.ts";

test("the hints of scripts are taken out of the head, in their order, and nothing else is", () => {
  const hints = '<link rel="modulepreload" href="/a.js" nonce="x=="/><link rel="modulepreload" href="/b.js"/>';
  const before = '<html><head><title>Log in</title><link rel="preload" href="/a.woff2"/>';
  const after =
    '<link rel="stylesheet" href="/a.css"/></head><body><p>a &lt;link rel="modulepreload"&gt;</p></body></html>';
  expect(takeScriptHints(before + hints + after)).toEqual({ before, hints, after });
});

test("a page without hints stays whole", () => {
  expect(takeScriptHints("<html></html>")).toEqual({ before: "<html></html>", hints: "", after: "" });
});
