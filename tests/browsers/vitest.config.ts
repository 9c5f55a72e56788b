import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The core journeys in browsers that Playwright does not drive here. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    // Vitest's default leaves one core free.
    maxWorkers: availableParallelism(),
    include: ["tests/browsers/*.test.ts"],
    exclude: process.env.TEST_SET === "core" ? ["**/*.deep.test.ts"] : [],
    globalSetup: "tests/browsers/global-setup.ts",
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
});
