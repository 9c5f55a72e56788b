import { join } from "node:path";

import { createPostgresDatabase, startPostgres } from "../tests/helpers/postgres-server.ts";
import { median, readCpu, type Effort } from "./measure.ts";
import { EVERYDAY_CARDS, everydayPages } from "./pages.ts";
import { compareRow, type Row } from "./report.ts";
import { askMany, logIn } from "./requests.ts";
import { startFlags, startServer, type Server } from "./servers.ts";
import type { Stage } from "./stage.ts";

const BATCH = 240;
/** Twice the processes at this cost for a request serve 1.7 times as much, on cores that nobody else uses. */
const MAX_RATIO = 2 / 1.7;

/**
 * P12: what a request costs two instances on one PostgreSQL that are asked at once, beside one alone. Costs and not rates: the
 * database and who asks need the same two cores here.
 */
export async function instanceRow(
  { folder }: Stage,
  { rounds, buildDir }: Effort & { buildDir: string },
): Promise<Row> {
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
  const costOf = async (servers: Server[]): Promise<number> => {
    const readAll = async () => (await Promise.all(servers.map(readCpu))).reduce((sum, cpu) => sum + cpu, 0);
    const before = await readAll();
    await Promise.all(servers.map(ask));
    return ((await readAll()) - before) / (BATCH * servers.length);
  };
  for (let turn = 0; turn < 4; turn += 1) await Promise.all([ask(first), ask(second)]);
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await costOf([round % 2 === 0 ? first : second]));
    together.push(await costOf([first, second]));
  }
  const row = compareRow({
    id: "P12",
    what: "two instances on PostgreSQL, a request beside one alone",
    rounds: together,
    beside: alone,
    maxRatio: MAX_RATIO,
  });
  const gain = (2 * median(alone)) / median(together);
  return { ...row, what: `${row.what}: ${gain.toFixed(2)}x on 2 free cores`, bar: `≤ ${MAX_RATIO.toFixed(2)}x (1.7x)` };
}
