import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

import { SECOND_IN_MS } from "./clock.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { BEGINS_NEW, findNewFile } from "./database/database.ts";
import { createHttpServer, type Handler } from "./http/http-server.ts";
import { createStaticFiles } from "./http/static-files.ts";
import { createRooms, type Rooms } from "./rooms.ts";

/** The running product. */
export type Running = { port: number; rooms: Rooms; stop(): Promise<void> };

const SWEEP_EVERY_IN_MS = 50;
/** How long requests that have begun may go on after a stop was asked for. */
const DRAIN_LIMIT_IN_MS = 20 * SECOND_IN_MS;

/**
 * Starts the product: config, rooms, HTTP. `prepare` runs before the door opens.
 * @throws {ConfigError} when the build is missing or was made for another base path.
 */
export async function start(
  config: Config,
  prepare: (rooms: Rooms) => Promise<void> = async () => {},
): Promise<Running> {
  const build = await loadBuild(config);
  const newFile = findNewFile(config.database);
  const rooms = await createRooms(config);
  // In production usual once. After an upgrade it means that DATA_DIR leads elsewhere, and members are missing.
  if (newFile && !config.isDemo) rooms.log.warn({}, `${BEGINS_NEW}: ${newFile}`);
  await prepare(rooms);
  const host = createHttpServer({
    http: config.http,
    basePath: config.basePath,
    handler: build.createHandler(rooms),
    staticFiles: createStaticFiles(join(config.buildDir, "client")),
    log: rooms.log,
  });
  await new Promise<void>((resolve, reject) => {
    host.once("error", reject);
    host.listen(config.http.port, config.http.host, resolve);
  }).catch(async (error: unknown) => {
    await rooms.close();
    throw error;
  });
  const stopTasks = rooms.tasks.start();
  // A CMS is not waited for; nor is its first turn, when there is nothing yet or nothing new.
  if (!rooms.catalogue.isReady() || rooms.catalogue.isStale()) void rooms.catalogue.refresh();
  const address = host.address();
  const port = typeof address === "object" && address ? address.port : config.http.port;
  rooms.log.info({ port, basePath: config.basePath }, "open");

  return {
    port,
    rooms,
    /** Stops accepting, lets what runs finish, then closes the database. */
    async stop() {
      const closed = new Promise<void>((resolve) => host.close(() => resolve()));
      // A connection that has just been answered would be kept for the next request.
      const sweep = setInterval(() => host.closeIdleConnections(), SWEEP_EVERY_IN_MS);
      const impatience = setTimeout(() => host.closeAllConnections(), DRAIN_LIMIT_IN_MS);
      // A letter that a silent mail server keeps waiting is tried again by whoever starts next.
      await Promise.race([Promise.all([closed, stopTasks()]), delay(DRAIN_LIMIT_IN_MS, undefined, { ref: false })]);
      clearInterval(sweep);
      clearTimeout(impatience);
      await rooms.close();
      rooms.log.info({}, "closed");
    },
  };
}

type Build = { basename: string; createHandler(rooms: Rooms): Handler };

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

/** Stops on SIGTERM and SIGINT; a second signal does not wait. */
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
 * Ends the process once the file of its database was removed, replaced or cut off. The database is not closed: that would write
 * what its log still holds into what is left.
 */
export function exitWhenLost({ rooms }: Running): void {
  const look = () => {
    const loss = rooms.findLoss();
    if (loss === undefined) return;
    rooms.log.error({}, `${loss}, so the server ends: put it back, or restore a backup`);
    process.exit(1);
  };
  setInterval(look, LOOK_FOR_LOSS_EVERY_IN_MS).unref();
}

/** For whoever deploys: what is outside (a database, a folder, a port) in a sentence; anything else with its trace. */
export function sayWhyNot(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `Port ${port} is in use: stop what listens there, or set PORT to another.`;
  const isOutside = error instanceof Error && "code" in error;
  const reason = isOutside ? error.message || String(error.code) : inspect(error);
  return `The server did not start: ${reason}\nTo have each part asked what is wrong: npm run dormouse -- doctor`;
}

if (import.meta.main) {
  try {
    const running = await start(readConfig(process.env));
    stopOnSignal(running);
    exitWhenLost(running);
  } catch (error) {
    console.error(sayWhyNot(error));
    process.exit(1);
  }
}
