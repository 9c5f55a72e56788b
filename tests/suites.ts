import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSpec, JSONReportSuite } from "@playwright/test/reporter";

import { compiled } from "./helpers/dormouse.ts";
import { MESSAGE_MAX_LENGTH, type Outcome } from "./outcome-reporter.ts";

/** `core` is what `npm test` runs, `deep` all the rest. A file `*.deep.test.ts` is deep; a journey is, unless it has the tag `@core`. */
export type SetName = "core" | "deep";

/** `sets`: the arguments that choose a set. */
export type Suite = {
  name: string;
  command: string[];
  sets: Record<SetName, string[]>;
  report: string;
  read: (report: unknown) => Outcome;
};

const results = "test-results";
const E2E = "tests/e2e";

export const suites = {
  unit: withVitest("rules, services, adapters and pages", "unit", "vitest.config.ts"),
  browsers: withVitest("journeys in Firefox, WebKit and Lynx", "browsers", "tests/browsers/vitest.config.ts"),
  e2e: {
    name: "journeys",
    command: ["playwright", "test", "--config", "tests/e2e/playwright.config.ts"],
    sets: { core: ["--grep", "@core"], deep: ["--grep-invert", "@core"] },
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
    // The configurations leave deep files out of the core.
    sets: { core: [], deep: [".deep.test."] },
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

type RunOptions = {
  /** All of the suite without one. */
  set?: SetName | undefined;
  files?: string[];
  cwd?: string;
  isQuiet?: boolean;
};

/** Runs a suite in a process of its own. */
export function runSuite(
  { name, command, sets, report, read }: Suite,
  { set, files = [], cwd = ".", isQuiet = false }: RunOptions = {},
): Outcome {
  const path = join(cwd, report);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  // All suites start many processes of the same programs.
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled, OUTCOME_FILE: report, ...(set && { TEST_SET: set }) };
  const { status, stderr } = spawnSync("npx", [...command, ...files, ...(set ? sets[set] : [])], {
    stdio: ["inherit", isQuiet ? "ignore" : "inherit", "pipe"],
    encoding: "utf8",
    maxBuffer: Infinity,
    env,
    cwd,
  });
  if (!isQuiet) process.stderr.write(stderr);
  // A suite that broke outside its tests, such as while it closed, has failed even if each test passed.
  const broken = `${name} › (outside the tests)\n${stderr.trimEnd().split("\n").slice(-30).join("\n")}`;
  try {
    const outcome = read(JSON.parse(readFileSync(path, "utf8")));
    return status === 0 || outcome.failed.length > 0 ? outcome : { ...outcome, failed: [broken] };
  } catch {
    return { passed: 0, failed: [broken] };
  }
}
