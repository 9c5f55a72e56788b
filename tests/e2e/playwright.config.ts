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
/** A worker would take requests out of sight of `page.route`; `kept.spec.ts` lets it in. */
const browser = { ...desktop, script: "on", serviceWorkers: "block", launchOptions } as const;

/** The journey that needs pictures. */
const picture = "my-account.journey.ts";
/**
 * The others are walked as on a line too poor for pictures. That takes a fifth of the work from a browser, and nothing of what one does
 * on the way; pictures are there in the tours of every state, in the films and where layouts and weights are measured.
 */
const withoutPictures = {
  ...browser,
  launchOptions: { ...launchOptions, args: [...launchOptions.args, "--blink-settings=imagesEnabled=false"] },
};

/**
 * About pages that a browser keeps for Back and Forward, which only a whole one does. Playwright switches that off: showing the very page
 * again, as it was left, without a request.
 */
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
 * The journeys, in Chromium. Each `*.journey.ts` walks in all the circumstances of `circumstances.ts`; `*.spec.ts` are about one thing
 * and choose their own. Few projects, because each starts browsers of its own.
 */
export default defineConfig<SiteOptions>({
  testDir: ".",
  testMatch: ["*.journey.ts", "*.spec.ts"],
  outputDir: "../../test-results",
  globalSetup: "./global-setup.ts",
  fullyParallel: true,
  // One more than cores: a journey waits now and then for an email or a page.
  workers: availableParallelism() + 1,
  forbidOnly: true,
  timeout: 120_000,
  // Never waited out where all is well; a machine may be busy.
  expect: { timeout: 45_000 },
  // A press of what is not there ends by its name, and not with the time of its test.
  use: { actionTimeout: 90_000 },
  reporter: [["list"], ["json", { outputFile: "../../test-results/journeys.json" }]],
  projects: [
    { name: "no pictures", testMatch: "*.journey.ts", testIgnore: picture, use: withoutPictures },
    { name: "lean browser", testMatch: ["*.spec.ts", picture], testIgnore: keptPages, use: browser },
    { name: "whole browser", testMatch: keptPages, use: wholeBrowser },
  ],
});
