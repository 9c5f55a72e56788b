import { Agent, request, type OutgoingHttpHeaders } from "node:http";

/** One request of a mix, and the expected answer. */
export type Step = { url: string; method?: string; headers?: OutgoingHttpHeaders; body?: string; status: number };

/** The times of the answers in milliseconds, the shortest first; and the number of wrong or missing ones. */
export type Latencies = { sorted: number[]; faults: number };

type Strain = { connections: number; forMs: number };

/**
 * Sends requests over so many kept connections, each at least once and then as soon as its answer is there; `next`
 * makes request number `count`.
 */
export async function strain(next: (count: number) => Step, { connections, forMs }: Strain): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let faults = 0;
  let count = 0;
  const end = performance.now() + forMs;
  const askOnAndOn = async () => {
    do {
      const step = next(count++);
      const startedAt = performance.now();
      const status = await ask(step, agent);
      times.push(performance.now() - startedAt);
      if (status !== step.status) faults += 1;
    } while (performance.now() < end);
  };
  try {
    await Promise.all(Array.from({ length: connections }, askOnAndOn));
  } finally {
    agent.destroy();
  }
  return { sorted: times.toSorted((a, b) => a - b), faults };
}

/** The time within which so many per cent were answered. */
export function findPercentile({ sorted }: Latencies, percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** The status; `undefined` when the connection broke. */
function ask({ url, method = "GET", headers = {}, body }: Step, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const accepted = { "Accept-Encoding": "gzip, deflate, br, zstd", "Sec-Fetch-Site": "same-origin" };
    request(url, { agent, method, headers: { ...accepted, ...headers } }, (response) => {
      response
        .once("error", () => resolve(undefined))
        .once("end", () => resolve(response.statusCode))
        .resume();
    })
      .once("error", () => resolve(undefined))
      .end(body);
  });
}
