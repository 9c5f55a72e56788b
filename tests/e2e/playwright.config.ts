import { defineConfig, devices } from "@playwright/test";

import { findChromium, findShell } from "../helpers/chromium.ts";
import type { ScriptMode, SiteOptions } from "./fixtures.ts";

/**
 * The journeys, in Chromium. Each `*.journey.ts` runs with script on, off, blocked and late, on a desktop and on a phone;
 * in houses with other parts than a demo's twice, as differently as can be. `*.spec.ts` are about one thing and choose their own
 * circumstances.
 */
const browser = {
  launchOptions: {
    executablePath: findShell(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
    ],
  },
};
const desktop = { ...browser, viewport: { width: 1280, height: 900 } };
const { defaultBrowserType: _, ...pixel } = devices["Pixel 7"];
const phone = { ...pixel, ...browser, viewport: { width: 390, height: 844 } };

/** About pages that a browser keeps for Back and Forward, which only a whole one does. */
const keptPages = ["kept-pages.spec.ts", "log-out.spec.ts", "stripe-document.spec.ts"];
const wholeBrowser = { launchOptions: { ...browser.launchOptions, executablePath: findChromium() } };

const modes: ScriptMode[] = ["on", "off", "blocked", "late"];

export default defineConfig<SiteOptions>({
  testDir: ".",
  outputDir: "../../test-results",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  // One more than cores: a journey waits now and then for a letter or a page.
  workers: 3,
  forbidOnly: true,
  timeout: 60_000,
  // Never waited out where all is well; a machine may be busy.
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json", { outputFile: "../../test-results/journeys.json" }]],
  projects: [
    ...modes.flatMap((script) => [
      {
        name: `desktop, script ${script}`,
        testMatch: "*.journey.ts",
        use: { ...desktop, script, javaScriptEnabled: script !== "off" },
      },
      {
        name: `phone, script ${script}`,
        testMatch: "*.journey.ts",
        use: { ...phone, script, javaScriptEnabled: script !== "off" },
      },
    ]),
    // The houses that are not the embedded one, each in one of the two ways that differ most: what a page does in the others is its own.
    {
      name: "desktop, script on, real parts",
      testMatch: "*.journey.ts",
      use: { ...desktop, house: "real", script: "on" },
    },
    {
      name: "phone, script off, a provider",
      testMatch: "*.journey.ts",
      use: { ...phone, house: "remote", script: "off", javaScriptEnabled: false },
    },
    { name: "desktop", testMatch: "*.spec.ts", testIgnore: keptPages, use: { ...desktop, script: "on" } },
    { name: "desktop, whole browser", testMatch: keptPages, use: { ...desktop, ...wholeBrowser, script: "on" } },
  ],
});
