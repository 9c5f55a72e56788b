import { createServer } from "node:http";
import { chromium } from "@playwright/test";
import { expect, test } from "vitest";

import { ensureChromium, findShell } from "../helpers/chromium.ts";
import { listen } from "../helpers/loopback.ts";
import { startApp } from "../helpers/running-app.ts";

test("a browser does not show our pages in another site's frame", async () => {
  ensureChromium();
  await using app = await startApp({ ORIGIN: "http://localhost" });
  const login = await app.openBrowser().get("/login");
  expect(login.status).toBe(200);
  // The other site frames our page and a page that permits it, so that a browser that frames nothing is noticed.
  const ours = `http://127.0.0.1:${app.port}/login`;
  const server = createServer((request, response) => {
    const frames = `<iframe name="ours" src="${ours}"></iframe><iframe name="own" src="/framed"></iframe>`;
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(request.url === "/framed" ? "<h1>Framed</h1>" : frames);
  });
  await using other = await listen(server);
  const browser = await chromium.launch({ executablePath: findShell(), args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(other.url);
    const wordsIn = (name: string) => page.frame({ name })?.locator("body").textContent();
    expect(await wordsIn("own")).toContain("Framed");
    expect(await wordsIn("ours")).not.toContain("Log In");
    await page.goto(ours);
    expect(await page.locator("body").textContent()).toContain("Log In");
  } finally {
    await browser.close();
  }
});
