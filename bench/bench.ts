import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import { ensureBuild } from "../server/cli/build.ts";
import { browserRows } from "./browser-rows.ts";
import { everydayRows, longListRows } from "./cpu-rows.ts";
import { growthRows } from "./growth-rows.ts";
import { instanceRows } from "./instance-rows.ts";
import { lighthouseRows } from "./lighthouse-rows.ts";
import type { Effort } from "./measure.ts";
import { pictureRows } from "./picture-rows.ts";
import { memoryRows } from "./memory-rows.ts";
import { startRow, weightRows } from "./process-rows.ts";
import { refreshRow } from "./refresh-rows.ts";
import { releaseRows } from "./release-rows.ts";
import { describeMachine, toDocument, toTable, type Row } from "./report.ts";
import { searchPageRows, searchRows } from "./search-rows.ts";
import { openStage } from "./stage.ts";
import { logInRows, sustainedRows } from "./strain-rows.ts";

/**
 * Measures what the product promises of its speed and size and prints each promise beside what it found; nothing fails here.
 * A full run takes some 25 minutes and writes `bench/results.md`; `--quick` only prints, and `--release` prints only the rows beside
 * the last release, which takes some five.
 */
const full: Effort = {
  rounds: 10,
  burstInMs: 200,
  warmUpCount: 1200,
  loadInMs: 60_000,
  starts: 3,
  strainInMs: 60_000,
  pictures: 60,
  visits: 3,
};
const quick: Effort = {
  rounds: 5,
  burstInMs: 120,
  warmUpCount: 480,
  loadInMs: 3000,
  starts: 3,
  strainInMs: 6000,
  pictures: 40,
  visits: 1,
};

const DOCUMENT = "bench/results.md";
const isQuick = process.argv.includes("--quick");
const isForRelease = process.argv.includes("--release");
const effort = isQuick ? quick : full;
const buildDir = resolve(process.env.BUILD_DIR || "build");

// Each server is killed when this process exits, so none outlives a stopped bench.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

console.log(`${describeMachine()}\n`);
ensureBuild({ buildDir, basePath: "/" });
const rows: Row[] = [];
try {
  console.log("Beside the last release …");
  rows.push(...(await releaseRows(effort)));
  if (!isForRelease) await measureAll();
} finally {
  // A fault in one row keeps the rows before it.
  rows.sort((a, b) => order(a) - order(b));
  console.log(`\n${toTable(rows)}`);
}
if (!isQuick && !isForRelease) {
  await writeFile(DOCUMENT, toDocument(rows));
  console.log(`\nWritten to ${DOCUMENT}`);
}

async function measureAll(): Promise<void> {
  console.log("Search and growth …");
  rows.push(...(await searchRows()), ...(await growthRows()));
  console.log("Starting the servers …");
  await using stage = await openStage(buildDir);
  console.log("Every day's pages …");
  rows.push(...(await everydayRows(stage, effort)));
  console.log("The long list …");
  rows.push(...(await longListRows(stage, effort)));
  console.log("The search page …");
  rows.push(...(await searchPageRows(stage, effort)));
  console.log("Memory …");
  rows.push(...(await memoryRows(stage, effort)));
  console.log("Browsers …");
  rows.push(...(await browserRows(stage, { rounds: effort.visits })));
  console.log("Lighthouse …");
  rows.push(...(await lighthouseRows(stage, { rounds: effort.visits })));
  rows.push(...(await weightRows(stage, buildDir)));
  console.log("Pictures …");
  rows.push(...(await pictureRows(stage, { buildDir, ...effort })));
  console.log("Endurance …");
  rows.push(...(await sustainedRows(stage, effort)));
  // After the browsers, because so many log-ins end the sessions with which they open pages.
  rows.push(...(await logInRows(stage, effort)), await refreshRow(stage, effort));
  rows.push(...(await instanceRows(stage, { ...effort, buildDir })));
  rows.push(await startRow(stage, { buildDir, starts: effort.starts }));
}

/** By the number in the id; rows of servers (P) before rows of browsers (W). */
function order({ id }: Row): number {
  return Number(id.slice(1)) + (id.startsWith("W") ? 100 : 0);
}
