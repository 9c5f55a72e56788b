import { availableParallelism } from "node:os";
import { join } from "node:path";

import { createPostgresDatabase, startPostgres } from "../tests/helpers/postgres-server.ts";
import { median, readCpu, type Effort } from "./measure.ts";
import { EVERYDAY_CARDS, everydayPages } from "./pages.ts";
import { compareRow, type Row } from "./report.ts";
import { askMany, logIn } from "./requests.ts";
import { startFlags, startServer, type Server } from "./servers.ts";
import type { Stage } from "./stage.ts";

const BATCH = 240;
/** At this cost for a request, two servers serve 1.7 times as much as one, on cores of their own. */
const MAX_RATIO = 2 / 1.7;

/**
 * P12: the cost of a request to two servers on one PostgreSQL, asked at once, against one server; and the requests a
 * second on this machine, whose processors the database and the bench share.
 */
export async function instanceRows(
  { folder }: Stage,
  { rounds, buildDir }: Effort & { buildDir: string },
): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres();
  stack.defer(() => postgres.stop());
  const url = await createPostgresDatabase(postgres.url);
  const open = async (name: string): Promise<Server> => {
    const env = {
      BUILD_DIR: buildDir,
      DATA_DIR: join(folder, name),
      DATABASE_URL: url,
      ITEMS: "100",
      CARDS_PER_PAGE: String(EVERYDAY_CARDS),
    };
    return stack.use(await startServer([...startFlags, "bench/serve.ts"], { env }));
  };
  const first = await open("instance-1");
  const second = await open("instance-2");
  const cookie = await logIn(first);
  const ask = (server: Server) => askMany({ server, cookie, ...everydayPages.list }, BATCH);
  const load = async (servers: Server[]): Promise<Load> => {
    const readAll = async () => (await Promise.all(servers.map(readCpu))).reduce((sum, cpu) => sum + cpu, 0);
    const before = await readAll();
    const startedAt = performance.now();
    await Promise.all(servers.map(ask));
    const count = BATCH * servers.length;
    return { cost: ((await readAll()) - before) / count, rate: (count * 1000) / (performance.now() - startedAt) };
  };
  for (let turn = 0; turn < 4; turn += 1) await Promise.all([ask(first), ask(second)]);
  const alone: Load[] = [];
  const together: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await load([round % 2 === 0 ? first : second]));
    together.push(await load([first, second]));
  }
  const costs = { alone: alone.map(({ cost }) => cost), together: together.map(({ cost }) => cost) };
  const row = compareRow({
    id: "P12",
    what: "two servers on PostgreSQL, a request beside one alone",
    rounds: costs.together,
    beside: costs.alone,
    maxRatio: MAX_RATIO,
  });
  const gain = (2 * median(costs.alone)) / median(costs.together);
  return [
    { ...row, what: `${row.what}: ${gain.toFixed(2)}x on free cores`, bar: `≤ ${MAX_RATIO.toFixed(2)}x (1.7x)` },
    rateRow(alone, together),
  ];
}

type Load = { cost: number; rate: number };

/** Without a bar, because the machine of the bench has no spare core. */
function rateRow(alone: Load[], together: Load[]): Row {
  const rate = (loads: Load[]) => median(loads.map((load) => load.rate));
  return {
    id: "P12",
    what: `the same, requests a second on ${availableParallelism()} cores with the database and the bench`,
    figure: `${rate(together).toFixed(0)}/s`,
    beside: `${rate(alone).toFixed(0)}/s`,
    ratio: `${(rate(together) / rate(alone)).toFixed(2)}x`,
    bar: "",
    isMet: true,
  };
}
