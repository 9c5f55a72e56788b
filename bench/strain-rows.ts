import { randomBytes } from "node:crypto";

import { DEMO_PASSWORD, demoMembers } from "../server/cli/demo-data.ts";
import { findPercentile, strain, type Latencies, type Step } from "./latency.ts";
import { median, type Effort } from "./measure.ts";
import { everydayPages } from "./pages.ts";
import type { Row } from "./report.ts";
import { readMemory } from "./servers.ts";
import type { App, Stage } from "./stage.ts";

/** P11: fifty people at once browse, read, search, save and open their account. */
export async function sustainedRows({ everyday }: Stage, { strainInMs }: Effort): Promise<Row[]> {
  const load = { connections: 50, forMs: strainInMs / 2 };
  const next = journey(everyday);
  const first = await strain(next, load);
  const halfWay = await readMemory(everyday.server);
  const second = await strain(next, load);
  const growth = (await readMemory(everyday.server)) / halfWay;
  const p50 = findPercentile(second, 50);
  const p99 = findPercentile(second, 99);
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
  const toggle = (body: string): Step => ({
    url: `${server.origin}/favourites.data`,
    method: "POST",
    headers: {
      Cookie: cookie,
      Origin: server.origin,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body,
    status: 200,
  });
  const { landing, list, article, search } = everydayPages;
  const visits = [landing, list, article, search].map(({ path }) => visit(path));
  const steps = [...visits, toggle("save=watch-1"), visit("/?account=open"), toggle("remove=watch-1")];
  return (count) => steps[count % steps.length] ?? visit("/");
}

const LOG_INS_A_SECOND = 20;
const READERS = 4;
const ROUNDS = 3;
/** The share of the long endurance test that each round takes. */
export const ROUND_SHARE = 1 / 20;

const STORM = 100;

/** P13: the time of the list during twenty log-ins a second, and during a hundred at once, against other times. */
export async function logInRows({ everyday }: Stage, { strainInMs }: Effort): Promise<Row[]> {
  const { server, cookie } = everyday;
  const { path, what } = everydayPages.list;
  const load = { connections: READERS, forMs: strainInMs * ROUND_SHARE };
  const list: Step = { url: server.origin + path, headers: { Cookie: cookie }, status: 200 };
  const compare = async (name: string, arrive: () => { end(): Promise<number> }) => {
    const quiet: Latencies[] = [];
    const busy: Latencies[] = [];
    let refused = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      quiet.push(await strain(() => list, load));
      const arriving = arrive();
      busy.push(await strain(() => list, load));
      refused += await arriving.end();
    }
    return p99Row(`${what}, p99 while ${name}`, { id: "P13", busy, quiet, maxRatio: 3, faults: refused });
  };
  return [
    await compare(`${LOG_INS_A_SECOND} log in each second`, () => {
      const arrived: Promise<Latencies>[] = [];
      const timer = setInterval(() => arrived.push(logInOnce(server.origin)), 1000 / LOG_INS_A_SECOND);
      return {
        end() {
          clearInterval(timer);
          return countFaults(arrived);
        },
      };
    }),
    await compare(`${STORM} log in at once`, () => {
      const arrived = Array.from({ length: STORM }, () => logInOnce(server.origin));
      return { end: () => countFaults(arrived) };
    }),
  ];
}

async function countFaults(arrived: Promise<Latencies>[]): Promise<number> {
  return (await Promise.all(arrived)).reduce((sum, { faults }) => sum + faults, 0);
}

/** Each from its own address, so that none counts as guessing. */
function logInOnce(origin: string): Promise<Latencies> {
  const form = new URLSearchParams({ intent: "log-in", email: demoMembers[0]?.email ?? "", password: DEMO_PASSWORD });
  const step: Step = {
    url: `${origin}/login`,
    method: "POST",
    headers: {
      Origin: origin,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": [10, ...randomBytes(3)].join("."),
    },
    body: form.toString(),
    status: 303,
  };
  return strain(() => step, { connections: 1, forMs: 0 });
}

type P99 = { id: string; busy: Latencies[]; quiet: Latencies[]; maxRatio: number; faults: number };

/** The median of the rounds' p99, with trouble against without. */
export function p99Row(what: string, { id, busy, quiet, maxRatio, faults }: P99): Row {
  const p99 = (rounds: Latencies[]) => median(rounds.map((round) => findPercentile(round, 99)));
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
