import { expect, test } from "vitest";

import { delayScript } from "./late-script.ts";

const hints = '<link rel="modulepreload" href="/a.js" nonce="x=="/><link rel="modulepreload" href="/b.js"/>';
const head = '<html><head><title>Log in</title><link rel="preload" href="/a.woff2"/>';
const rest =
  '<link rel="stylesheet" href="/a.css"/></head><body><p>&lt;link rel="modulepreload"&gt; type="module" async=""</p>';
const script = 'import "/a.js";</script>';

test("the hints go into a template and the module becomes text, and nothing else of the page changes", () => {
  const { page, starter } = delayScript(
    `${head}${hints}${rest}<script nonce="x==" type="module" async="">${script}`,
    "x==",
  );
  expect(page).toBe(`${head}${rest}<script nonce="x==" type="text/plain">${script}`);
  expect(starter).toMatch(/^<template><link [^]*><\/template><script nonce="x==">\([^]*<\/script>$/);
  expect(starter).toContain(`<template>${hints}</template>`);
});

test("the starter is less than 1500 bytes", () => {
  const { starter } = delayScript(`${head}${hints}${rest}<script type="module" async="">${script}`, "x");
  const [, text = ""] = /<script nonce="x">([^]*)<\/script>/.exec(starter) ?? [];
  expect(text).not.toBe("");
  expect(Buffer.byteLength(text.replace(/^\s+/gm, ""))).toBeLessThan(1500);
});

test("a page without script stays whole", () => {
  expect(delayScript("<html></html>", "x")).toEqual({ page: "<html></html>", starter: "" });
});
