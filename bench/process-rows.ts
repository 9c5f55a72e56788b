import { join } from "node:path";

import { budgets } from "../tools/budgets.ts";
import { median } from "./measure.ts";
import { everydayPages, logInPage } from "./pages.ts";
import { amountRow, type Row } from "./report.ts";
import { startFlags, startServer } from "./servers.ts";
import type { Stage } from "./stage.ts";
import { weigh } from "./weight.ts";

const KILOBYTE = 1000;
/** P10: `npm start` with an empty database and the bundled content. */
export async function startRow(stage: Stage, { buildDir, starts }: { buildDir: string; starts: number }): Promise<Row> {
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const env = { BUILD_DIR: buildDir, DATA_DIR: join(stage.folder, `start-${start}`) };
    const startedAt = performance.now();
    await using _server = await startServer([...startFlags, "server/start.js"], { env });
    times.push((performance.now() - startedAt) / 1000);
  }
  return amountRow(
    { id: "P10", what: "start on an empty database, to the first 200 of /readyz" },
    { amount: median(times), max: 1, unit: "s", digits: 2 },
  );
}

/** W1 and W3: the weight of a first view, from the files of the build. */
export async function weightRows({ everyday }: Stage, buildDir: string): Promise<Row[]> {
  const { landing, list, article } = everydayPages;
  const scripts: Row[] = [];
  const views: Row[] = [];
  for (const page of [logInPage, landing, list, article]) {
    const visitor = page === logInPage ? { server: everyday.server } : everyday;
    const { scriptBytes, viewBytes } = await weigh({ ...visitor, path: page.path }, buildDir);
    const budget = page === logInPage ? budgets.scriptOfForms : budgets.script;
    scripts.push(
      amountRow(
        { id: "W1", what: `script: ${page.what}` },
        { amount: scriptBytes / KILOBYTE, max: budget / KILOBYTE, ...inKilobytes },
      ),
    );
    views.push(
      amountRow(
        { id: "W3", what: `HTML, CSS, fonts: ${page.what}` },
        { amount: viewBytes / KILOBYTE, max: 100, ...inKilobytes },
      ),
    );
  }
  return [...scripts, ...views];
}

const inKilobytes = { unit: "kB", digits: 1 };
