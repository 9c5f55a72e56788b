import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSpec, JSONReportSuite } from "@playwright/test/reporter";

import { hasEngine, installEngines } from "./browsers/install.ts";
import { listTestsOfChange } from "./changed.ts";
import { ensureChromium } from "./helpers/chromium.ts";
import { compiled } from "./helpers/dormouse.ts";
import { MESSAGE_MAX_LENGTH, type Outcome } from "./outcome-reporter.ts";

/**
 * Runs every suite and ends with what failed, by name, and one line that sums all up. `unit`, `e2e` or `browsers` as an argument runs one of
 * them; `changed` runs the tests that the change at hand can touch.
 */
type Suite = { name: string; command: string[]; report: string; read: (report: unknown) => Outcome };

const results = "test-results";
const E2E = "tests/e2e";

const suites = {
  unit: withVitest("rules, services, adapters and pages", "unit", "vitest.config.ts"),
  browsers: withVitest("journeys in Firefox, WebKit and Lynx", "browsers", "tests/browsers/vitest.config.ts"),
  e2e: {
    name: "journeys",
    command: ["playwright", "test", "--config", "tests/e2e/playwright.config.ts"],
    report: `${results}/journeys.json`,
    read: (report) => {
      const { stats, suites: files } = report as JSONReport;
      return { passed: stats.expected, failed: files.flatMap((file) => listUnexpected(file, E2E)) };
    },
  },
} satisfies Record<string, Suite>;

function withVitest(name: string, reportName: string, config: string): Suite {
  const reporters = ["--reporter=default", "--reporter=./tests/outcome-reporter.ts"];
  return {
    name,
    command: ["vitest", "run", "--config", config, ...reporters],
    report: `${results}/${reportName}.json`,
    read: (report) => report as Outcome,
  };
}

/** With the titles of the groups around them, because a journey has one title in all circumstances. */
function listUnexpected({ title, specs, suites: inner = [] }: JSONReportSuite, above: string): string[] {
  const place = above === E2E ? join(above, title) : `${above} › ${title}`;
  const here = specs.filter(({ tests }) => tests.some(({ status }) => status !== "expected"));
  return [
    ...here.map((spec) => `${place} › ${spec.title}${listCauses(spec)}`),
    ...inner.flatMap((each) => listUnexpected(each, place)),
  ];
}

/** The errors of a journey, without the colours of a terminal. */
function listCauses({ tests }: JSONReportSpec): string {
  const found = tests.flatMap((test) => test.results.flatMap(({ errors }) => errors));
  return found.map(({ message }) => `\n    ${stripVTControlCharacters(message).slice(0, MESSAGE_MAX_LENGTH)}`).join("");
}

function run({ name, command, report, read }: Suite): Outcome {
  console.log(`\n${name}\n`);
  rmSync(report, { force: true });
  // Both suites start many processes of the same programs.
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled, OUTCOME_FILE: report };
  const { status, stderr } = spawnSync("npx", command, {
    stdio: ["inherit", "inherit", "pipe"],
    encoding: "utf8",
    maxBuffer: Infinity,
    env,
  });
  process.stderr.write(stderr);
  // A suite that broke outside its tests, such as while it closed, has failed even if each test passed.
  const broken = `${name} › (outside the tests)\n${stderr.trimEnd().split("\n").slice(-30).join("\n")}`;
  try {
    const outcome = read(JSON.parse(readFileSync(report, "utf8")));
    return status === 0 || outcome.failed.length > 0 ? outcome : { ...outcome, failed: [broken] };
  } catch {
    return { passed: 0, failed: [broken] };
  }
}

/** Each suite with the files of it that run: all, unless there is a list. */
function chooseSuites(choice: string | undefined): Partial<Record<keyof typeof suites, string[]>> {
  if (choice === undefined) return { unit: [], browsers: [], e2e: [] };
  if (choice !== "changed") return { [choice]: [] };
  const { unit, journeys } = listTestsOfChange();
  console.log(`The change can touch ${unit.length} files of tests and ${journeys.length} of journeys.`);
  return { unit, ...(journeys.length > 0 && { e2e: journeys }) };
}

const chosen = chooseSuites(process.argv[2]);
const names = (Object.keys(suites) as (keyof typeof suites)[]).filter((name) => chosen[name]);
mkdirSync(results, { recursive: true });
if (names.includes("e2e")) ensureChromium();
const leftOut = names.includes("browsers") ? installEngines() : [];
// Vitest takes a file without tests for a mistake.
const runnable = names.filter((name) => name !== "browsers" || hasEngine());
const outcomes = runnable.map((name) => {
  const suite = suites[name];
  return run({ ...suite, command: [...suite.command, ...(chosen[name] ?? [])] });
});
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.flatMap((outcome) => outcome.failed);
// Last, because a log is read, and cut, from its end.
if (failed.length > 0) console.log(`\nFailed:\n${failed.join("\n")}`);
if (leftOut.length > 0) console.log(`\nLeft out, because this machine has no such browser: ${leftOut.join(", ")}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
