import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createElement } from "react";
import { preloadModule } from "react-dom";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { finishPage, HINT, LOADER_DATA, MODULE } from "./late-script.ts";

const hints = '<link rel="modulepreload" href="/a.js" nonce="x=="/><link rel="modulepreload" href="/b.js"/>';
const head = '<html><head><title>Log in</title><link rel="preload" href="/a.woff2"/>';
const rest =
  '<link rel="stylesheet" href="/a.css"/></head><body><p>&lt;link rel="modulepreload"&gt; type="module" async=""</p>';
const script = 'import "/a.js";</script>';
const end = "</body></html>";
const data =
  '<script nonce="x==">window.__reactRouterContext.streamController.enqueue("[1]\\u003c/script>");window.__reactRouterContext.streamController.close();</script>';

test("the hints go into a template, the module becomes text, loader data come behind it, and nothing else changes", () => {
  const html = `${head}${hints}${rest}<script nonce="x==" type="module" async="">${script}${end}`;
  const page = finishPage(html, "[1]</script>", "x==").join("");
  const before = `<!doctype html>${head}${rest}<script nonce="x==" type="text/plain">${script}${data}<template>${hints}</template>`;
  expect(page.slice(0, before.length)).toBe(before);
  expect(page.slice(before.length)).toMatch(/^<script nonce="x==">\([^]*<\/script><\/body><\/html>$/);
});

test("the starter is less than 1800 bytes", () => {
  const module = `<script type="module" async="">${script}`;
  const page = finishPage(`${head}${hints}${rest}${module}${end}`, "", "x").join("");
  const [, text = ""] = /<\/template><script nonce="x">([^]*)<\/script>/.exec(page) ?? [];
  expect(text).not.toBe("");
  expect(Buffer.byteLength(text.replace(/^\s+/gm, ""))).toBeLessThan(1800);
});

test("a page without script stays whole, with its loader data", () => {
  expect(finishPage(`<html><body>${end}`, "[1]</script>", "x==").join("")).toBe(
    `<!doctype html><html><body>${data}${end}`,
  );
});

/* The undocumented names, asked of the installed versions. */

const instruction = "has changed with an update: adapt finishPage in app/frame/late-script.ts";

test("React writes hints and modules as we look for them", () => {
  function Page() {
    preloadModule("/a.js");
    return createElement(
      "html",
      null,
      createElement("head", null, createElement("link", { rel: "modulepreload", href: "/b.js" })),
      createElement("body", null, createElement("script", { nonce: "x", type: "module", async: true }, "1")),
    );
  }
  const html = renderToString(createElement(Page));
  expect(html, `React's <link rel="modulepreload"> ${instruction}`).toContain(HINT);
  expect(html, `React's <script type="module" async> ${instruction}`).toContain(`<script nonce="x"${MODULE}>`);
});

test("React Router hands loader data over under the names that we write", () => {
  const folder = resolve("node_modules/react-router/dist/production");
  const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
  for (const name of [`${LOADER_DATA}.enqueue(`, `${LOADER_DATA}.close(`, "serverHandoffStream"]) {
    expect(source.includes(name), `React Router's ${name} ${instruction}`).toBe(true);
  }
});
