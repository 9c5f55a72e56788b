import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { strain, type Latencies, type Step } from "./latency.ts";
import type { Effort } from "./measure.ts";
import { everydayPages } from "./pages.ts";
import { ask, decode, logIn } from "./requests.ts";
import type { Row } from "./report.ts";
import { startFlags, startServer } from "./servers.ts";
import type { Stage } from "./stage.ts";
import { p99Row, ROUND_SHARE } from "./strain-rows.ts";

const ITEMS = 10_000;
const ROUNDS = 3;
const READERS = 4;
const CHANGES_A_ROUND = 2;
/** The one that the CMS changes. */
const CHANGED_ID = 1000;
const PATIENCE_IN_MS = 60_000;
const PAUSE_IN_MS = 100;

/** P9: how long the list takes while a CMS of 10,000 items is read anew because one changed, beside otherwise. */
export async function refreshRow({ folder }: Stage, effort: Effort & { buildDir: string }): Promise<Row> {
  await using cms = await startCms();
  const secret = "a-secret-of-the-bench";
  const env = {
    BUILD_DIR: effort.buildDir,
    DATA_DIR: join(folder, "refresh"),
    CMS_URL: cms.url,
    CMS_WEBHOOK_SECRET: secret,
  };
  await using server = await startServer([...startFlags, "server/cli/main.ts", "demo"], { env });
  const cookie = await logIn(server);
  const list: Step = { url: server.origin + everydayPages.list.path, headers: { Cookie: cookie }, status: 200 };
  const load = { connections: READERS, forMs: effort.strainInMs * ROUND_SHARE };
  const change = async () => {
    cms.change();
    const headers = { Authorization: `Bearer ${secret}` };
    const { status } = await ask(`${server.origin}/webhooks/cms`, { method: "POST", headers });
    if (status !== 202) throw new Error(`The CMS's signal is answered ${status}`);
  };
  const changed = `${server.origin}/?view=watch&item=${CHANGED_ID}`;
  await untilSays(changed, cookie, `Video ${CHANGED_ID}`);
  await strain(() => list, load);
  const quiet: Latencies[] = [];
  const busy: Latencies[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await strain(() => list, load));
    const changing = (async () => {
      for (let turn = 0; turn < CHANGES_A_ROUND; turn += 1) {
        await change();
        await delay(load.forMs / CHANGES_A_ROUND);
      }
    })();
    busy.push(await strain(() => list, load));
    await changing;
  }
  await untilSays(changed, cookie, `Changed ${ROUNDS * CHANGES_A_ROUND} times`);
  const faults = [...quiet, ...busy].reduce((sum, round) => sum + round.faults, 0);
  return p99Row("list, p99 while one of 10,000 items changes in the CMS", {
    id: "P9",
    busy,
    quiet,
    maxRatio: 2,
    faults,
  });
}

/** Without the whole catalogue, or without the change, nothing would have been measured. */
async function untilSays(url: string, cookie: string, words: string): Promise<void> {
  const end = performance.now() + PATIENCE_IN_MS;
  while (!(await decode(await ask(url, { headers: { Cookie: cookie } }))).includes(words)) {
    if (performance.now() > end) throw new Error(`${url} never says “${words}”`);
    await delay(PAUSE_IN_MS);
  }
}

async function startCms(): Promise<AsyncDisposable & { url: string; change(): void }> {
  const child = spawn(process.execPath, ["bench/cms.ts"], {
    env: { ...process.env, ITEMS: String(ITEMS) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: line.toString().trim(),
    change: () => void child.kill("SIGUSR2"),
    async [Symbol.asyncDispose]() {
      kill();
      process.off("exit", kill);
    },
  };
}
