import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { runSuite, type Suite, suites } from "../suites.ts";
import { findFile, listFiles, type PlantedFault, readFaults, readSources } from "./faults.ts";

/**
 * Plants each fault of `faults.yaml` in a copy of the work tree, runs its catcher, and says whether that failed. Words as arguments choose
 * the faults whose text, sentence or catcher has one of them.
 */
const words = process.argv.slice(2);
const chosen = readFaults().filter((fault) => {
  const said = Object.values(fault).join("\n");
  return words.length === 0 || words.some((word) => said.includes(word));
});

const sources = readSources();
const copy = mkdtempSync(join(tmpdir(), "dormouse-planted-"));
try {
  for (const file of listFiles()) cpSync(file, join(copy, file));
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  const missed = chosen.filter((fault) => !isCaught(fault));
  console.log(`\n${chosen.length - missed.length} caught, ${missed.length} missed`);
  process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true });
}

function isCaught({ text, becomes, breaks, catcher }: PlantedFault): boolean {
  const file = findFile(text, sources);
  const source = sources.get(file) ?? "";
  writeFileSync(
    join(copy, file),
    source.replace(text, () => becomes),
  );
  const { failed } = runSuite(findSuite(catcher), { set: "core", files: [catcher], cwd: copy, isQuiet: true });
  writeFileSync(join(copy, file), source);
  // A build or a server that breaks is no test that fails.
  const isFound = failed.some((each) => each.startsWith(catcher));
  console.log(`${isFound ? "caught" : "MISSED"}: ${breaks} (${file}, ${catcher})`);
  if (!isFound && failed.length > 0) console.log(failed.join("\n"));
  return isFound;
}

function findSuite(catcher: string): Suite {
  if (catcher.startsWith("tests/e2e/")) return suites.e2e;
  return catcher.startsWith("tests/browsers/") ? suites.browsers : suites.unit;
}
