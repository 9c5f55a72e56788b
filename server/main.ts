import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

import { createAddressCheck } from "./platform/addresses.ts";
import { SECOND_IN_MS } from "./platform/clock.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { SAMPLES_SERVED } from "./content/items/source.ts";
import { findSamples } from "./operations/legal/documents.ts";
import { BEGINS_NEW, findNewFile } from "./platform/database/open-database.ts";
import { type Admit, type AnswerRefusal, createHttpServer, type Handler } from "./platform/http/http-server.ts";
import { findPort, listen, measureHttp, openMetricsServer } from "./platform/http/metrics-page.ts";
import { createStaticFiles } from "./platform/http/static-files.ts";
import { createServices, type Services, type ServicesOptions } from "./services.ts";

export type Running = {
  port: number;
  metricsPort: number | undefined;
  services: Services;
  stop(): Promise<void>;
};

const SWEEP_EVERY_IN_MS = 50;
/** How long requests may continue after a stop was requested. */
const DRAIN_LIMIT_IN_MS = 20 * SECOND_IN_MS;

/**
 * Starts config, services and HTTP. `prepare` runs before the server listens.
 * @throws {ConfigError} when the build is missing or for another base path, or a demo has a public address.
 */
export async function start(
  config: Config,
  prepare: (services: Services) => Promise<void> = async () => {},
  options: ServicesOptions = {},
): Promise<Running> {
  refuseOpenDemo(config);
  const build = await loadBuild(config);
  const newFile = findNewFile(config.database);
  const metrics = config.metrics && (await import("./platform/metrics/metrics.ts")).createMetrics();
  const services = await createServices(config, { metrics, ...options });
  if (!config.isDemo) warnOperators(config, { services, newFile });
  await prepare(services);
  const measured =
    metrics && config.metrics && measureHttp(config.metrics, { metrics, findRoute: build.createFindRoute() });
  metrics?.watch((await import("./operations/desk/observed.ts")).observe(services));
  const host = createHttpServer({
    http: config.http,
    basePath: config.basePath,
    handler: build.createHandler(services),
    admit: build.createAdmission(services),
    answerRefusal: build.answerRefusal,
    staticFiles: createStaticFiles(join(config.buildDir, "client")),
    log: services.log,
    metrics: measured,
  });
  const watched = metrics && config.metrics?.listen && { ...config.metrics, metrics, listen: config.metrics.listen };
  let metricsServer: Awaited<ReturnType<typeof openMetricsServer>> | undefined;
  try {
    metricsServer = watched && (await openMetricsServer(watched));
    await listen(host, config.http);
  } catch (error) {
    metricsServer?.close();
    await services.close();
    throw error;
  }
  const stopJobs = services.jobs.start();
  // The start does not wait for a CMS, or for the first regular refresh when content is missing or stale.
  if (!services.catalogue.isReady() || services.catalogue.isStale()) void services.catalogue.refresh();
  const port = findPort(host);
  const metricsPort = metricsServer && findPort(metricsServer);
  services.log.info({ port, ...(metricsPort !== undefined && { metricsPort }), basePath: config.basePath }, "open");

  return {
    port,
    metricsPort,
    services,
    /** Stops accepting, lets running work finish, then closes the database. */
    async stop() {
      const closed = new Promise<void>((resolve) => host.close(() => resolve()));
      // A connection that has just been answered would wait for the next request.
      const sweep = setInterval(() => host.closeIdleConnections(), SWEEP_EVERY_IN_MS);
      const impatience = setTimeout(() => host.closeAllConnections(), DRAIN_LIMIT_IN_MS);
      // An email held up by a silent mail server is tried again after the next start.
      await Promise.race([Promise.all([closed, stopJobs()]), delay(DRAIN_LIMIT_IN_MS, undefined, { ref: false })]);
      clearInterval(sweep);
      clearTimeout(impatience);
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      await services.close();
      services.log.info({}, "closed");
    },
  };
}

const isOwnNetwork = createAddressCheck(["loopback", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]);
/** RFC 2606, section 2: names that no stranger can reach. */
const RESERVED_NAME = /(?:^|\.)(?:localhost|test|example|example\.(?:com|net|org))$/;

function refuseOpenDemo({ isDemo, http: { origin } }: Config): void {
  if (!isDemo || origin === undefined) return;
  const { hostname } = new URL(origin);
  if (RESERVED_NAME.test(hostname) || isOwnNetwork(hostname.replace(/^\[|\]$/g, ""))) return;
  throw new ConfigError([`DEMO must be false at ${origin}: everyone knows the passwords of a demo's members`]);
}

function warnOperators(
  config: Config,
  { services, newFile }: { services: Services; newFile: string | undefined },
): void {
  // Usual once in production. After an upgrade it means that DATA_DIR leads elsewhere, and members are missing.
  if (newFile) services.log.warn({}, `${BEGINS_NEW}: ${newFile}`);
  if (config.content.kind === "bundled") {
    services.log.warn({}, `No source of content is configured. ${SAMPLES_SERVED}`);
  }
  const legalSamples = findSamples(services.legal);
  if (legalSamples !== undefined) services.log.warn({}, legalSamples);
}

/** A build's exports: `app/frame/handler.ts`. */
export type Build = {
  basename: string;
  createHandler(services: Services): Handler;
  createAdmission(services: Services): Admit;
  createFindRoute(): (path: string) => string;
  answerRefusal: AnswerRefusal;
};

async function loadBuild({ buildDir, basePath }: Config): Promise<Build> {
  let build: Build;
  try {
    build = (await import(pathToFileURL(join(buildDir, "server", "index.js")).href)) as Build;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ConfigError([`there is no build in ${buildDir}: run npm run build`]);
  }
  if (build.basename !== basePath) {
    throw new ConfigError([
      `BASE_PATH is ${basePath}, but the build was made for ${build.basename}: run npm run build with it`,
    ]);
  }
  return build;
}

/** On SIGTERM and SIGINT; a second signal does not wait. */
export function stopOnSignal(running: Running): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      void running.stop().then(() => process.exit(0));
    });
  }
}

const LOOK_FOR_LOSS_EVERY_IN_MS = SECOND_IN_MS;

/**
 * Ends the process when the database file was removed, replaced or cut off. Does not close the database, which would
 * write its log into the rest.
 */
export function exitWhenLost({ services }: Running): void {
  const look = () => {
    const loss = services.findLoss();
    if (loss === undefined) return;
    services.log.error({}, `${loss}, so the server ends: put it back, or restore a backup`);
    process.exit(1);
  };
  setInterval(look, LOOK_FOR_LOSS_EVERY_IN_MS).unref();
}

/** PostgreSQL's image sets the password once, when it makes the volume. */
const OLD_PASSWORD_ADVICE =
  "PostgreSQL refuses the password of DATABASE_URL. A database in a volume keeps the password of its first start, which may\n" +
  "have been a demo's. To keep its data, set the password of that start again. To remove database and data for good:\n" +
  "docker compose down && docker volume rm dormouse_database";

/** For operators: an outside fault (a database, a folder, a port) in a sentence; any other with its trace. */
export function startFaultText(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `Port ${port} is in use: stop what listens there, or set PORT to another.`;
  if (code === "28P01") return `${error instanceof Error ? error.message : code}.\n${OLD_PASSWORD_ADVICE}`;
  const isOutside = error instanceof Error && "code" in error;
  const reason = isOutside ? error.message || String(error.code) : inspect(error);
  return `The server did not start: ${reason}\nTo check each part, run: npm run dormouse -- doctor`;
}

/** The server as a process, with the settings of its environment. */
export async function run(): Promise<void> {
  try {
    const config = readConfig(process.env);
    const prepare = config.isDemo ? (await import("./cli/demo-data.ts")).fillDemo : undefined;
    const running = await start(config, prepare);
    stopOnSignal(running);
    exitWhenLost(running);
  } catch (error) {
    console.error(startFaultText(error));
    process.exit(1);
  }
}

if (import.meta.main) await run();
