import { setTimeout as delay } from "node:timers/promises";

import { strain, type Latencies, type Step } from "./latency.ts";
import type { Effort } from "./measure.ts";
import { everydayPages } from "./pages.ts";
import type { Row } from "./report.ts";
import type { Stage } from "./stage.ts";
import { p99Row, ROUND_SHARE } from "./strain-rows.ts";

const ROUNDS = 3;
const READERS = 4;
const CHANGES_A_ROUND = 2;

/** P9: the time of the list during a refresh of a CMS with 10,000 items of which one changed, against other times. */
export async function refreshRow({ largeCms }: Stage, effort: Effort): Promise<Row> {
  const { server, cookie } = largeCms;
  const list: Step = { url: server.origin + everydayPages.list.path, headers: { Cookie: cookie }, status: 200 };
  const load = { connections: READERS, forMs: effort.strainInMs * ROUND_SHARE };
  await strain(() => list, load);
  const quiet: Latencies[] = [];
  const busy: Latencies[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await strain(() => list, load));
    const changing = (async () => {
      for (let turn = 0; turn < CHANGES_A_ROUND; turn += 1) {
        await largeCms.change();
        await delay(load.forMs / CHANGES_A_ROUND);
      }
    })();
    busy.push(await strain(() => list, load));
    await changing;
  }
  await largeCms.untilSays(`Changed ${ROUNDS * CHANGES_A_ROUND} times`);
  const faults = [...quiet, ...busy].reduce((sum, round) => sum + round.faults, 0);
  return p99Row("list, p99 while one of 10,000 items changes in the CMS", {
    id: "P9",
    busy,
    quiet,
    maxRatio: 2,
    faults,
  });
}
