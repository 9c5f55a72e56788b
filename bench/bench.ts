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
import { describeMachine, toDocument, toTable, type Row } from "./report.ts";
import { searchPageRows, searchRows } from "./search-rows.ts";
import { openStage } from "./stage.ts";
import { logInRows, sustainedRows } from "./strain-rows.ts";

/**
 * Measures what the product promises of its speed and size and prints each promise beside what it found; nothing fails here.
 * A full run takes about a quarter of an hour and writes `bench/results.md`; `--quick` only prints.
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
const effort = isQuick ? quick : full;
const buildDir = resolve(process.env.BUILD_DIR || "build");

// No server outlives a bench that is stopped: each is killed when this process exits.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

console.log(`${describeMachine()}\n`);
ensureBuild({ buildDir, basePath: "/" });
const rows = await measureAll();
console.log(`\n${toTable(rows)}`);
if (!isQuick) {
  await writeFile(DOCUMENT, toDocument(rows));
  console.log(`\nWritten to ${DOCUMENT}`);
}

async function measureAll(): Promise<Row[]> {
  console.log("Search and growth …");
  const services = [...(await searchRows()), ...(await growthRows())];
  console.log("Starting the servers …");
  await using stage = await openStage(buildDir);
  console.log("Every day's pages …");
  const everyday = await everydayRows(stage, effort);
  console.log("The long list …");
  const longList = await longListRows(stage, effort);
  console.log("The search page …");
  const searchPage = await searchPageRows(stage, effort);
  console.log("Memory, start and weight …");
  const memory = await memoryRows(stage, effort);
  console.log("Pictures …");
  const pictures = await pictureRows(stage, { buildDir, ...effort });
  console.log("Endurance …");
  const endurance = [
    ...(await sustainedRows(stage, effort)),
    ...(await logInRows(stage, effort)),
    await refreshRow(stage, effort),
    ...(await instanceRows(stage, { ...effort, buildDir })),
  ];
  console.log("Browsers …");
  const browsers = await browserRows(stage, { rounds: effort.visits });
  console.log("Lighthouse …");
  const lighthouse = await lighthouseRows(stage, { rounds: effort.visits });
  const start = await startRow(stage, { buildDir, starts: effort.starts });
  const weight = await weightRows(stage, buildDir);
  return [
    ...services,
    ...everyday,
    ...longList,
    ...searchPage,
    ...memory,
    ...pictures,
    ...endurance,
    ...browsers,
    ...lighthouse,
    start,
    ...weight,
  ].toSorted((a, b) => order(a) - order(b));
}

/** By the number in the id, servers (P) before browsers (W). */
function order({ id }: Row): number {
  return Number(id.slice(1)) + (id.startsWith("W") ? 100 : 0);
}
