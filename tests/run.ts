import { hasEngine, installEngines } from "./browsers/install.ts";
import { listTestsOfChange } from "./changed.ts";
import { ensureChromium } from "./helpers/chromium.ts";
import { runSuite, type SetName, suites } from "./suites.ts";

/**
 * Runs the core set of every suite and ends with what failed, by name, and one line that sums all up. `deep` as an argument runs the rest
 * instead, `all` the rest, too; `unit`, `e2e` or `browsers` the whole of one suite; `changed` the tests that the change at hand can touch.
 */
type SuiteName = keyof typeof suites;
type Run = { suite: SuiteName; set?: SetName; files?: string[] };

const names = Object.keys(suites) as SuiteName[];
const listSet = (set: SetName): Run[] => names.map((suite) => ({ suite, set }));

function chooseRuns(choice: string): Run[] {
  if (choice === "core" || choice === "deep") return listSet(choice);
  if (choice === "all") return [...listSet("core"), ...listSet("deep")];
  if (choice !== "changed") return [{ suite: choice as SuiteName }];
  const { unit, journeys } = listTestsOfChange();
  console.log(`The change can touch ${unit.length} files of tests and ${journeys.length} of journeys.`);
  return [{ suite: "unit", files: unit }, ...(journeys.length > 0 ? [{ suite: "e2e", files: journeys } as const] : [])];
}

const chosen = chooseRuns(process.argv[2] ?? "core");
const uses = (wanted: SuiteName) => chosen.some(({ suite }) => suite === wanted);
if (uses("e2e")) ensureChromium();
const leftOut = uses("browsers") ? installEngines() : [];
// Vitest takes a file without tests for a mistake.
const outcomes = chosen
  .filter(({ suite }) => suite !== "browsers" || hasEngine())
  .map(({ suite, set, ...rest }) => {
    const title = `${suites[suite].name}${set ? ` (${set})` : ""}`;
    console.log(`\n${title}\n`);
    const outcome = runSuite(suites[suite], { set, ...rest });
    return { title, outcome };
  });
const passed = outcomes.reduce((sum, { outcome }) => sum + outcome.passed, 0);
const failed = outcomes.flatMap(({ outcome }) => outcome.failed);
console.log();
for (const { title, outcome } of outcomes) console.log(`${outcome.passed + outcome.failed.length} tests: ${title}`);
// Last, because a log is read, and cut, from its end.
if (failed.length > 0) console.log(`\nFailed:\n${failed.join("\n")}`);
if (leftOut.length > 0) console.log(`\nLeft out, because this machine has no such browser: ${leftOut.join(", ")}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
