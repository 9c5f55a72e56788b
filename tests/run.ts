import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

import { ensureChromium } from "./helpers/chromium.ts";
import { compiled } from "./helpers/dormouse.ts";

/**
 * Runs every suite and ends with one line that sums them up. `unit` or `e2e` as an argument runs one of the two.
 */
type Count = { passed: number; failed: number };
type Suite = { name: string; command: string[]; report: string; count: (report: unknown) => Count };

const results = "test-results";

const suites: Record<"unit" | "e2e", Suite> = {
  unit: {
    name: "rules, rooms, adapters and pages",
    command: [
      "vitest",
      "run",
      "--config",
      "tests/vitest.config.ts",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${results}/unit.json`,
    ],
    report: `${results}/unit.json`,
    count: (report) => {
      const { numPassedTests, numTotalTests } = report as { numPassedTests: number; numTotalTests: number };
      return { passed: numPassedTests, failed: numTotalTests - numPassedTests };
    },
  },
  e2e: {
    name: "journeys",
    command: ["playwright", "test", "--config", "tests/e2e/playwright.config.ts"],
    report: `${results}/journeys.json`,
    count: (report) => {
      const { expected, unexpected, flaky, skipped } = (report as { stats: Record<string, number> }).stats;
      return { passed: expected ?? 0, failed: (unexpected ?? 0) + (flaky ?? 0) + (skipped ?? 0) };
    },
  },
};

function run({ name, command, report, count }: Suite): Count {
  console.log(`\n${name}\n`);
  rmSync(report, { force: true });
  // Both suites start many processes of the same programs.
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const { status } = spawnSync("npx", command, { stdio: "inherit", env });
  try {
    const counted = count(JSON.parse(readFileSync(report, "utf8")));
    // A suite that broke outside its tests has failed even if each test passed.
    return status === 0 || counted.failed > 0 ? counted : { ...counted, failed: 1 };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const asked = process.argv[2];
const names: (keyof typeof suites)[] = asked === "unit" || asked === "e2e" ? [asked] : ["unit", "e2e"];
mkdirSync(results, { recursive: true });
if (names.includes("e2e")) ensureChromium();
const counts = names.map((name) => run(suites[name]));
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
