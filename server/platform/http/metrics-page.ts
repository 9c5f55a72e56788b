import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { SECOND_IN_MS } from "../clock.ts";
import { ConfigError, type MetricsConfig } from "../../config.ts";
import type { HttpMetrics, Metrics } from "../metrics/metrics.ts";
import { isSameSecret } from "../seal.ts";

export type AnswerScrape = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** `findRoute`: the route pattern of a path. `scrapePage`: the page `metrics` below the base path, if enabled. */
export type MeasuredHttp = {
  http: HttpMetrics;
  findRoute: (path: string) => string;
  scrapePage: AnswerScrape | undefined;
};

/** With a token, only `Authorization: Bearer …` gets it. */
function createScrapePage(metrics: Pick<Metrics, "write">, token: string | undefined): AnswerScrape {
  return async (request, response) => {
    response.setHeader("Cache-Control", "no-store");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
    }
    if (token !== undefined && !isSameSecret(request.headers.authorization ?? "", `Bearer ${token}`)) {
      const words = "Send METRICS_TOKEN as a bearer token.\n";
      return void response.writeHead(401, { "WWW-Authenticate": "Bearer", "Content-Type": "text/plain" }).end(words);
    }
    const { body, contentType } = await metrics.write();
    response.writeHead(200, { "Content-Type": contentType }).end(request.method === "HEAD" ? undefined : body);
  };
}

/** On a port that the proxy does not reach. */
function createMetricsServer(answer: AnswerScrape): Server {
  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*/, "");
    if (path !== "/metrics") return void response.writeHead(404).end("Only /metrics is here.\n");
    answer(request, response).catch(() => response.destroy());
  });
  server.headersTimeout = 10 * SECOND_IN_MS;
  server.requestTimeout = 10 * SECOND_IN_MS;
  return server;
}

export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  server.listen(port, host);
  await once(server, "listening");
}

export function findPort(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

export function measureHttp(
  { listen: address, token }: MetricsConfig,
  { metrics, findRoute }: { metrics: Metrics; findRoute: MeasuredHttp["findRoute"] },
): MeasuredHttp {
  return {
    http: metrics.http,
    findRoute,
    scrapePage: address ? undefined : createScrapePage(metrics, token),
  };
}

type Watched = { metrics: Metrics; token: string | undefined; listen: { host: string; port: number } };

/** @throws {ConfigError} when its port or address is not available. */
export async function openMetricsServer({ metrics, token, listen: address }: Watched): Promise<Server> {
  const server = createMetricsServer(createScrapePage(metrics, token));
  await listen(server, address).catch((error: Error) => {
    const where = `METRICS_HOST ${address.host} and METRICS_PORT ${address.port}`;
    throw new ConfigError([`${where} cannot be listened on (${error.message}): is another program there?`]);
  });
  return server;
}
