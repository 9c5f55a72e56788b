import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { ask } from "./requests.ts";

/** A server process on a free loopback port. */
export type Server = AsyncDisposable & { origin: string; pid: number; child: ChildProcess };

export type ServerOptions = {
  /** A path that returns 200 once the server is ready. */
  readyPath?: string;
  env?: Record<string, string>;
  /** The settings of malloc; those of `npm start` by default. */
  malloc?: Record<string, string>;
  cwd?: string;
};

const HOST = "127.0.0.1";
const POLL_EVERY_IN_MS = 5;
/** Preparing ten thousand items takes minutes on a busy machine. */
const START_LIMIT_IN_MS = 300_000;
const STOP_LIMIT_IN_MS = 5000;

/** The settings of malloc and the flags that `npm start` gives Node in a folder. */
export function readStart(folder: string): { env: Record<string, string>; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { scripts: { start: string } };
  const words = execFileSync("sh", ["-c", `echo ${scripts.start}`], { cwd: folder, encoding: "utf8" }).split(/\s+/);
  const settings = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("=") as [string, string]);
  return { env: Object.fromEntries(settings), flags: words.filter((word) => word.startsWith("--")) };
}

const ours = readStart(".");
export const startFlags: string[] = ours.flags;

/** Runs a script by this Node, as production would, and waits until it is ready. Drops its log. */
export async function startServer(
  command: string[],
  { readyPath = "/readyz", env = {}, malloc = ours.env, cwd = process.cwd() }: ServerOptions = {},
): Promise<Server> {
  const port = await findFreePort();
  const child = spawn(process.execPath, command, {
    cwd,
    env: { ...process.env, NODE_ENV: "production", ...malloc, HOST, PORT: String(port), DEMO: "true", ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "exit").then(() => process.off("exit", kill));

  const server: Server = {
    origin: `http://${HOST}:${port}`,
    pid: child.pid ?? 0,
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      const impatience = setTimeout(kill, STOP_LIMIT_IN_MS);
      await ended;
      clearTimeout(impatience);
    },
  };
  const startedAt = performance.now();
  while (!(await isReady(server, readyPath))) {
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended before it was ready`);
    if (performance.now() - startedAt > START_LIMIT_IN_MS) throw new Error(`${command.join(" ")} is never ready`);
    await delay(POLL_EVERY_IN_MS);
  }
  return server;
}

/** @throws on an answer that means neither "ready" nor "not yet". */
async function isReady({ origin }: Server, path: string): Promise<boolean> {
  const reply = await ask(origin + path).catch(() => undefined);
  if (reply && reply.status !== 200 && reply.status !== 503) throw new Error(`${path} answers ${reply.status}`);
  return reply?.status === 200;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, HOST);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/**
 * The longest time in milliseconds that one piece of work has blocked a server's event loop since the last call.
 * `serve.ts` answers.
 */
export async function readLongestHold({ child }: Server): Promise<number> {
  child.send("longest hold");
  const [held] = (await once(child, "message")) as [number];
  return held;
}

export function readMemory(server: Server): Promise<number> {
  return readStatus(server, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most memory that it has ever had. */
export function readPeakMemory(server: Server): Promise<number> {
  return readStatus(server, /^VmHWM:\s+(\d+) kB$/m);
}

async function readStatus({ pid }: Server, kilobytes: RegExp): Promise<number> {
  const [, count] = kilobytes.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(count) * 1024;
}
