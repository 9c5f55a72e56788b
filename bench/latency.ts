import { Agent, request, type OutgoingHttpHeaders } from "node:http";

/** One request of a mix, and what its answer must be. */
export type Step = { url: string; method?: string; headers?: OutgoingHttpHeaders; body?: string; status: number };

/** How long the answers took, in milliseconds, shortest first; and how many were wrong or none. */
export type Latencies = { sorted: number[]; faults: number };

type Strain = { connections: number; forMs: number };

/** Asks over so many kept connections, each at least once and then as soon as it has its answer; `next` says what comes n-th. */
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

/** The time within which so many of a hundred were answered. */
export function findPercentile({ sorted }: Latencies, percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** The status; none when the connection broke. */
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
