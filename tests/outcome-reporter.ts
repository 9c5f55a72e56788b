import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** The passed tests, and the name and fault of each other. */
export type Outcome = { passed: number; failed: string[] };

/**
 * Writes a Vitest run's outcome as JSON to `OUTCOME_FILE`. Vitest's JSON reporter leaves out errors outside of tests,
 * which fail a run too.
 */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env["OUTCOME_FILE"];
    if (!file) return;
    const outcomes = modules.map(readModule);
    const outcome: Outcome = {
      passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
      failed: [...outcomes.flatMap(({ failed }) => failed), ...errors.map(formatError)],
    };
    writeFileSync(file, JSON.stringify(outcome));
  }
}

function readModule(module: TestModule): Outcome {
  const path = relative(".", module.moduleId);
  const tests = [...module.children.allTests()];
  // A skipped test proves nothing, so it counts as failed.
  const failed = tests
    .filter((test) => test.result().state !== "passed")
    .map((test) => [`${path} › ${test.fullName} (${test.result().state})`, ...listCauses(test)].join("\n"));
  // A file may break before its first test.
  if (failed.length === 0 && !module.ok()) failed.push(`${path} › (the file itself)`);
  return { passed: tests.length - failed.length, failed };
}

/** A message may contain a whole page. */
export const MESSAGE_MAX_LENGTH = 1000;

function listCauses(test: TestCase): string[] {
  return (test.result().errors ?? []).map(({ message, stacks }) => {
    const [place] = stacks ?? [];
    return `    ${message.slice(0, MESSAGE_MAX_LENGTH)}${place ? ` (${relative(".", place.file)}:${place.line})` : ""}`;
  });
}

/** With our own lines of the stack. */
function formatError({ message, stack = "" }: SerializedError): string {
  const places = stack.split("\n").filter((line) => line.includes("    at ") && !line.includes("node_modules"));
  return [`(outside the tests) ${message}`, ...places].join("\n");
}
