import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";

import { findChromium, findShell } from "../helpers/chromium.ts";
import { desktop } from "./circumstances.ts";
import type { SiteOptions } from "./fixtures.ts";

const launchOptions = {
  executablePath: findShell(),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  ],
};
/** A worker would hide requests from `page.route`; `kept.spec.ts` allows it. */
const browser = { ...desktop, script: "on", serviceWorkers: "block", launchOptions } as const;

/** The journey that needs pictures. */
const picture = "my-account.journey.ts";
/**
 * The other journeys load no pictures, which saves a fifth of the browser's work. Tours, films, layouts and weights
 * have them.
 */
const withoutPictures = {
  ...browser,
  launchOptions: { ...launchOptions, args: [...launchOptions.args, "--blink-settings=imagesEnabled=false"] },
};

/** For tests of the back/forward cache, which only a full browser has, and which Playwright switches off. */
const keptPages = ["kept-pages.spec.ts", "log-out.spec.ts", "stripe-history.spec.ts"];
const wholeBrowser = {
  ...browser,
  launchOptions: {
    ...launchOptions,
    executablePath: findChromium(),
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
};

/**
 * The journeys, in Chromium. Each `*.journey.ts` runs in all circumstances of `circumstances.ts`; a `*.spec.ts` is
 * about one thing and chooses its own. There are few projects, because each starts its own browsers.
 */
export default defineConfig<SiteOptions>({
  testDir: ".",
  testMatch: ["*.journey.ts", "*.spec.ts"],
  outputDir: "../../test-results",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  // One more than processors, because journeys wait for emails and pages now and then.
  workers: availableParallelism() + 1,
  forbidOnly: true,
  timeout: 120_000,
  // Long, because a machine may be busy; a passing test never waits so long.
  expect: { timeout: 45_000 },
  // A press on a missing control fails by its name, before the test's own time limit.
  use: { actionTimeout: 90_000 },
  reporter: [["list"], ["json", { outputFile: "../../test-results/journeys.json" }]],
  projects: [
    { name: "no pictures", testMatch: "*.journey.ts", testIgnore: picture, use: withoutPictures },
    { name: "lean browser", testMatch: ["*.spec.ts", picture], testIgnore: keptPages, use: browser },
    { name: "whole browser", testMatch: keptPages, use: wholeBrowser },
  ],
});
