import { DEMO_PASSWORD, demoMembers } from "../server/cli/demo-data.ts";
import { percentileOf, strain, type Latencies, type Step } from "./latency.ts";
import { median, type Effort } from "./measure.ts";
import { everydayPages, longList } from "./pages.ts";
import type { Row } from "./report.ts";
import { readMemory } from "./servers.ts";
import type { App, Stage } from "./stage.ts";

/** P11: fifty people at once who browse, read, search, save and look at their account. */
export async function sustainedRows({ everyday }: Stage, { strainInMs }: Effort): Promise<Row[]> {
  const load = { connections: 50, forMs: strainInMs / 2 };
  const next = journey(everyday);
  const first = await strain(next, load);
  const halfWay = await readMemory(everyday.server);
  const second = await strain(next, load);
  const growth = (await readMemory(everyday.server)) / halfWay;
  const p50 = percentileOf(second, 50);
  const p99 = percentileOf(second, 99);
  const faults = first.faults + second.faults;
  const what = `50 connections, ${strainInMs / 1000} s, mixed journey`;
  return [
    {
      id: "P11",
      what: `${what}: p99 beside p50`,
      figure: `${p99.toFixed(0)} ms`,
      beside: `${p50.toFixed(0)} ms`,
      ratio: `${(p99 / p50).toFixed(2)}x`,
      bar: "≤ 10x",
      isMet: p99 <= 10 * p50,
    },
    {
      id: "P11",
      what: `${what}: wrong answers`,
      figure: `${faults} of ${first.sorted.length + second.sorted.length}`,
      beside: "",
      ratio: "",
      bar: "0",
      isMet: faults === 0,
    },
    {
      id: "P11",
      what: `${what}: memory at the end beside half-way`,
      figure: "",
      beside: "",
      ratio: `${growth.toFixed(2)}x`,
      bar: "≤ 1.1x",
      isMet: growth <= 1.1,
    },
  ];
}

function journey({ server, cookie }: App): (count: number) => Step {
  const visit = (path: string): Step => ({ url: server.origin + path, headers: { Cookie: cookie }, status: 200 });
  const heart = (body: string): Step => ({
    url: `${server.origin}/favourites`,
    method: "POST",
    headers: {
      Cookie: cookie,
      Origin: server.origin,
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body,
    status: 204,
  });
  const { landing, list, article, search } = everydayPages;
  const visits = [landing, list, article, search].map(({ path }) => visit(path));
  const steps = [...visits, heart("save=watch-1"), visit("/?account=open"), heart("remove=watch-1")];
  return (count) => steps[count % steps.length] ?? visit("/");
}

const LOG_INS_A_SECOND = 20;
const READERS = 4;
const ROUNDS = 3;
/** How long a round takes, of the time that the long test of endurance does. */
export const ROUND_SHARE = 1 / 20;

/** P13: how long the long list takes while twenty people a second log in, beside how long it takes otherwise. */
export async function logInRow({ smallest }: Stage, { strainInMs }: Effort): Promise<Row> {
  const { server, cookie } = smallest;
  const load = { connections: READERS, forMs: strainInMs * ROUND_SHARE };
  const list: Step = { url: server.origin + longList.path, headers: { Cookie: cookie }, status: 200 };
  const quiet: Latencies[] = [];
  const busy: Latencies[] = [];
  let refused = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await strain(() => list, load));
    const arriving = setInterval(() => {
      const once = { connections: 1, forMs: 0 };
      void strain(() => logInStep(server.origin), once).then(({ faults }) => (refused += faults));
    }, 1000 / LOG_INS_A_SECOND);
    busy.push(await strain(() => list, load));
    clearInterval(arriving);
  }
  return p99Row(`list of 60 cards, p99 while ${LOG_INS_A_SECOND} log in each second`, {
    id: "P13",
    busy,
    quiet,
    maxRatio: 3,
    faults: refused,
  });
}

function logInStep(origin: string): Step {
  const form = new URLSearchParams({ intent: "log-in", email: demoMembers[0]?.email ?? "", password: DEMO_PASSWORD });
  const headers = { Origin: origin, "Content-Type": "application/x-www-form-urlencoded" };
  return { url: `${origin}/login`, method: "POST", headers, body: form.toString(), status: 303 };
}

type P99 = { id: string; busy: Latencies[]; quiet: Latencies[]; maxRatio: number; faults: number };

/** The middle of the rounds' p99, with trouble beside without. */
export function p99Row(what: string, { id, busy, quiet, maxRatio, faults }: P99): Row {
  const p99 = (rounds: Latencies[]) => median(rounds.map((round) => percentileOf(round, 99)));
  const ratio = p99(busy) / p99(quiet);
  return {
    id,
    what: faults > 0 ? `${what} (${faults} were refused)` : what,
    figure: `${p99(busy).toFixed(1)} ms`,
    beside: `${p99(quiet).toFixed(1)} ms`,
    ratio: `${ratio.toFixed(2)}x`,
    bar: `≤ ${maxRatio}x`,
    isMet: ratio <= maxRatio && faults === 0,
  };
}
