import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { SerializedError } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** The outcome of a suite: how many tests passed, and the name of each that did not, with what it failed on. */
export type Outcome = { passed: number; failed: string[] };

/**
 * Writes the outcome of a run of Vitest as JSON to the file that `OUTCOME_FILE` names. Its own JSON reporter leaves out errors outside
 * the tests, and those fail a run too.
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

/** A whole page may be part of a message. */
export const MESSAGE_MAX_LENGTH = 1000;

function listCauses(test: TestCase): string[] {
  return (test.result().errors ?? []).map(({ message, stacks }) => {
    const [place] = stacks ?? [];
    return `    ${message.slice(0, MESSAGE_MAX_LENGTH)}${place ? ` (${relative(".", place.file)}:${place.line})` : ""}`;
  });
}

/** With the lines of the stack that are ours. */
function formatError({ message, stack = "" }: SerializedError): string {
  const places = stack.split("\n").filter((line) => line.includes("    at ") && !line.includes("node_modules"));
  return [`(outside the tests) ${message}`, ...places].join("\n");
}
